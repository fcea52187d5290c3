// The shapes of analytics on the wire, with the definition of each figure. Contract 3.7 "Analytics", domain facts 3.3.
import { z } from 'zod';
import { AGING } from '../../../db/queries/insight/receivables.ts';
import { idReference, isoDate, signedDollars } from '../../spine/schemas.ts';

const count = z.number().int().min(0);
const fraction = z.number().nullable();
const described = <T extends z.ZodType>(schema: T, description: string) => schema.meta({ description });

const PortfolioFiguresSchema = {
  grossWrittenPremium: described(
    signedDollars,
    'Premium of the transactions booked in the period: new and renewal business, endorsements, audits, and returns of cancellations. Without fees and taxes. A transaction is booked on its issue date, a scheduled cancellation on the day it takes effect.',
  ),
  inForcePremium: described(signedDollars, 'Annualized premium of the policies in force on the last day.'),
  earnedPremium: described(
    signedDollars,
    'Premium earned in the period: premium × elapsed days / days of coverage, by the beginning of the last day. A late booking is earned up to that day immediately.',
  ),
  unearnedPremium: described(signedDollars, 'Premium booked by the end of the period and not earned by then.'),
  incurredLosses: described(
    signedDollars,
    'Paid losses and expenses, plus the change in outstanding reserves, less recoveries, by booking date.',
  ),
  paidLosses: described(signedDollars, 'Losses and expenses paid in the period, less recoveries.'),
  lossRatio: described(fraction, 'Incurred losses / earned premium. It is null if nothing is earned.'),
  paidLossRatio: described(fraction, 'Paid losses / earned premium. It is null if nothing is earned.'),
  bindingCount: described(count, 'Terms bound in the period: new business and renewals.'),
  quoteCount: described(count, 'Submissions quoted in the period.'),
  hitRatio: described(
    fraction,
    'The share of the quoted submissions that were bound by the end of the period. It is null if none was quoted.',
  ),
  policyCount: described(count, 'Policies in force on the last day.'),
};

export const FIGURE_COLUMNS = Object.keys(PortfolioFiguresSchema);

/** The organization and days that a response covers. */
const scope = {
  orgId: idReference('organization'),
  from: described(isoDate, 'The first day of the period.'),
  to: described(isoDate, 'The last day of the period. Nothing ahead of today is counted.'),
};

export const GROUPINGS = ['line', 'state', 'producer', 'month'] as const;

export const PortfolioSchema = z
  .strictObject({
    ...scope,
    ...PortfolioFiguresSchema,
    groupBy: z.enum(GROUPINGS).optional(),
    groups: z
      .array(
        z
          .strictObject({
            key: described(
              z.string().nullable(),
              'Null for amounts that belong to no group, such as policies without a producer.',
            ),
            ...PortfolioFiguresSchema,
          })
          .meta({ id: 'PortfolioGroup' }),
      )
      .optional(),
  })
  .meta({ id: 'Portfolio' });

export const CommissionSummarySchema = z
  .strictObject({
    ...scope,
    period: z.enum(['month', 'quarter']),
    data: z.array(
      z
        .strictObject({
          period: z.string().meta({ examples: ['2026-03', '2026-Q1'] }),
          grossPremium: signedDollars,
          agentCommission: signedDollars,
          mgaCommission: signedDollars,
          carrierNet: signedDollars,
          count: described(count, 'The number of records, including reversals.'),
        })
        .meta({ id: 'CommissionOfPeriod' }),
    ),
  })
  .meta({ id: 'CommissionSummary' });

export const DaUtilizationSchema = z
  .strictObject({
    data: z.array(
      z
        .strictObject({
          contractId: idReference('daContract'),
          carrier: z.string(),
          year: z.number().int(),
          limit: described(signedDollars, 'Premium volume that the contract allows in the year.'),
          used: described(signedDollars, 'Written premium of the policies that begin in the year, net of returns.'),
          utilization: described(fraction, 'A fraction of the limit.'),
          status: described(z.string(), 'The status of the contract.'),
        })
        .meta({ id: 'ContractUtilization' }),
    ),
  })
  .meta({ id: 'DaUtilization' });

export const LossTriangleSchema = z
  .strictObject({
    orgId: idReference('organization'),
    asOf: isoDate,
    data: z.array(
      z
        .strictObject({
          accidentYear: described(z.number().int(), 'The calendar year of the loss.'),
          developments: z.array(
            z
              .strictObject({
                months: described(count, 'Months from the start of the accident year to a year end.'),
                isOpen: described(
                  z.boolean(),
                  'True for the latest figure of each accident year: its calendar year has not ended, so it covers losses up to today.',
                ),
                incurred: described(signedDollars, 'Incurred losses by then; while it is open, by today.'),
                paid: described(signedDollars, 'Paid losses by then, less recoveries.'),
              })
              .meta({ id: 'LossDevelopment' }),
          ),
        })
        .meta({ id: 'AccidentYear' }),
    ),
  })
  .meta({ id: 'LossTriangle' });

export const ReceivablesSchema = z
  .strictObject({
    orgId: idReference('organization'),
    asOf: isoDate,
    total: described(signedDollars, 'The total balance of all invoices that are not void, uncollectible or paid.'),
    data: z.array(
      z
        .strictObject({
          bucket: z.enum(AGING.map(({ bucket }) => bucket)).meta({ description: 'Days past the due date.' }),
          count: described(count, 'Invoices.'),
          balance: signedDollars,
        })
        .meta({ id: 'AgedBalance' }),
    ),
  })
  .meta({ id: 'Receivables' });

export const RetentionSchema = z
  .strictObject({
    ...scope,
    expiringCount: described(count, 'Terms that ran to their end in the period.'),
    renewedCount: described(count, 'Of these, the terms that were renewed.'),
    retention: described(fraction, 'Renewed / expiring terms. It is null if none expired.'),
    expiringPremium: signedDollars,
    retainedPremium: described(signedDollars, 'Premium of the expiring terms that were renewed.'),
    premiumRetention: described(fraction, 'Retained / expiring premium. It is null if none expired.'),
    renewalPremium: described(signedDollars, 'The initial premium of the renewal terms.'),
  })
  .meta({ id: 'Retention' });
