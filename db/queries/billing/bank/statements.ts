// Bank statements and their bookings: stored once, listed, and matched with the ledger.
import type { EntityManager, FilterQuery } from '@mikro-orm/postgresql';
import type { MatchRule } from '../../../../domain/billing/bank/matching.ts';
import type { KeptBooking } from '../../../../domain/billing/bank/new-lines.ts';
import { addDays, type BusinessDate } from '../../../../domain/dates.ts';
import type { Cents } from '../../../../domain/money.ts';
import { BankLine } from '../../../entities/billing/bank-line.ts';
import { BankMatch } from '../../../entities/billing/bank-match.ts';
import { BankStatement } from '../../../entities/billing/bank-statement.ts';
import { findById } from '../../../entity-rows.ts';
import { organizationOf } from '../../../scope.ts';
import { type Page, type PageRequest, pageOf } from '../../pages.ts';
import { type Movement, movementsOf } from './movements.ts';

/** Waits for every other upload and match of the organization: a movement is matched once. */
export async function lockBankLines(em: EntityManager): Promise<void> {
  await em.execute('select pg_advisory_xact_lock(hashtextextended(?, 0))', [`bank lines:${organizationOf(em)}`]);
}

/** Reads the statement that was stored from a file, or null. */
export function statementOfFile(em: EntityManager, sha256: string): Promise<BankStatement | null> {
  return em.findOne(BankStatement, { sha256, withdrawnAt: null });
}

/** Reads a statement, or null. */
export function findStatement(em: EntityManager, id: string): Promise<BankStatement | null> {
  return findById(em, BankStatement, id);
}

/** Reads a page of statements, newest first. @throws DomainError validation_failed for a bad cursor */
export function listStatements(em: EntityManager, page: PageRequest): Promise<Page<BankStatement>> {
  return pageOf(em, BankStatement, [], page);
}

/** Reads a booking, or null. */
export function findBankLine(em: EntityManager, id: string): Promise<BankLine | null> {
  return em.findOne(BankLine, { id, repeatOf: null, withdrawn: false });
}

/** Reads a page of bookings, newest first. @throws DomainError validation_failed for a bad cursor */
export function listBankLines(
  em: EntityManager,
  { statementId, isMatched }: { statementId?: string | undefined; isMatched?: boolean | undefined },
  page: PageRequest,
): Promise<Page<BankLine>> {
  const conditions: FilterQuery<BankLine>[] = [{ repeatOf: null, withdrawn: false }];
  if (statementId !== undefined) conditions.push({ bankStatementId: statementId });
  if (isMatched !== undefined) conditions.push({ matchRule: isMatched ? { $ne: null } : null });
  return pageOf(em, BankLine, conditions, page);
}

/** The bookings between two days, inclusive, as worded by each statement that has them. */
export async function keptBookings(em: EntityManager, from: BusinessDate, to: BusinessDate): Promise<KeptBooking[]> {
  const rows = await em.find(BankLine, { bookedOn: { $gte: from, $lte: to }, withdrawn: false });
  const ids = [...new Set(rows.map(({ bankStatementId }) => bankStatementId))];
  const statements = await em.find(BankStatement, { id: { $in: ids } });
  const formats = new Map(statements.map(({ id, format }) => [id, format]));
  const repeats = Map.groupBy(rows, ({ id, repeatOf }) => repeatOf ?? id);
  return rows
    .filter(({ repeatOf }) => repeatOf === null)
    .map(({ id, bookedOn, amountCents }) => {
      const said = repeats.get(id)?.map(({ bankStatementId, reference, description, bankId }) => {
        return { reference, description, bankId, format: formats.get(bankStatementId) ?? 'csv' };
      });
      return { id, bookedOn, amountCents, said: said ?? [] };
    });
}

/** The complete days of the statements that overlap two days, inclusive: the first and last such day of each. */
export async function wholeDays(
  em: EntityManager,
  from: BusinessDate,
  to: BusinessDate,
): Promise<{ from: BusinessDate; to: BusinessDate }[]> {
  const rows = await em.find(BankStatement, {
    fromDate: { $lte: to },
    wholeUntil: { $gte: from },
    withdrawnAt: null,
  });
  return rows.flatMap(({ fromDate, wholeUntil }) => (wholeUntil === null ? [] : [{ from: fromDate, to: wholeUntil }]));
}

/** The statements that end the day before the first of two days, or begin the day after the second. */
export function statementsBeside(em: EntityManager, from: BusinessDate, to: BusinessDate): Promise<BankStatement[]> {
  const beside = { $or: [{ toDate: addDays(from, -1) }, { fromDate: addDays(to, 1) }] };
  return em.find(BankStatement, { ...beside, withdrawnAt: null });
}

/** Whether a statement of another account has been kept. */
export async function hasOtherAccount(em: EntityManager, accountHash: string): Promise<boolean> {
  return (await em.findOne(BankStatement, { accountHash: { $ne: accountHash }, withdrawnAt: null })) !== null;
}

/** The movements matched with bookings, by booking. */
export async function matchedMovements(
  em: EntityManager,
  lineIds: readonly string[],
): Promise<Map<string, Movement[]>> {
  const rows = await em.find(BankMatch, { bankLineId: { $in: [...lineIds] }, released: false });
  const movements = await movementsOf(
    em,
    rows.map(({ ledgerLineId }) => ledgerLineId),
  );
  return Map.groupBy(movements, ({ bankLineId }) => bankLineId ?? '');
}

/** The counts of matched and unmatched bookings, by statement. */
export async function matchCounts(
  em: EntityManager,
  statementIds: readonly string[],
): Promise<Map<string, { matched: number; open: number; openCents: Cents }>> {
  const rows = await em.execute<{ id: string; matched: string; open: string; cents: string }[]>(
    `select bank_statement_id as id, count(match_rule) as matched, count(*) - count(match_rule) as open,
        coalesce(sum(amount_cents) filter (where match_rule is null), 0) as cents
      from bank_lines where org_id = ? and repeat_of is null and not withdrawn
        and bank_statement_id in (select jsonb_array_elements_text(cast(? as jsonb)))
      group by 1`,
    [organizationOf(em), JSON.stringify(statementIds)],
  );
  return new Map(
    rows.map(({ id, matched, open, cents }) => [
      id,
      { matched: Number(matched), open: Number(open), openCents: Number(cents) },
    ]),
  );
}

/** Matches a booking with movements that sum to its amount. */
export function writeMatch(
  em: EntityManager,
  line: BankLine,
  movements: readonly Pick<Movement, 'id' | 'amountCents'>[],
  { rule, by, at }: { rule: MatchRule; by: string | null; at: Date },
): void {
  Object.assign(line, { matchRule: rule, matchedBy: by, matchedAt: at });
  for (const { id, amountCents } of movements) {
    em.create(BankMatch, { bankLineId: line.id, ledgerLineId: id, amountCents }, { persist: true });
  }
}

/** Undoes a booking's match: the booking and its movements are open again. */
export async function releaseMatch(em: EntityManager, line: BankLine): Promise<void> {
  for (const match of await em.find(BankMatch, { bankLineId: line.id, released: false })) match.released = true;
  Object.assign(line, { matchRule: null, matchedBy: null, matchedAt: null });
  await em.flush();
}
