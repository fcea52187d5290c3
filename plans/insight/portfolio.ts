// A portfolio's figures by period and group: the daily sums, plus rows that these do not include yet. Until the sums
// are built, everything is read from the rows. The database sums; policies whose history is too complex for the
// statement are added by the rules that also compute return premium. Contract 3.7 "Analytics", domain facts 3.3,
// Decision 0140.
import type { EntityManager } from '@mikro-orm/postgresql';
import { lossFigures } from '../../db/queries/insight/losses.ts';
import type { Dimension, Grouped } from '../../db/queries/insight/periods.ts';
import { firstChanges, isPortfolioBuilt, planForMany, sightsOf } from '../../db/queries/insight/portfolio-changes.ts';
import { factFigures, type GroupPresence } from '../../db/queries/insight/portfolio-facts.ts';
import { type InvolvedPolicy, premiumFigures } from '../../db/queries/insight/premium.ts';
import { quoteFigures } from '../../db/queries/insight/quotes.ts';
import type { SeenEntities } from '../../db/queries/insight/seen-rows.ts';
import { stacksOf } from '../../db/queries/insight/stacks.ts';
import { inOneSnapshot } from '../../db/snapshot.ts';
import type { BusinessDate } from '../../domain/dates.ts';
import {
  addFigures,
  knownPeriod,
  NO_FIGURES,
  type Period,
  type PortfolioFigures,
  premiumOf,
} from '../../domain/insight/portfolio.ts';

/** The figures of one period and one group. */
export type PortfolioGroup = Grouped<PortfolioFigures>;

/** A part of a group's figures, and a group while its parts are added up. */
type Part = Grouped<Partial<PortfolioFigures & GroupPresence>>;
type CountedGroup = Grouped<PortfolioFigures & GroupPresence>;

/** Known periods, by group. */
interface Question {
  dimension: Dimension;
  periods: readonly Period[];
}

/** The most changes added to the sums per query; beyond that, the rows answer until the sums catch up. */
const MOST_ADDED = 20_000;
/** Stacks read at a time. */
const PAGE = 500;

/**
 * Adds up each period by group. Groups without activity are omitted. Nothing is earned, and no policy counts as in
 * force, after `today`.
 */
export function portfolioGroups(
  em: EntityManager,
  { dimension, periods, today }: { dimension: Dimension; periods: readonly Period[]; today: BusinessDate },
): Promise<PortfolioGroup[]> {
  const question = { dimension, periods: periods.map((period) => knownPeriod(period, today)) };
  return inOneSnapshot(em, async (em) =>
    (await isPortfolioBuilt(em))
      ? fromFacts(em, question)
      : withoutPresence(joined(await fromRows(em, question, null))),
  );
}

async function fromFacts(em: EntityManager, question: Question): Promise<PortfolioGroup[]> {
  const [facts, changes] = await Promise.all([
    factFigures(em, question.dimension, question.periods),
    firstChanges(em, MOST_ADDED + 1),
  ]);
  if (changes.length > MOST_ADDED) return withoutPresence(joined(await fromRows(em, question, null)));
  const parts: Part[] = [...facts];
  if (changes.length > 0) {
    await planForMany(em, changes.length);
    const { before, after } = await sightsOf(em, changes);
    parts.push(...(await fromRows(em, question, after)), ...(await fromRows(em, question, before)).map(takenBack));
  }
  return withoutPresence(joined(parts).filter(isInAnswer));
}

/** Rows that moved elsewhere may leave an empty group: no term, no claim entry, no quote. */
function isInAnswer({ figures: { termCount, entryCount, quoteCount } }: CountedGroup): boolean {
  return termCount > 0 || entryCount > 0 || quoteCount > 0;
}

function withoutPresence(groups: readonly CountedGroup[]): PortfolioGroup[] {
  return groups.map(({ figures: { termCount, entryCount, ...figures }, ...group }) => ({ ...group, figures }));
}

async function fromRows(
  em: EntityManager,
  { dimension, periods }: Question,
  sight: SeenEntities | null,
): Promise<Part[]> {
  const { figures, involved } = await premiumFigures(em, dimension, periods, sight);
  return [
    ...figures,
    ...(await involvedFigures(em, involved, { periods, hidden: new Set(sight?.hidden) })),
    ...(await lossFigures(em, dimension, periods, sight)),
    ...(await quoteFigures(em, dimension, periods, sight)),
  ];
}

/** Adds up the parts of the same period and group. */
function joined(all: readonly Part[]): CountedGroup[] {
  const groups = new Map<string, CountedGroup>();
  for (const part of all) {
    const { label, key } = part;
    const { figures } = groups.get(idOf(part)) ?? { figures: { ...NO_FIGURES, termCount: 0, entryCount: 0 } };
    groups.set(idOf(part), { label, key, figures: addFigures(figures, part.figures) });
  }
  return [...groups.values()];
}

function idOf({ label, key }: Part): string {
  return JSON.stringify([label, key]);
}

function takenBack({ label, key, figures }: Part): Part {
  const negative = Object.entries(figures).map(([name, value]) => [name, 0 - Number(value)]);
  return { label, key, figures: Object.fromEntries(negative) };
}

async function involvedFigures(
  em: EntityManager,
  policies: readonly InvolvedPolicy[],
  { periods, hidden }: { periods: readonly Period[]; hidden: ReadonlySet<string> },
): Promise<Part[]> {
  const groups: Part[] = [];
  for (let start = 0; start < policies.length; start += PAGE) {
    const page = policies.slice(start, start + PAGE);
    const ids = page.map(({ policyId }) => policyId);
    const stacks = await stacksOf(em, ids, hidden);
    for (const { policyId, key, ...term } of page) {
      const stack = stacks.get(policyId) ?? [];
      for (const period of periods) groups.push({ label: period.label, key, figures: premiumOf(stack, term, period) });
    }
  }
  return groups;
}
