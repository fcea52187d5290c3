// The portfolio of one organization over a period, whole or by group. Contract 3.7 "Analytics".
import { z } from 'zod';
import { validationError } from '../../../domain/errors.ts';
import { addFigures, monthsOf, NO_FIGURES } from '../../../domain/insight/portfolio.ts';
import { type PortfolioGroup, portfolioGroups } from '../../../plans/insight/portfolio.ts';
import { allow } from '../../spine/access.ts';
import { csvReply, prefersCsv } from '../../spine/csv.ts';
import { route } from '../../spine/route.ts';
import { organizationId } from '../../spine/schemas.ts';
import { FIGURE_COLUMNS, GROUPINGS, PortfolioSchema } from './analytics.schemas.ts';
import { figuresToWire } from './analytics.wire.ts';
import { periodOf, periodQuery } from './period.ts';

const MONTHS_MAX = 60;
const WHOLE = 'whole';

const portfolio = route({
  method: 'get',
  path: '/analytics/:orgId/portfolio',
  operationId: 'readPortfolio',
  tag: 'Analytics',
  spec: '4.13, Contract 3.7',
  summary: 'Read premium, losses and counts of the portfolio',
  description:
    'Transactions count by their issue date. With `groupBy` the response has the same figures for each line, state, producer or month; the period then has at most 60 months. With `Accept: text/csv` the response is a table: one row, or one for each group.',
  access: allow('analytics:read'),
  params: z.strictObject({ orgId: organizationId }),
  query: z.strictObject({ ...periodQuery, groupBy: z.enum(GROUPINGS).optional() }),
  response: { status: 200, body: PortfolioSchema, csv: true },
  errors: [],
  handler: async ({ query: { groupBy, ...given }, org, db, headers }) => {
    const days = periodOf(given, org.today);
    const whole = { label: WHOLE, first: days.from, last: days.to };
    const months = groupBy === 'month' ? monthsOf(days.from, days.to) : [];
    if (months.length > MONTHS_MAX) {
      throw validationError('from', 'min', `A period by month can have at most ${MONTHS_MAX} months.`, {
        max: MONTHS_MAX,
      });
    }
    const dimension = groupBy === undefined || groupBy === 'month' ? 'none' : groupBy;
    const found = await db.read((em) =>
      portfolioGroups(em, { dimension, periods: [whole, ...months], today: org.today }),
    );
    const ofWhole = found.filter(({ label }) => label === WHOLE);
    const figures = ofWhole.map((group) => group.figures).reduce(addFigures, NO_FIGURES);
    const answer = { orgId: org.id, ...days, ...figuresToWire(figures) };
    const keys = months.map(({ label }) => label);
    const groups = groupBy === 'month' ? byMonth(found, keys) : ofWhole.map(groupToWire).sort(byKey);
    if (prefersCsv(headers)) {
      return groupBy === undefined
        ? csvReply(['orgId', 'from', 'to', ...FIGURE_COLUMNS], [answer])
        : csvReply(['key', ...FIGURE_COLUMNS], groups);
    }
    return groupBy === undefined ? answer : { ...answer, groupBy, groups };
  },
});

export const portfolioRoutes = [portfolio];

function groupToWire({ key, figures }: Pick<PortfolioGroup, 'key' | 'figures'>) {
  return { key, ...figuresToWire(figures) };
}

/** Months without activity are included. */
function byMonth(found: readonly PortfolioGroup[], labels: readonly string[]) {
  return labels.map((label) => {
    const figures = found.find((group) => group.label === label)?.figures ?? NO_FIGURES;
    return groupToWire({ key: label, figures });
  });
}

/** By key; rows without a group come last. */
function byKey(one: { key: string | null }, other: { key: string | null }): number {
  if (one.key === null || other.key === null) return Number(one.key === null) - Number(other.key === null);
  return one.key < other.key ? -1 : 1;
}
