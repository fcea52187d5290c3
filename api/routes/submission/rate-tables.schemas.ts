// The shapes of rate tables on the wire: rates and factors are decimal texts, so that they stay exact. Contract 3.10.
import { z } from 'zod';
import { APPETITES } from '../../../domain/submission/rating.ts';
import { actorId, dollars, idReference, instant, isoDate, lineOfBusiness, state } from '../../spine/schemas.ts';

const ROWS_MAX = 2_000;

const factor = z
  .string()
  .regex(/^\d{1,6}(\.\d{1,8})?$/, 'A factor must be a decimal, such as "1.25".')
  .meta({ id: 'DecimalText', description: 'A decimal number as text, so that it stays exact.', examples: ['1.25'] });

const StateFactorsSchema = z
  .partialRecord(state, factor)
  .meta({ id: 'StateFactors', description: 'The factor by state. States that are not listed have the default.' });

const ClassRateSchema = z
  .strictObject({
    naicsPrefix: z.string().regex(/^\d{2,6}$/, 'A NAICS prefix must have 2 to 6 digits.'),
    rate: factor.meta({ description: 'The rate in dollars per 1,000 dollars of revenue.' }),
    appetite: z.enum(APPETITES),
  })
  .meta({ id: 'ClassRate' });

const RatesSchema = z
  .strictObject({
    base: z.strictObject({
      unit: z.literal('per_thousand_revenue'),
      classRates: z.array(ClassRateSchema).max(ROWS_MAX),
      defaultRate: factor,
    }),
    stateFactors: StateFactorsSchema,
    defaultStateFactor: factor,
    limitFactors: z
      .array(z.strictObject({ limit: dollars, factor }))
      .min(1)
      .max(ROWS_MAX),
    deductibleFactors: z
      .array(z.strictObject({ deductible: dollars, factor }))
      .min(1)
      .max(ROWS_MAX),
    lossFactors: z.strictObject({ unknown: factor, '0': factor, '1': factor, '2': factor, '3+': factor }),
    minimumPremium: dollars,
    policyFee: dollars,
  })
  .meta({ id: 'Rates', description: 'The factors from which a premium is computed.' });

export const RateTableSchema = z
  .strictObject({
    id: idReference('rateTable'),
    orgId: idReference('organization'),
    lineOfBusiness: z.string(),
    effectiveFrom: isoDate,
    table: RatesSchema,
    createdBy: actorId,
    createdAt: instant,
    updatedAt: instant,
  })
  .meta({ id: 'RateTable', description: 'The rates of a line of business, starting on a date.' });

export const RateTableWriteSchema = z
  .strictObject({
    effectiveFrom: isoDate
      .optional()
      .meta({ description: 'The first day on which the version applies. Default: today.' }),
    table: RatesSchema,
  })
  .meta({ id: 'RateTableWrite' });

export const RateTableParams = z.strictObject({ lineOfBusiness });

export const RateTableQuery = z.strictObject({
  asOf: isoDate.optional().meta({ description: 'The table in force on this date. Default: today.' }),
});

export type RatesWire = z.output<typeof RatesSchema>;
export type RateTableWire = z.output<typeof RateTableSchema>;
