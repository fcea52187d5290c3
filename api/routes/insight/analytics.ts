// Analytics: figures of one organization that tie out with its transactions, ledgers and invoices. Contract 3.7
// "Analytics".
import { z } from 'zod';
import { type CommissionSum, commissionSums } from '../../../db/queries/insight/commissions.ts';
import { contractUse } from '../../../db/queries/insight/da-utilization.ts';
import { yearsOfLoss } from '../../../db/queries/insight/loss-triangle.ts';
import { agedBalances } from '../../../db/queries/insight/receivables.ts';
import { retentionOf } from '../../../db/queries/insight/retention.ts';
import { minDate, yearOf } from '../../../domain/dates.ts';
import { lossTriangle } from '../../../domain/insight/loss-triangle.ts';
import { fractionOf } from '../../../domain/insight/portfolio.ts';
import { sumCents, toDollars } from '../../../domain/money.ts';
import { allow } from '../../spine/access.ts';
import { csvReply, prefersCsv } from '../../spine/csv.ts';
import { route } from '../../spine/route.ts';
import { organizationId, queryInteger } from '../../spine/schemas.ts';
import {
  CommissionSummarySchema,
  DaUtilizationSchema,
  LossTriangleSchema,
  ReceivablesSchema,
  RetentionSchema,
} from './analytics.schemas.ts';
import { periodOf, periodQuery } from './period.ts';
import { portfolioRoutes } from './portfolio.ts';
import { reportRoutes } from './report.ts';

const TAG = 'Analytics';
const SPEC = '4.13, Contract 3.7';
const params = z.strictObject({ orgId: organizationId });
const CSV = 'With `Accept: text/csv`, the response is the same data as CSV.';

const commissions = route({
  method: 'get',
  path: '/analytics/:orgId/commissions',
  operationId: 'summarizeCommissions',
  tag: TAG,
  spec: SPEC,
  summary: 'Total commission by month or quarter',
  description: `Commission counts by the business date of its record. ${CSV}`,
  access: allow('analytics:read'),
  params,
  query: z.strictObject({ ...periodQuery, period: z.enum(['month', 'quarter']).default('month') }),
  response: { status: 200, body: CommissionSummarySchema, csv: true },
  errors: [],
  handler: async ({ query: { period, ...given }, org, db, headers }) => {
    const days = periodOf(given, org.today);
    const data = (await db.read((em) => commissionSums(em, { period, ...days }))).map(commissionToWire);
    const columns = ['period', 'grossPremium', 'agentCommission', 'mgaCommission', 'carrierNet', 'count'];
    return prefersCsv(headers) ? csvReply(columns, data) : { orgId: org.id, ...days, period, data };
  },
});

const daUtilization = route({
  method: 'get',
  path: '/analytics/:orgId/da-utilization',
  operationId: 'readDaUtilization',
  tag: TAG,
  spec: SPEC,
  summary: 'Read how much of each delegated-authority contract is used',
  description: `One row for each contract and calendar year. ${CSV}`,
  access: allow('analytics:read'),
  params,
  query: z.strictObject({ year: queryInteger({ min: 1900, max: 2999 }).optional() }),
  response: { status: 200, body: DaUtilizationSchema, csv: true },
  errors: [],
  handler: async ({ query: { year }, org, db, headers }) => {
    const presentYear = yearOf(org.today);
    const uses = await db.read((em) => contractUse(em, { presentYear, year: year ?? null }));
    const data = uses.map(({ limitCents, usedCents, ...use }) => ({
      ...use,
      limit: toDollars(limitCents),
      used: toDollars(usedCents),
      utilization: fractionOf(usedCents, limitCents),
    }));
    const columns = ['contractId', 'carrier', 'year', 'limit', 'used', 'utilization', 'status'];
    return prefersCsv(headers) ? csvReply(columns, data) : { data };
  },
});

