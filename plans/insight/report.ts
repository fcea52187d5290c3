// The portfolio on one page: twelve months of premium and losses, amounts owed, and contract usage. Its figures equal
// the same day's analytics. Contract 3.7 "Analytics", Decision 0124.
import { readFileSync } from 'node:fs';
import type { EntityManager } from '@mikro-orm/postgresql';
import { contractUse } from '../../db/queries/insight/da-utilization.ts';
import { agedBalances } from '../../db/queries/insight/receivables.ts';
import { findOrganization } from '../../db/queries/platform/organizations.ts';
import { organizationOf } from '../../db/scope.ts';
import { type BusinessDate, firstDayOf, monthAfter, monthOf, yearOf } from '../../domain/dates.ts';
import { barChart, lineChart, percent, shareChart, shortDollars } from '../../domain/insight/charts.ts';
import { fractionOf, monthsOf, NO_FIGURES, type PortfolioFigures } from '../../domain/insight/portfolio.ts';
import { sumCents, toDollars } from '../../domain/money.ts';
import { portfolioGroups } from './portfolio.ts';

const MONTHS = 12;
const WHOLE = 'whole';
/** From here on, a contract is near its limit. Contract 3.7 "Delegated authority" */
const LIMIT_NEAR = 0.85;
/** The page has room for this many contracts, the most used. */
const MOST_CONTRACTS = 6;

/** The page's template. */
export const REPORT_TEMPLATE = readFileSync(new URL('./report.liquid', import.meta.url), 'utf8');

/** The page's content, with its charts. The last month runs until today. */
export async function reportFacts(em: EntityManager, today: BusinessDate) {
  const from = firstDayOf(monthAfter(monthOf(today), 1 - MONTHS));
  const months = monthsOf(from, today);
  const periods = [{ label: WHOLE, first: from, last: today }, ...months];
  const groups = await portfolioGroups(em, { dimension: 'none', periods, today });
  const figuresOf = (label: string) => groups.find((group) => group.label === label)?.figures ?? NO_FIGURES;
  const organization = await findOrganization(em, organizationOf(em));
  return {
    ...{ organization: organization?.name ?? '', from, to: today, tiles: tilesOf(figuresOf(WHOLE)) },
    charts: [
      ...premiumCharts(
        months.map(({ label }) => label.slice(2).replace('-', '/')),
        months.map(({ label }) => figuresOf(label)),
      ),
      agingChart(await agedBalances(em, today)),
      useChart(await contractUse(em, { presentYear: yearOf(today), year: yearOf(today) })),
    ],
  };
}

function tilesOf(figures: PortfolioFigures) {
  const { writtenCents, earnedCents, incurredCents, quoteCount, quotedAndBound, policyCount, inForceCents } = figures;
  const [lossRatio, hitRatio] = [fractionOf(incurredCents, earnedCents), fractionOf(quotedAndBound, quoteCount)];
  const money = (cents: number) => shortDollars(toDollars(cents));
  return [
    { name: 'Written premium', value: money(writtenCents), note: 'gross' },
    { name: 'Earned premium', value: money(earnedCents), note: 'pro rata' },
    { name: 'Loss ratio', value: shareText(lossRatio), note: `${money(incurredCents)} incurred` },
    { name: 'Hit ratio', value: shareText(hitRatio), note: `${quotedAndBound} of ${quoteCount} quoted` },
    { name: 'In force', value: String(policyCount), note: `${money(inForceCents)} a year` },
  ];
}

function premiumCharts(labels: string[], figures: readonly PortfolioFigures[]) {
  const written = { name: 'Written', values: figures.map(({ writtenCents }) => toDollars(writtenCents)) };
  const earned = { name: 'Earned', values: figures.map(({ earnedCents }) => toDollars(earnedCents)) };
  const ratios = figures.map(({ incurredCents, earnedCents }) => fractionOf(incurredCents, earnedCents));
  const [premium, losses] = ['Premium by month', 'Loss ratio by month'];
  const isKnown = ratios.some((each) => each !== null);
  return [
    { title: premium, svg: barChart(premium, labels, [written, earned], shortDollars), note: 'In dollars.' },
    {
      ...{ title: losses, svg: isKnown ? lineChart(losses, labels, ratios, percent) : null },
      ...{ none: 'No premium has been earned.', note: "Each month's incurred losses divided by its earned premium." },
    },
  ];
}

function agingChart(aged: Awaited<ReturnType<typeof agedBalances>>) {
  const title = 'Receivables by age';
  const total = toDollars(sumCents(aged.map(({ balanceCents }) => balanceCents)));
  const labels = aged.map(({ bucket }) => (bucket === 'over_90' ? 'over 90' : bucket));
  const balances = { name: 'Balance', values: aged.map(({ balanceCents }) => toDollars(balanceCents)) };
  const note = `Days past due; ${shortDollars(total)} in all.`;
  return {
    title,
    svg: total === 0 ? null : barChart(title, labels, [balances], shortDollars),
    none: 'Nothing is owed.',
    note,
  };
}

function useChart(uses: Awaited<ReturnType<typeof contractUse>>) {
  const title = 'Delegated authority in use';
  const shares = uses
    .map(({ carrier, limitCents, usedCents }) => ({ label: carrier, value: fractionOf(usedCents, limitCents) ?? 0 }))
    .toSorted((one, other) => other.value - one.value);
  const shown = shares.slice(0, MOST_CONTRACTS);
  const more = shares.length - shown.length;
  const note = `Written premium on this year's policies, as a share of the limit.${more > 0 ? ` ${more} more contracts are less used.` : ''}`;
  return {
    title,
    svg: shown.length > 0 ? shareChart(title, shown, LIMIT_NEAR) : null,
    none: 'There is no contract.',
    note,
  };
}

function shareText(share: number | null): string {
  return share === null ? '—' : `${(share * 100).toFixed(1)}%`;
}
