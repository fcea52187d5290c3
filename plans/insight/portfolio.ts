// The figures of a portfolio by period and group: those of the daily sums, and what the rows add that these do not know
// yet. Before the sums are built everything is taken from the rows. Sums come from the database; policies whose history
// is more than the statement knows are added by the rules that also return their premium. Contract 3.7 "Analytics",
// domain facts 3.3, Decision 0140.
import type { EntityManager } from '@mikro-orm/postgresql';
import { lossFigures } from '../../db/queries/insight/losses.ts';
import type { Dimension, Grouped } from '../../db/queries/insight/periods.ts';
import { isPortfolioBuilt, portfolioChanges, sightsOf } from '../../db/queries/insight/portfolio-changes.ts';
import { factFigures } from '../../db/queries/insight/portfolio-facts.ts';
import { type InvolvedPolicy, premiumFigures } from '../../db/queries/insight/premium.ts';
import { quoteFigures } from '../../db/queries/insight/quotes.ts';
import type { Sight } from '../../db/queries/insight/seen-rows.ts';
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

/** Known periods, by group. */
interface Question {
  dimension: Dimension;
  periods: readonly Period[];
}

/** Stacks that are read at a time. */
const PAGE = 500;

/**
 * Adds up each period by group. Groups in which nothing happened are missing. Nothing is earned, and nobody counts as
 * in force, ahead of `today`.
 */
export function portfolioGroups(
  em: EntityManager,
  { dimension, periods, today }: { dimension: Dimension; periods: readonly Period[]; today: BusinessDate },
): Promise<PortfolioGroup[]> {
  const question = { dimension, periods: periods.map((period) => knownPeriod(period, today)) };
  return inOneSnapshot(em, async (em) =>
    (await isPortfolioBuilt(em)) ? fromFacts(em, question) : joined(await fromRows(em, question, null)),
  );
}

async function fromFacts(em: EntityManager, question: Question): Promise<PortfolioGroup[]> {
  const [facts, changes] = await Promise.all([
    factFigures(em, question.dimension, question.periods),
    portfolioChanges(em),
  ]);
  if (changes.length === 0) return joined(facts.filter(isInAnswer));
  const { before, after } = await sightsOf(em, changes, changes);
  const added = await fromRows(em, question, after);
  const replaced = (await fromRows(em, question, before)).map(takenBack);
  const historic = new Set([...facts.filter(({ hasHistory }) => hasHistory), ...added].map(idOf));
  return joined([...facts, ...added, ...replaced]).filter(
    (group) => historic.has(idOf(group)) || group.figures.quoteCount > 0,
  );
}

function isInAnswer({ hasHistory, figures }: Awaited<ReturnType<typeof factFigures>>[number]): boolean {
  return hasHistory || figures.quoteCount > 0;
}

async function fromRows(
  em: EntityManager,
  { dimension, periods }: Question,
  sight: Sight | null,
): Promise<Grouped<Partial<PortfolioFigures>>[]> {
  const { figures, involved } = await premiumFigures(em, dimension, periods, sight);
  return [
    ...figures,
    ...(await involvedFigures(em, involved, { periods, hidden: new Set(sight?.hidden) })),
    ...(await lossFigures(em, dimension, periods, sight)),
    ...(await quoteFigures(em, dimension, periods, sight)),
  ];
}

/** Adds up what belongs to the same period and group. */
function joined(all: readonly Grouped<Partial<PortfolioFigures>>[]): PortfolioGroup[] {
  const groups = new Map<string, PortfolioGroup>();
  for (const part of all) {
    const { label, key } = part;
    const group = groups.get(idOf(part)) ?? { label, key, figures: NO_FIGURES };
    groups.set(idOf(part), { label, key, figures: addFigures(group.figures, part.figures) });
  }
  return [...groups.values()];
}

function idOf({ label, key }: Pick<PortfolioGroup, 'label' | 'key'>): string {
  return JSON.stringify([label, key]);
}

function takenBack({ label, key, figures }: Grouped<Partial<PortfolioFigures>>): Grouped<Partial<PortfolioFigures>> {
  const negative = Object.entries(figures).map(([name, value]) => [name, -Number(value)]);
  return { label, key, figures: Object.fromEntries(negative) };
}

async function involvedFigures(
  em: EntityManager,
  policies: readonly InvolvedPolicy[],
  { periods, hidden }: { periods: readonly Period[]; hidden: ReadonlySet<string> },
): Promise<Grouped<Partial<PortfolioFigures>>[]> {
  const groups: Grouped<Partial<PortfolioFigures>>[] = [];
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