const triangle = route({
  method: 'get',
  path: '/analytics/:orgId/loss-triangle',
  operationId: 'readLossTriangle',
  tag: TAG,
  spec: SPEC,
  summary: 'Read how the losses of each accident year have developed',
  description: `Cumulative, from year end to year end. The latest figure of each accident year is open: its calendar year has not ended, so it can still change before the year end. ${CSV}`,
  access: allow('analytics:read'),
  params,
  response: { status: 200, body: LossTriangleSchema, csv: true },
  errors: [],
  handler: async ({ org, db, headers }) => {
    const years = lossTriangle(await db.read(yearsOfLoss), yearOf(org.today));
    const data = years.map(({ accidentYear, developments }) => ({
      accidentYear,
      developments: developments.map(({ months, isOpen, incurredCents, paidCents }) => ({
        ...{ months, isOpen, incurred: toDollars(incurredCents), paid: toDollars(paidCents) },
      })),
    }));
    if (!prefersCsv(headers)) return { orgId: org.id, asOf: org.today, data };
    const rows = data.flatMap(({ accidentYear, developments }) =>
      developments.map((development) => ({ accidentYear, ...development })),
    );
    return csvReply(['accidentYear', 'months', 'isOpen', 'incurred', 'paid'], rows);
  },
});

const receivables = route({
  method: 'get',
  path: '/analytics/:orgId/receivables',
  operationId: 'readReceivables',
  tag: TAG,
  spec: SPEC,
  summary: 'Read receivables by age',
  description: `Adds up what is still owed on invoices, by the days since their due date. ${CSV}`,
  access: allow('receivables:read'),
  params,
  response: { status: 200, body: ReceivablesSchema, csv: true },
  errors: [],
  handler: async ({ org, db, headers }) => {
    const aged = await db.read((em) => agedBalances(em, org.today));
    const total = toDollars(sumCents(aged.map(({ balanceCents }) => balanceCents)));
    const data = aged.map(({ bucket, count, balanceCents }) => ({ bucket, count, balance: toDollars(balanceCents) }));
    return prefersCsv(headers)
      ? csvReply(['bucket', 'count', 'balance'], data)
      : { orgId: org.id, asOf: org.today, total, data };
  },
});

const retention = route({
  method: 'get',
  path: '/analytics/:orgId/retention',
  operationId: 'readRetention',
  tag: TAG,
  spec: SPEC,
  summary: 'Read how many expiring terms were renewed',
  description: `Terms count by their expiration date. ${CSV}`,
  access: allow('analytics:read'),
  params,
  query: z.strictObject(periodQuery),
  response: { status: 200, body: RetentionSchema, csv: true },
  errors: [],
  handler: async ({ query, org, db, headers }) => {
    const days = periodOf(query, org.today);
    const kept = await db.read((em) => retentionOf(em, { ...days, to: minDate(days.to, org.today) }));
    const { expiringCount, renewedCount, expiringPremiumCents, retainedPremiumCents } = kept;
    const answer = {
      ...{ orgId: org.id, ...days, expiringCount, renewedCount },
      retention: fractionOf(renewedCount, expiringCount),
      expiringPremium: toDollars(expiringPremiumCents),
      retainedPremium: toDollars(retainedPremiumCents),
      premiumRetention: fractionOf(retainedPremiumCents, expiringPremiumCents),
      renewalPremium: toDollars(kept.renewalPremiumCents),
    };
    return prefersCsv(headers) ? csvReply(Object.keys(answer), [answer]) : answer;
  },
});

export const analyticsRoutes = [
  ...portfolioRoutes,
  ...reportRoutes,
  commissions,
  daUtilization,
  triangle,
  receivables,
  retention,
];

function commissionToWire(sum: CommissionSum) {
  const { period, grossPremiumCents, agentCommissionCents, mgaCommissionCents, carrierNetCents, count } = sum;
  return {
    period,
    grossPremium: toDollars(grossPremiumCents),
    agentCommission: toDollars(agentCommissionCents),
    mgaCommission: toDollars(mgaCommissionCents),
    carrierNet: toDollars(carrierNetCents),
    count,
  };
}
