// The shapes of commission schedules on the wire: rates are decimal texts. Contract 3.4 "Commission record", 3.10.
import { z } from 'zod';
import { leavesCarrierItsPart, SHARES_MAX } from '../../../domain/billing/commission.ts';
import {
  actorId,
  dollars,
  idReference,
  instant,
  isoDate,
  lineOfBusiness,
  pageQuery,
  pageSchema,
} from '../../spine/schemas.ts';

const TIERS_MAX = 20;

/** A share of premium as decimal text, 0 to 1. */
export const commissionShare = z
  .string()
  .regex(/^(0(\.\d{1,8})?|1(\.0{1,8})?)$/, {
    error: 'A share must be a decimal from 0 to 1, such as "0.125".',
    abort: true,
  })
  .meta({ description: 'Share of gross premium, as decimal text.', examples: ['0.125'] });

/** The message that shares leave the carrier too little. */
export function sharesAbove(what: string): string {
  return `${what} must be at most ${SHARES_MAX}: the carrier keeps at least half of the premium.`;
}

const CommissionTierSchema = z
  .strictObject({
    tier: z.number().int().min(1).max(TIERS_MAX),
    max: dollars.nullable().meta({
      description: "The producer's 12-month premium, in dollars, up to which the tier applies. Null: no limit.",
    }),
    agentRate: commissionShare,
  })
  .meta({ id: 'CommissionTier' });

const CommissionRatesSchema = z
  .strictObject({ tiers: z.array(CommissionTierSchema).min(1).max(TIERS_MAX), mgaRate: commissionShare })
  .superRefine(({ tiers, mgaRate }, context) => {
    const addIssue = (index: number, name: string, message: string, rule = 'format') =>
      context.addIssue({ code: 'custom', path: ['tiers', index, name], message, params: { rule } });
    if (!leavesCarrierItsPart('0', mgaRate)) {
      const params = { rule: 'max' };
      context.addIssue({ code: 'custom', path: ['mgaRate'], message: sharesAbove('mgaRate'), params });
    }
    for (const [index, { tier, max, agentRate }] of tiers.entries()) {
      const before = tiers[index - 1];
      const isLast = index === tiers.length - 1;
      if (before && tier <= before.tier) {
        addIssue(index, 'tier', `tier must be above ${before.tier}, the number of the tier before it.`);
      }
      if (isLast && max !== null) addIssue(index, 'max', 'max must be null in the last tier, which has no maximum.');
      if (!isLast && max === null) addIssue(index, 'max', 'max can be null only in the last tier.');
      if (before && before.max !== null && max !== null && max <= before.max) {
        addIssue(index, 'max', `max must be above ${before.max}, the maximum of the tier before it.`);
      }
      if (leavesCarrierItsPart('0', mgaRate) && !leavesCarrierItsPart(agentRate, mgaRate)) {
        addIssue(index, 'agentRate', sharesAbove(`agentRate and mgaRate (${mgaRate}) together`), 'max');
      }
    }
  })
  .meta({ id: 'CommissionRates' });

export const CommissionScheduleSchema = z
  .strictObject({
    id: idReference('commissionSchedule'),
    orgId: idReference('organization'),
    lineOfBusiness: z.string(),
    effectiveFrom: isoDate,
    schedule: CommissionRatesSchema,
    createdBy: actorId,
    createdAt: instant,
    updatedAt: instant,
  })
  .meta({
    id: 'CommissionSchedule',
    description: 'How the premium of a line of business is shared, starting on a date.',
  });

export const CommissionSchedulePageSchema = pageSchema('CommissionSchedule', CommissionScheduleSchema);

export const CommissionScheduleListQuery = z.strictObject({
  ...pageQuery,
  lineOfBusiness: lineOfBusiness.optional(),
  asOf: isoDate.optional().meta({ description: 'The schedules in force on this date. Default: today.' }),
});

export const CommissionScheduleWriteSchema = z
  .strictObject({
    lineOfBusiness,
    effectiveFrom: isoDate
      .optional()
      .meta({ description: 'The first day on which the version applies. Default: today.' }),
    schedule: CommissionRatesSchema,
  })
  .meta({ id: 'CommissionScheduleWrite' });

export type CommissionScheduleWire = z.output<typeof CommissionScheduleSchema>;
export type CommissionRatesWire = z.output<typeof CommissionRatesSchema>;
