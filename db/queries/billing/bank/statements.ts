// Statements of the bank and their bookings: kept once, listed, and matched with the ledger.
import type { EntityManager, FilterQuery } from '@mikro-orm/postgresql';
import { type Match, type MatchRule, matchesOf } from '../../../../domain/billing/bank/matching.ts';
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
  return em.findOne(BankStatement, { sha256 });
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
  return em.findOne(BankLine, { id });
}

/** Reads a page of bookings, newest first. @throws DomainError validation_failed for a bad cursor */
export function listBankLines(
  em: EntityManager,
  { statementId, isMatched }: { statementId?: string | undefined; isMatched?: boolean | undefined },
  page: PageRequest,
): Promise<Page<BankLine>> {
  const conditions: FilterQuery<BankLine>[] = [];
  if (statementId !== undefined) conditions.push({ bankStatementId: statementId });
  if (isMatched !== undefined) conditions.push({ matchRule: isMatched ? { $ne: null } : null });
  return pageOf(em, BankLine, conditions, page);
}

/** Which of these bookings are kept already. */
export async function knownKeys(em: EntityManager, keys: readonly string[]): Promise<Set<string>> {
  const rows = await em.find(BankLine, { lineKey: { $in: [...keys] } }, { fields: ['lineKey'] });
  return new Set(rows.map(({ lineKey }) => lineKey));
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
      from bank_lines where org_id = ? and bank_statement_id in (select jsonb_array_elements_text(cast(? as jsonb)))
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
  const lines = await em.find(BankLine, { matchRule: null }, { orderBy: { id: 'asc' }, limit: MOST_LINES });
  if (lines.length === 0) return 0;
  const amounts = [...new Set(lines.map(({ amountCents }) => amountCents))];
  const movements = await openMovements(em, amounts, MOST_MOVEMENTS);
  const matches = matchesOf(lines, movements);
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
