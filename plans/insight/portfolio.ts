// The figures of a portfolio by period and group. Sums come from the database; policies whose history is more than the
// statement knows are added by the rules that also return their premium. Contract 3.7 "Analytics", domain facts 3.3.
import type { EntityManager } from '@mikro-orm/postgresql';
import { PolicyTransaction } from '../../db/entities/policy/policy-transaction.ts';
import { lossFigures } from '../../db/queries/insight/losses.ts';
import type { Dimension, Grouped } from '../../db/queries/insight/periods.ts';
import { type InvolvedPolicy, premiumFigures } from '../../db/queries/insight/premium.ts';
import { quoteFigures } from '../../db/queries/insight/quotes.ts';
import type { BusinessDate } from '../../domain/dates.ts';
import {
  addFigures,
  knownPeriod,
  NO_FIGURES,
  type Period,
  type PortfolioFigures,
  premiumOf,
} from '../../domain/insight/portfolio.ts';
import type { StackedTransaction } from '../../domain/policy/stack.ts';

/** The figures of one period and one group. */
export type PortfolioGroup = Grouped<PortfolioFigures>;

/** Stacks that are read at a time. */
const PAGE = 500;

/**
 * Adds up each period by group. Groups in which nothing happened are missing. Nothing is earned, and nobody counts as
 * in force, ahead of `today`.
 */
export async function portfolioGroups(
  em: EntityManager,
  { dimension, periods, today }: { dimension: Dimension; periods: readonly Period[]; today: BusinessDate },
): Promise<PortfolioGroup[]> {
  const known = periods.map((period) => knownPeriod(period, today));
  const { figures, involved } = await premiumFigures(em, dimension, known);
  const all: Grouped<Partial<PortfolioFigures>>[] = [
    ...figures,
    ...(await involvedFigures(em, involved, known)),
    ...(await lossFigures(em, dimension, known)),
    ...(await quoteFigures(em, dimension, known)),
  ];
  const groups = new Map<string, PortfolioGroup>();
  for (const { label, key, figures: added } of all) {
    const id = JSON.stringify([label, key]);
    const group = groups.get(id) ?? { label, key, figures: NO_FIGURES };
    groups.set(id, { ...group, figures: addFigures(group.figures, added) });
  }
  return [...groups.values()];
}

async function involvedFigures(
  em: EntityManager,
  policies: readonly InvolvedPolicy[],
  periods: readonly Period[],
): Promise<Grouped<Partial<PortfolioFigures>>[]> {
  const groups: Grouped<Partial<PortfolioFigures>>[] = [];
  for (let start = 0; start < policies.length; start += PAGE) {
    const page = policies.slice(start, start + PAGE);
    const stacks = await stacksOf(em, page);
    for (const { policyId, key, ...term } of page) {
      const stack = stacks.get(policyId) ?? [];
      for (const period of periods) groups.push({ label: period.label, key, figures: premiumOf(stack, term, period) });
    }
  }
  return groups;
}

async function stacksOf(
  em: EntityManager,
  policies: readonly InvolvedPolicy[],
): Promise<Map<string, StackedTransaction[]>> {
  const ids = policies.map(({ policyId }) => policyId);
  const rows = await em.find(PolicyTransaction, { policyId: { $in: ids } }, { orderBy: { sequence: 'asc' } });
  return Map.groupBy(rows, ({ policyId }) => policyId) as unknown as Map<string, StackedTransaction[]>;
}
