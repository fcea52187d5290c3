/** A bank statement as a table: a header, then one row per booking. */
import {
  centsIn,
  type ReadLine,
  type ReadStatement,
  STATEMENT_MAX_LINES,
  unreadable,
  withPlainTexts,
} from '../../domain/billing/bank/statement.ts';
import { csvRecords } from '../../domain/csv.ts';
import { isRealDate } from '../../domain/dates.ts';

/** In any case and order; the amount has one column, or one for each direction. */
export const STATEMENT_COLUMNS = ['date', 'amount', 'debit', 'credit', 'reference', 'description', 'id'] as const;

const AMERICAN_DATE = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/;

/** Reads a table. @throws DomainError validation_failed on `file`, which names the row */
export async function readStatementTable(pieces: AsyncIterable<string>): Promise<ReadStatement> {
  const lines: ReadLine[] = [];
  let header: string[] | null = null;
  let row = 0;
  for await (const record of csvRecords(pieces)) {
    row += 1;
    if (header === null) header = headerOf(record);
    else lines.push(lineOf(header, record, row));
    if (lines.length > STATEMENT_MAX_LINES)
      throw unreadable(`A statement can have at most ${STATEMENT_MAX_LINES} rows.`);
  }
  const days = lines.map(({ bookedOn }) => bookedOn).sort();
  const [from, to] = [days[0], days.at(-1)];
  if (from === undefined || to === undefined) throw unreadable('The table has no rows.');
  return { number: null, account: '', from, to, saysDays: false, openingCents: null, closingCents: null, lines };
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

function lineOf(header: readonly string[], record: readonly string[], row: number): ReadLine {
  const place = `Row ${row}`;
  const cell = (name: string) => record[header.indexOf(name)]?.trim() ?? '';
  const bookedOn = dayOf(cell('date'));
  if (bookedOn === null) throw unreadable(`${place}, date: it must be YYYY-MM-DD or MM/DD/YYYY.`);
  const amountCents = header.includes('amount')
    ? amountIn(cell('amount'), `${place}, amount`)
    : byDirection(place, cell('debit'), cell('credit'));
  if (amountCents === 0) throw unreadable(`${place}: the amount must be a number other than 0.`);
  const [reference, description] = [cell('reference'), cell('description')];
  return withPlainTexts({ place, bookedOn, amountCents, reference, description, bankId: cell('id') || null });
}

/** @throws DomainError validation_failed on `file`, which names the row and the column */
function amountIn(text: string, place: string): number {
  const cents = centsIn(text);
  if (cents !== null) return cents;
  throw unreadable(`${place}: it must be a number with at most two decimals after a point, like 1,234.50.`);
}

/** One of the two cells is blank or 0. */
function byDirection(place: string, debit: string, credit: string): number {
  const out = amountIn(debit || '0', `${place}, debit`);
  const into = amountIn(credit || '0', `${place}, credit`);
  if (out !== 0 && into !== 0) throw unreadable(`${place}: either debit or credit must be blank or 0.`);
  return into - Math.abs(out);
}

function dayOf(text: string): string | null {
  const american = AMERICAN_DATE.exec(text);
  const day =
    american === null ? text : `${american[3]}-${american[1]?.padStart(2, '0')}-${american[2]?.padStart(2, '0')}`;
  return isRealDate(day) ? day : null;
}
