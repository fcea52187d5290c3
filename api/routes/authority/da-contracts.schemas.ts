// The shapes of delegated-authority contracts on the wire. Contract 3.10.
import { z } from 'zod';
import { DA_CONTRACT_STATUSES } from '../../../domain/authority/authority-contract.ts';
import { LINES_OF_BUSINESS, STATES } from '../../../domain/lines.ts';
import {
  businessText,
  dollars,
  idReference,
  instant,
  lineOfBusiness,
  naics,
  pageQuery,
  pageSchema,
  state,
} from '../../spine/schemas.ts';

const NAICS_MAX = 2_000;

const linesOfBusiness = z.array(lineOfBusiness).max(LINES_OF_BUSINESS.length);
const states = z.array(state).max(STATES.length);
const prefixes = z.array(naics).max(NAICS_MAX).meta({ description: 'NAICS codes or their prefixes.' });
const year = z
  .number()
  .int()
  .min(2000)
  .max(2200)
  .nullable()
  .meta({ description: 'The calendar year of the contract. Null: every year.' });
const status = z.enum(DA_CONTRACT_STATUSES);
const carrierNaicCode = z
  .string()
  .regex(/^[0-9]{5}$/)
  .nullable()
  .meta({ description: 'The number of the carrier at the NAIC, five digits, which certificates print.' });

const limits = {
  carrier: businessText,
  maxPolicyLimit: dollars,
  maxPremium: dollars,
  maxAnnualRevenue: dollars,
  maxAnnualPremiumVolume: dollars,
  linesOfBusiness,
  states,
};

const rest = { year, status, carrierNaicCode, prohibitedNaics: prefixes, referNaics: prefixes };

export const DaContractCreateSchema = z.strictObject({ ...limits, ...z.strictObject(rest).partial().shape }).meta({
  id: 'DaContractCreate',
  description: 'A new contract. By default it covers every year, is active and excludes no class.',
});

export const DaContractChangesSchema = z
  .strictObject({ ...limits, ...rest })
  .partial()
  .meta({ id: 'DaContractChanges' });

export const DaContractSchema = z
  .strictObject({
    id: idReference('daContract'),
    orgId: idReference('organization'),
    carrier: z.string(),
    carrierNaicCode,
    year: z.number().int().nullable(),
    status,
    maxPolicyLimit: dollars,
    maxPremium: dollars,
    maxAnnualRevenue: dollars,
    maxAnnualPremiumVolume: dollars,
    linesOfBusiness: z.array(z.string()),
    states: z.array(z.string()),
    prohibitedNaics: z.array(z.string()),
    referNaics: z.array(z.string()),
    version: z.number().int(),
    createdAt: instant,
    updatedAt: instant,
  })
  .meta({
    id: 'DaContract',
    description: 'The authority that a carrier delegates to the organization: what it may bind on its own.',
  });

export const DaContractPageSchema = pageSchema('DaContract', DaContractSchema);

export const DaContractListQuery = z.strictObject({ ...pageQuery, status: status.optional() });

export type DaContractCreate = z.output<typeof DaContractCreateSchema>;
export type DaContractChanges = z.output<typeof DaContractChangesSchema>;
export type DaContractWire = z.output<typeof DaContractSchema>;
