// Turns a file into a statement with its bookings, once: the same file again is the same statement, and a booking that
// an earlier statement has counts only there.
import { createHash } from 'node:crypto';
import { text } from 'node:stream/consumers';
import type { EntityManager } from '@mikro-orm/postgresql';
import { BankLine } from '../../../../db/entities/billing/bank-line.ts';
import { BankStatement } from '../../../../db/entities/billing/bank-statement.ts';
import { newId } from '../../../../db/ids.ts';
import {
  hasOtherAccount,
  keptBookings,
  statementsBeside,
  wholeDays,
} from '../../../../db/queries/billing/bank/statements.ts';
import { organizationOf } from '../../../../db/scope.ts';
import { type ComparedLine, comparedLines } from '../../../../domain/billing/bank/new-lines.ts';
import {
  formatOf,
  type ReadStatement,
  type StatementFormat,
  unreadable,
} from '../../../../domain/billing/bank/statement.ts';
import { ensureConnected, ensureSound, wholeUntil } from '../../../../domain/billing/bank/whole-days.ts';
import type { BusinessDate } from '../../../../domain/dates.ts';
import { validationError } from '../../../../domain/errors.ts';
import { fromDollars } from '../../../../domain/money.ts';
import { readCamt } from '../../../../providers/bank/camt.ts';
import { readStatementTable } from '../../../../providers/bank/statement-table.ts';
import type { ReceivedFile } from '../../../spine/files/received-file.ts';
import { decodedText } from '../../distribution/imported-rows.ts';

const BATCH = 500;
const ACCOUNT_SHOWN = 4;

/** What the sender says about a file. */
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
  throw validationError('format', 'required', 'Set `format` to csv or camt.053.', { allowed });
}

/** What the sender says about a table, which states no days or balances itself. Balances in dollars. */
interface Stated {
  from?: BusinessDate | undefined;
  to?: BusinessDate | undefined;
  openingBalance?: number | string | undefined;
  closingBalance?: number | string | undefined;
}

/**
 * Reads a file, and checks that it can be right.
 * @throws DomainError validation_failed on `file`, or on a field that describes it
 */
export async function readStatement(
  file: ReceivedFile,
  format: StatementFormat,
  stated: Stated,
  today: BusinessDate,
): Promise<ReadStatement> {
  const pieces = decodedText(file.stream());
  const read = format === 'csv' ? await readStatementTable(pieces) : readCamt(await text(pieces));
  const complete = format === 'csv' ? withStated(read, stated) : ensureNothingStated(read, stated);
  ensureSound(complete, today);
  return complete;
}

/** @throws DomainError validation_failed for a field that is only half of a pair */
function withStated(read: ReadStatement, { from, to, openingBalance, closingBalance }: Stated): ReadStatement {
  if ((from === undefined) !== (to === undefined)) {
    throw validationError(from === undefined ? 'from' : 'to', 'required', 'Give both from and to, or neither.');
  }
  if (from !== undefined && to !== undefined && from > to) {
    throw validationError('from', 'max', `from must not be later than ${to}.`, { latest: to });
  }
  const centsOf = (dollars: number | string | undefined, field: string) =>
    dollars === undefined ? null : fromDollars(Number(dollars), field);
  return {
    ...read,
    ...(from === undefined || to === undefined ? {} : { from, to, saysDays: true }),
    openingCents: centsOf(openingBalance, 'openingBalance'),
    closingCents: centsOf(closingBalance, 'closingBalance'),
  };
}

/** @throws DomainError validation_failed for a field that the document itself states */
function ensureNothingStated(read: ReadStatement, { from, to, openingBalance, closingBalance }: Stated): ReadStatement {
  const stated = Object.entries({ from, to, openingBalance, closingBalance });
  const [field] = stated.find(([, value]) => value !== undefined) ?? [];
  if (field === undefined) return read;
  throw validationError(
    field,
    'unknown_field',
    `${field} is not expected: a camt.053 document states its own days and balances.`,
  );
}

/** What is known about a file besides its contents. */
interface KeptFacts {
  format: StatementFormat;
  fileName: string | null;
  sha256: string;
  uploadedBy: string;
}

/**
 * Writes a statement and its bookings; those in an earlier statement are repeats. The caller holds `lockBankLines`.
 * @throws DomainError validation_failed on `file` for one of another account, or one that contradicts stored statements
 */
export async function keepStatement(
  em: EntityManager,
  read: ReadStatement,
  { facts, today }: { facts: KeptFacts; today: BusinessDate },
): Promise<BankStatement> {
  const { number, account, from, to, openingCents, closingCents } = read;
  const accountHash = account === '' ? null : hashOf(organizationOf(em), account);
  if (accountHash !== null && (await hasOtherAccount(em, accountHash))) {
    throw unreadable(
      'The statement is for a different account than the earlier ones. Withdraw those if they are wrong.',
    );
  }
  ensureConnected(read, await statementsBeside(em, from, to));
  const until = wholeUntil(read, today);
  const lines = await comparedWithKept(em, read, { format: facts.format, until });
  const row = em.create(
    BankStatement,
    {
      ...{ id: newId('bankStatement'), number, accountHash, fromDate: from, toDate: to, openingCents, closingCents },
      ...{ account: account.slice(-ACCOUNT_SHOWN), wholeUntil: until, withdrawnBy: null, withdrawnAt: null },
      ...{ lineCount: lines.length, newLineCount: lines.filter(({ repeatOf }) => repeatOf === null).length, ...facts },
    },
    { persist: true },
  );
  await em.flush();
  for (let first = 0; first < lines.length; first += BATCH) {
    for (const { line, repeatOf } of lines.slice(first, first + BATCH)) {
      const { place: _place, ...booking } = line;
      const unmatched = { matchRule: null, matchedBy: null, matchedAt: null };
      em.create(BankLine, { ...booking, ...unmatched, repeatOf, bankStatementId: row.id }, { persist: true });
    }
    await em.flush();
  }
  return row;
}

async function comparedWithKept(
  em: EntityManager,
  { lines, from, to }: ReadStatement,
  { format, until }: { format: StatementFormat; until: BusinessDate | null },
): Promise<ComparedLine[]> {
  const whole = await wholeDays(em, from, to);
  return comparedLines(lines, format, {
    kept: await keptBookings(em, from, to),
    isWhole: (day) => until !== null && day <= until,
    isKeptWhole: (day) => whole.some((kept) => kept.from <= day && day <= kept.to),
  });
}

/** An account number is never stored; another organization's hash of the same number differs. */
function hashOf(orgId: string, account: string): string {
  return createHash('sha256').update(`${orgId} ${account}`).digest('hex');
}
