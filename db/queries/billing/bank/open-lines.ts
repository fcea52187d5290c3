// Matches every open booking that clearly belongs to a movement. Bookings of one amount are compared with all movements
// of that amount, so they are processed in rounds of amounts. Decision 0175.
import type { EntityManager } from '@mikro-orm/postgresql';
import {
  type Match,
  matchesOf,
  NAMED_WITHIN_DAYS,
  namesInLine,
  withoutMisnamed,
} from '../../../../domain/billing/bank/matching.ts';
import { addDays, type BusinessDate } from '../../../../domain/dates.ts';
import type { Cents } from '../../../../domain/money.ts';
import { BankLine } from '../../../entities/billing/bank-line.ts';
import { BankMatch } from '../../../entities/billing/bank-match.ts';
import { organizationOf } from '../../../scope.ts';
import { movementsNamed, openMovements } from './movements.ts';
import { writeMatch } from './statements.ts';

/** Bookings per round, and so per amount; an amount with more is left to a person. */
const MOST_LINES = 5_000;
/** Movements per amount; an amount with more is left to a person. */
const MOST_MOVEMENTS = 20_000;

/** Matches what clearly belongs together. The caller holds `lockBankLines`. Returns the number of bookings matched. */
export async function matchOpenLines(em: EntityManager, at: Date): Promise<number> {
  let count = 0;
  for (const amounts of roundsOf(await openAmounts(em))) count += await matchRound(em, amounts, at);
  return count;
}

interface OpenAmount {
  amountCents: Cents;
  count: number;
}

async function openAmounts(em: EntityManager): Promise<OpenAmount[]> {
  const rows = await em.execute<{ cents: string; count: string }[]>(
    `select amount_cents as cents, count(*) as count from bank_lines
      where org_id = ? and match_rule is null and repeat_of is null and not withdrawn
      group by 1 having count(*) <= ? order by 1`,
    [organizationOf(em), MOST_LINES],
  );
  return rows.map(({ cents, count }) => ({ amountCents: Number(cents), count: Number(count) }));
}

/** Whole amounts, as many as a round takes. */
function roundsOf(amounts: readonly OpenAmount[]): Cents[][] {
  const rounds: Cents[][] = [];
  let room = 0;
  for (const { amountCents, count } of amounts) {
    if (count > room) {
      rounds.push([]);
      room = MOST_LINES;
    }
    rounds.at(-1)?.push(amountCents);
    room -= count;
  }
  return rounds;
}

async function matchRound(em: EntityManager, amounts: readonly Cents[], at: Date): Promise<number> {
  const open = { matchRule: null, repeatOf: null, withdrawn: false };
  const lines = await em.find(BankLine, { ...open, amountCents: { $in: [...amounts] } }, { orderBy: { id: 'asc' } });
  const days = lines.map(({ bookedOn }) => bookedOn).sort();
  const [first, last] = [days[0], days.at(-1)];
  if (first === undefined || last === undefined) return 0;
  const within = { from: addDays(first, -NAMED_WITHIN_DAYS), to: addDays(last, NAMED_WITHIN_DAYS) };
  const movements = await openMovements(em, { amounts, ...within, mostOfAmount: MOST_MOVEMENTS });
  const ids = lines.map(({ id }) => id);
  const released = await em.find(BankMatch, { bankLineId: { $in: ids }, released: true });
  const takenBack = new Set(released.map(({ bankLineId, ledgerLineId }) => `${bankLineId} ${ledgerLineId}`));
  const found = matchesOf(lines, movements).filter(
    ({ lineId, movementId }) => !takenBack.has(`${lineId} ${movementId}`),
  );
  const byId = new Map(lines.map((line) => [line.id, line]));
  const matches = withoutMisnamed(found, byId, await namedBy(em, found, byId, within));
  for (const match of matches) matchByRule(em, byId.get(match.lineId), match, at);
  await em.flush();
  return matches.length;
}

/** The movements, of any amount, named by the bookings that were matched by amount. */
function namedBy(
  em: EntityManager,
  matches: readonly Match[],
  lines: ReadonlyMap<string, BankLine>,
  within: { from: BusinessDate; to: BusinessDate },
) {
  const names = matches.flatMap(({ lineId, rule }) => {
    const line = rule === 'amount' ? lines.get(lineId) : undefined;
    return line === undefined ? [] : namesInLine(line);
  });
  return movementsNamed(em, { names: [...new Set(names)], ...within });
}

function matchByRule(em: EntityManager, line: BankLine | undefined, { movementId, rule }: Match, at: Date): void {
  if (line === undefined) return;
  writeMatch(em, line, [{ id: movementId, amountCents: line.amountCents }], { rule, by: null, at });
}
