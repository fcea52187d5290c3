/** A bank statement as a table: a header, then a row for each booking. */
import {
  centsIn,
  type ReadStatement,
  STATEMENT_MAX_LINES,
  type StatementLine,
  unreadable,
  withPlainTexts,
} from '../../domain/billing/bank/statement.ts';
import { csvRecords } from '../../domain/csv.ts';
import { isRealDate } from '../../domain/dates.ts';

/** In any case and order; of an amount there is one column, or one for each direction. */
export const STATEMENT_COLUMNS = ['date', 'amount', 'debit', 'credit', 'reference', 'description', 'id'] as const;

const AMERICAN_DATE = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/;

/** Reads a table. @throws DomainError validation_failed on `file`, which names the row */
export async function readStatementTable(pieces: AsyncIterable<string>): Promise<ReadStatement> {
  const lines: StatementLine[] = [];
  let header: string[] | null = null;
  let row = 0;
  for await (const record of csvRecords(pieces)) {
    row += 1;
    if (header === null) header = headerOf(record);
    else lines.push(lineOf(header, record, row));
    if (lines.length > STATEMENT_MAX_LINES) throw unreadable(`A statement has at most ${STATEMENT_MAX_LINES} rows.`);
  }
  const days = lines.map(({ bookedOn }) => bookedOn).sort();
  const [from, to] = [days[0], days.at(-1)];
  if (from === undefined || to === undefined) throw unreadable('The table has no rows.');
  return { number: null, account: '', from, to, openingCents: null, closingCents: null, lines };
}

function headerOf(record: readonly string[]): string[] {
  const names = record.map((name) => name.replace('\uFEFF', '').trim().toLowerCase());
  const has = (name: string) => names.includes(name);
  if (!has('date')) throw unreadable('The header lacks the column date.');
  if (has('amount') === (has('debit') || has('credit'))) {
    throw unreadable('The header must have the column amount, or the columns debit and credit.');
  }
  if (new Set(names).size < names.length) throw unreadable('The header repeats a column.');
  return names;
}

function lineOf(header: readonly string[], record: readonly string[], row: number): StatementLine {
  const cell = (name: string) => record[header.indexOf(name)]?.trim() ?? '';
  const bookedOn = dayOf(cell('date'));
  if (bookedOn === null) throw unreadable(`Row ${row}: the date must be YYYY-MM-DD or MM/DD/YYYY.`);
  const amountCents = header.includes('amount') ? centsIn(cell('amount')) : byDirection(cell('debit'), cell('credit'));
  if (amountCents === null || amountCents === 0) {
    throw unreadable(`Row ${row}: the amount must be a number other than 0 with at most two decimals.`);
  }
  const [reference, description] = [cell('reference'), cell('description')];
  return withPlainTexts({ bookedOn, amountCents, reference, description, bankId: cell('id') || null });
}

/** Of the two cells one is blank, or 0. */
function byDirection(debit: string, credit: string): number | null {
  const [out, into] = [centsIn(debit || '0'), centsIn(credit || '0')];
  if (out === null || into === null || (out !== 0 && into !== 0)) return null;
  return into - Math.abs(out);
}

function dayOf(text: string): string | null {
  const american = AMERICAN_DATE.exec(text);
  const day =
    american === null ? text : `${american[3]}-${american[1]?.padStart(2, '0')}-${american[2]?.padStart(2, '0')}`;
  return isRealDate(day) ? day : null;
}
