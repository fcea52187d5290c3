// Statements of the bank and their bookings: kept once, listed, and matched with the ledger.
import type { EntityManager, FilterQuery } from '@mikro-orm/postgresql';
import { type Match, type MatchRule, matchesOf } from '../../../../domain/billing/bank/matching.ts';
import type { KeptLine } from '../../../../domain/billing/bank/new-lines.ts';
import type { BusinessDate } from '../../../../domain/dates.ts';
import type { Cents } from '../../../../domain/money.ts';
import { BankLine } from '../../../entities/billing/bank-line.ts';
import { BankMatch } from '../../../entities/billing/bank-match.ts';
import { BankStatement } from '../../../entities/billing/bank-statement.ts';
import { organizationOf } from '../../../scope.ts';
import { type Page, type PageRequest, pageOf } from '../../pages.ts';
import { type Movement, movementsOf, openMovements } from './movements.ts';

/** Bookings, and movements for them, that one round of matching looks at: the oldest first. */
const MOST_LINES = 5_000;
const MOST_MOVEMENTS = 20_000;

/** Waits for every other upload and match of the organization: a movement is matched once. */
export async function lockBankLines(em: EntityManager): Promise<void> {
  await em.execute('select pg_advisory_xact_lock(hashtextextended(?, 0))', [`bank lines:${organizationOf(em)}`]);
}

/** Reads the statement that a file was kept as, or null. */
export function statementOfFile(em: EntityManager, sha256: string): Promise<BankStatement | null> {
  return em.findOne(BankStatement, { sha256, withdrawnAt: null });
}

/** Reads a statement, or null. */
export function findStatement(em: EntityManager, id: string): Promise<BankStatement | null> {
  return em.findOne(BankStatement, { id });
}

/** Reads a page of statements, newest first. @throws DomainError validation_failed for a bad cursor */
export function listStatements(em: EntityManager, page: PageRequest): Promise<Page<BankStatement>> {
  return pageOf(em, BankStatement, [], page);
}

/** Reads a booking, or null. */
export function findBankLine(em: EntityManager, id: string): Promise<BankLine | null> {
  return em.findOne(BankLine, { id, withdrawn: false });
}

/** Reads a page of bookings, newest first. @throws DomainError validation_failed for a bad cursor */
export function listBankLines(
  em: EntityManager,
  { statementId, isMatched }: { statementId?: string | undefined; isMatched?: boolean | undefined },
  page: PageRequest,
): Promise<Page<BankLine>> {
  const conditions: FilterQuery<BankLine>[] = [{ withdrawn: false }];
  if (statementId !== undefined) conditions.push({ bankStatementId: statementId });
  if (isMatched !== undefined) conditions.push({ matchRule: isMatched ? { $ne: null } : null });
  return pageOf(em, BankLine, conditions, page);
}

/** The bookings between two days, those included, with the formats that they came in. */
export async function keptLines(em: EntityManager, from: BusinessDate, to: BusinessDate): Promise<KeptLine[]> {
  const rows = await em.find(BankLine, { bookedOn: { $gte: from, $lte: to }, withdrawn: false });
  const ids = [...new Set(rows.map(({ bankStatementId }) => bankStatementId))];
  const statements = await em.find(BankStatement, { id: { $in: ids } });
  const formats = new Map(statements.map(({ id, format }) => [id, format]));
  return rows.map(({ bankStatementId, bookedOn, amountCents, reference, description, bankId }) => ({
    ...{ bookedOn, amountCents, reference, description, bankId },
    format: formats.get(bankStatementId) ?? 'csv',
  }));
}

/** Whether a statement of another account has been kept. */
export async function hasOtherAccount(em: EntityManager, accountHash: string): Promise<boolean> {
  return (await em.findOne(BankStatement, { accountHash: { $ne: accountHash }, withdrawnAt: null })) !== null;
}

/** Takes a statement and its bookings out of everything, and their matches back. The caller holds `lockBankLines`. */
export async function withdrawStatement(
  em: EntityManager,
  row: BankStatement,
  { by, at }: { by: string; at: Date },
): Promise<void> {
  Object.assign(row, { withdrawnBy: by, withdrawnAt: at });
  const lines = await em.find(BankLine, { bankStatementId: row.id });
  const ids = lines.map(({ id }) => id);
  for (const match of await em.find(BankMatch, { bankLineId: { $in: ids }, released: false })) match.released = true;
  for (const line of lines) {
    Object.assign(line, { matchRule: null, matchedBy: null, matchedAt: null, withdrawn: true });
  }
  await em.flush();
}

/** What is matched with bookings, by booking. */
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

/** The bookings of statements that are matched, and those that are not, by statement. */
export async function matchCounts(
  em: EntityManager,
  statementIds: readonly string[],
): Promise<Map<string, { matched: number; open: number; openCents: Cents }>> {
  const rows = await em.execute<{ id: string; matched: string; open: string; cents: string }[]>(
    `select bank_statement_id as id, count(match_rule) as matched, count(*) - count(match_rule) as open,
        coalesce(sum(amount_cents) filter (where match_rule is null), 0) as cents
      from bank_lines where org_id = ? and not withdrawn
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

/** Matches what belongs together beyond doubt. The caller holds `lockBankLines`. Answers how many bookings it was. */
export async function matchOpenLines(em: EntityManager, at: Date): Promise<number> {
  const lines = await em.find(
    BankLine,
    { matchRule: null, withdrawn: false },
    { orderBy: { id: 'asc' }, limit: MOST_LINES },
  );
  if (lines.length === 0) return 0;
  const amounts = [...new Set(lines.map(({ amountCents }) => amountCents))];
  const movements = await openMovements(em, amounts, MOST_MOVEMENTS);
  const ids = lines.map(({ id }) => id);
  const released = await em.find(BankMatch, { bankLineId: { $in: ids }, released: true });
  const takenBack = new Set(released.map(({ bankLineId, ledgerLineId }) => `${bankLineId} ${ledgerLineId}`));
  const matches = matchesOf(lines, movements).filter(
    ({ lineId, movementId }) => !takenBack.has(`${lineId} ${movementId}`),
  );
  const byId = new Map(lines.map((line) => [line.id, line]));
  for (const match of matches) matchByRule(em, byId.get(match.lineId), match, at);
  await em.flush();
  return matches.length;
}

function matchByRule(em: EntityManager, line: BankLine | undefined, { movementId, rule }: Match, at: Date): void {
  if (line === undefined) return;
  writeMatch(em, line, [{ id: movementId, amountCents: line.amountCents }], { rule, by: null, at });
}

/** Matches a booking with movements, whose sum is its amount. */
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

/** Takes the match of a booking back: booking and movements are open again. */
export async function releaseMatch(em: EntityManager, line: BankLine): Promise<void> {
  for (const match of await em.find(BankMatch, { bankLineId: line.id, released: false })) match.released = true;
  Object.assign(line, { matchRule: null, matchedBy: null, matchedAt: null });
  await em.flush();
}
