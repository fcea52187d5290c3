// A file becomes a statement with its bookings, once: the same file again is the same statement, and a booking that an
// earlier statement had is not kept a second time.
import { createHash } from 'node:crypto';
import { text } from 'node:stream/consumers';
import type { EntityManager } from '@mikro-orm/postgresql';
import { BankLine } from '../../../../db/entities/billing/bank-line.ts';
import { BankStatement } from '../../../../db/entities/billing/bank-statement.ts';
import { newId } from '../../../../db/ids.ts';
import { hasOtherAccount, keptLines } from '../../../../db/queries/billing/bank/statements.ts';
import { organizationOf } from '../../../../db/scope.ts';
import { newLines } from '../../../../domain/billing/bank/new-lines.ts';
import {
  formatOf,
  type ReadStatement,
  type StatementFormat,
  unreadable,
} from '../../../../domain/billing/bank/statement.ts';
import { validationError } from '../../../../domain/errors.ts';
import { readCamt } from '../../../../providers/bank/camt.ts';
import { readStatementTable } from '../../../../providers/bank/statement-table.ts';
import type { ReceivedFile } from '../../../spine/files/received-file.ts';
import { textOf } from '../../distribution/imported-rows.ts';

const BATCH = 500;
const ACCOUNT_SHOWN = 4;

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

/**
 * Writes a statement and the bookings that are new. The caller holds `lockBankLines`.
 * @throws DomainError validation_failed on `file` for one of another account
 */
export async function keepStatement(
  em: EntityManager,
  { number, account, from, to, openingCents, closingCents, lines }: ReadStatement,
  facts: { format: StatementFormat; fileName: string | null; sha256: string; uploadedBy: string },
): Promise<BankStatement> {
  const accountHash = account === '' ? null : hashOf(organizationOf(em), account);
  if (accountHash !== null && (await hasOtherAccount(em, accountHash))) {
    throw unreadable('The statement is of another account than the earlier ones. Withdraw those if they are wrong.');
  }
  const days = lines.map(({ bookedOn }) => bookedOn).sort();
  const fresh = newLines(lines, facts.format, await keptLines(em, days[0] ?? from, days.at(-1) ?? to));
  const row = em.create(
    BankStatement,
    {
      ...{ id: newId('bankStatement'), number, accountHash, fromDate: from, toDate: to, openingCents, closingCents },
      ...{ account: account.slice(-ACCOUNT_SHOWN), withdrawnBy: null, withdrawnAt: null },
      ...{ lineCount: lines.length, newLineCount: fresh.length, ...facts },
    },
    { persist: true },
  );
  await em.flush();
  for (let first = 0; first < fresh.length; first += BATCH) {
    for (const line of fresh.slice(first, first + BATCH)) {
      const unmatched = { matchRule: null, matchedBy: null, matchedAt: null };
      em.create(BankLine, { ...line, ...unmatched, bankStatementId: row.id }, { persist: true });
    }
    await em.flush();
  }
  return row;
}

/** An account number is never kept: another organization's hash of the same one is another. */
function hashOf(orgId: string, account: string): string {
  return createHash('sha256').update(`${orgId} ${account}`).digest('hex');
}
