// A file becomes a statement with its bookings, once: the same file again is the same statement, and a booking that an
// earlier statement had is not kept a second time.
import { createHash } from 'node:crypto';
import { text } from 'node:stream/consumers';
import type { EntityManager } from '@mikro-orm/postgresql';
import { BankLine } from '../../../../db/entities/billing/bank-line.ts';
import { BankStatement } from '../../../../db/entities/billing/bank-statement.ts';
import { newId } from '../../../../db/ids.ts';
import { knownKeys } from '../../../../db/queries/billing/bank/statements.ts';
import {
  formatOf,
  type ReadStatement,
  type StatementFormat,
  type StatementLine,
} from '../../../../domain/billing/bank/statement.ts';
import { validationError } from '../../../../domain/errors.ts';
import { readCamt } from '../../../../providers/bank/camt.ts';
import { readStatementTable } from '../../../../providers/bank/statement-table.ts';
import type { ReceivedFile } from '../../../spine/files/received-file.ts';
import { textOf } from '../../distribution/imported-rows.ts';

const BATCH = 500;

/** What its sender says of a file. */
interface FileFacts {
  fileName?: string | undefined;
  contentType?: string | undefined;
  format?: StatementFormat | undefined;
}

/** The format of a file. @throws DomainError validation_failed for field `format` */
export function statementFormat({ fileName, contentType, format }: FileFacts): StatementFormat {
  const byName = /\.(csv|xml)$/i.exec(fileName ?? '')?.[1]?.toLowerCase();
  const named = byName === 'csv' ? 'csv' : 'camt.053';
  const found = format ?? formatOf(contentType) ?? (byName === undefined ? null : named);
  if (found !== null) return found;
  const allowed = ['csv', 'camt.053'];
  throw validationError('format', 'required', 'Say whether the file is csv or camt.053.', { allowed });
}

/** Reads a file. @throws DomainError validation_failed on `file` */
export async function readStatement(file: ReceivedFile, format: StatementFormat): Promise<ReadStatement> {
  const pieces = textOf(file.stream());
  return format === 'csv' ? readStatementTable(pieces) : readCamt(await text(pieces));
}

/** Writes a statement and the bookings that are new. The caller holds `lockBankLines`. */
export async function keepStatement(
  em: EntityManager,
  { number, account, from, to, openingCents, closingCents, lines }: ReadStatement,
  facts: { format: StatementFormat; fileName: string | null; sha256: string; uploadedBy: string },
): Promise<BankStatement> {
  const keyed = withKeys(account, lines);
  const known = await knownKeys(em, [...keyed.keys()]);
  const fresh = [...keyed].filter(([key]) => !known.has(key));
  const row = em.create(
    BankStatement,
    {
      ...{ id: newId('bankStatement'), number, account, fromDate: from, toDate: to, openingCents, closingCents },
      ...{ lineCount: lines.length, newLineCount: fresh.length, ...facts },
    },
    { persist: true },
  );
  await em.flush();
  for (let first = 0; first < fresh.length; first += BATCH) {
    for (const [lineKey, line] of fresh.slice(first, first + BATCH)) {
      const { bookedOn, amountCents, reference, description } = line;
      const unmatched = { matchRule: null, matchedBy: null, matchedAt: null };
      const booked = { lineKey, bookedOn, amountCents, reference, description, bankStatementId: row.id };
      em.create(BankLine, { ...booked, ...unmatched }, { persist: true });
    }
    await em.flush();
  }
  return row;
}

/** The bank's own id names a booking; without one all that it says does, and how often the file has said so before. */
function withKeys(account: string, lines: readonly StatementLine[]): Map<string, StatementLine> {
  const keyed = new Map<string, StatementLine>();
  const times = new Map<string, number>();
  for (const line of lines) {
    const { bankId, bookedOn, amountCents, reference, description } = line;
    const said = JSON.stringify([account, bankId ?? [reference, description], bookedOn, amountCents]);
    const before = times.get(said) ?? 0;
    times.set(said, before + 1);
    keyed.set(createHash('sha256').update(`${said}/${before}`).digest('hex'), line);
  }
  return keyed;
}
