// The shapes of policies and their transactions on the wire. Contract 3.2.
import { z } from 'zod';
import { POLICY_STATUSES } from '../../../domain/policy/policy.ts';
import { TRANSACTION_TYPES } from '../../../domain/policy/transaction.ts';
import {
  businessText,
  emailAddress,
  idReference,
  instant,
  isoDate,
  lineOfBusiness,
  pageOf,
  pageQuery,
  signedDollars,
  state,
} from '../../spine/schemas.ts';
import { DaFlagSchema, FeeSchema, InstallmentPlanSchema, TaxSchema } from '../submission/quotes.schemas.ts';
import { AddressSchema } from '../submission/submissions.schemas.ts';

const AdditionalInsuredSchema = z
  .looseObject({ name: z.string() })
  .meta({ id: 'AdditionalInsured', description: 'Another party that the policy covers.' });

const CancellationSchema = z
  .strictObject({ effectiveDate: isoDate, reason: z.string(), method: z.string(), source: z.string() })
  .meta({ id: 'Cancellation' });

const NonRenewalSchema = z
  .strictObject({ reason: z.string(), noticeDate: isoDate })
  .meta({ id: 'NonRenewal', description: 'The notice that the policy will not be renewed.' });

const FieldsSchema = z.record(z.string(), z.unknown());

const ScheduledChangeSchema = z
  .strictObject({ transactionId: z.string(), effectiveDate: isoDate, changes: FieldsSchema })
  .meta({ id: 'ScheduledChange' });

export const PolicySchema = z
  .strictObject({
    id: z.string(),
    orgId: z.string(),
    policyNumber: z.string().meta({ examples: ['GL-TX-2026-000123'] }),
    status: z.enum(POLICY_STATUSES),
    statuses: z
      .array(z.enum([...POLICY_STATUSES, 'delinquent', 'non_renewed']))
      .meta({ description: 'The status and what else is true of the policy.' }),
    submissionId: z.string().nullable(),
    quoteId: z.string().nullable(),
    producerId: z.string().nullable(),
    insuredId: z.string(),
    insuredName: z.string(),
    insuredEmail: z.string().nullable(),
    insuredPhone: z.string().nullable(),
    insuredAddress: AddressSchema.nullable(),
    naicsCode: z.string(),
    state: z.string(),
    lineOfBusiness: z.string(),
    limit: z.number().meta({ description: 'For each occurrence, in dollars.' }),
    aggregateLimit: z.number(),
    deductible: z.number(),
    annualRevenue: z.number(),
    effectiveDate: isoDate,
    expirationDate: isoDate.meta({ description: 'Coverage ends as this day begins.' }),
    grossPremium: z.number().meta({ description: 'Written premium of the term, net of all transactions.' }),
    fees: z.array(FeeSchema),
    taxes: z.array(TaxSchema),
    totalDue: z.number(),
    unbilledAmount: z
      .number()
      .meta({ description: 'What the policy owes and no invoice bills: void and not issued again.' }),
    installmentPlan: InstallmentPlanSchema,
    additionalInsureds: z.array(AdditionalInsuredSchema),
    usdotNumber: z.string().nullable(),
    renewalOf: z.string().nullable(),
    renewalPolicyId: z.string().nullable(),
    cancellation: CancellationSchema.nullable(),
    nonRenewal: NonRenewalSchema.nullable(),
    scheduledChanges: z.array(ScheduledChangeSchema).meta({
      description: 'Endorsements of a later day, by that day. The terms above are without them.',
    }),
    boundAt: instant,
    version: z.number().int(),
    createdAt: instant,
    updatedAt: instant,
  })
  .meta({ id: 'Policy' });

export const PolicyPageSchema = pageOf('Policy', PolicySchema);

export const PolicyListQuery = z.strictObject({
  ...pageQuery,
  status: z.enum(POLICY_STATUSES).optional(),
  producerId: idReference('producer').optional(),
  lineOfBusiness: lineOfBusiness.optional(),
  state: state.optional(),
  insuredName: businessText.optional().meta({ description: "Part of the insured's name." }),
  q: businessText.optional().meta({ description: "Part of the policy number or the insured's name." }),
  effectiveFrom: isoDate.optional(),
  effectiveTo: isoDate.optional(),
  expiringFrom: isoDate.optional(),
  expiringTo: isoDate.optional(),
});

export const PolicyDetailQuery = z.strictObject({
  asOf: isoDate.optional().meta({
    description: 'Terms and status of this date; amounts of money stay those of the whole term. Default: today.',
  }),
});

export const PolicyContactSchema = z
  .strictObject({ insuredEmail: emailAddress.optional(), insuredPhone: businessText.optional() })
  .meta({ id: 'PolicyContact', description: 'The contact on file.' });

const ChangedInvoiceSchema = z
  .strictObject({
    id: z.string().nullable().meta({ description: 'Null in a preview, for an invoice that is not yet made.' }),
    invoiceNumber: z.string().nullable(),
    dueDate: isoDate,
    total: z.number().meta({ description: 'As the transaction leaves it; a void invoice keeps its total.' }),
    change: signedDollars.meta({ description: 'By how much more, or less, the invoice claims.' }),
  })
  .meta({ id: 'ChangedInvoice', description: 'An invoice that a transaction makes or changes.' });

const CreditSchema = z
  .strictObject({
    invoiceId: z.string(),
    kind: z.enum(['reduced', 'refunded']).meta({ description: 'Less to pay, or money returned.' }),
    amount: signedDollars,
    parts: z
      .strictObject({ premium: z.number(), fee: z.number(), tax: z.number(), stampingFee: z.number() })
      .nullable()
      .meta({ description: 'The amount by part; null for a credit that predates parts.' }),
  })
  .meta({ id: 'TransactionCredit', description: 'What a transaction takes off an invoice.' });

export const PolicyTransactionSchema = z
  .strictObject({
    id: z.string(),
    orgId: z.string(),
    policyId: z.string(),
    reverses: z.string().nullable().meta({ description: 'The endorsement that this one voids.' }),
    type: z.enum(TRANSACTION_TYPES),
    status: z.enum(['scheduled', 'issued', 'reversed']),
    effectiveDate: isoDate,
    issuedAt: instant,
    reason: z.string().nullable(),
    changes: FieldsSchema,
    premiumChange: signedDollars,
    feeChange: signedDollars,
    taxChange: signedDollars,
    totalChange: signedDollars,
    grossPremiumAfter: z.number(),
    invoices: z.array(ChangedInvoiceSchema),
    credits: z.array(CreditSchema),
    reapplied: z.array(z.strictObject({ transactionId: z.string(), premiumChange: signedDollars })),
    daFlags: z.array(DaFlagSchema),
    actor: z.strictObject({ kind: z.string(), id: z.string(), role: z.string() }).meta({ id: 'ActorReference' }),
    before: FieldsSchema.nullable().meta({ description: 'The changed fields as they were.' }),
    after: FieldsSchema.nullable().meta({ description: 'The changed fields as they are since.' }),
    createdAt: instant,
    updatedAt: instant,
  })
  .meta({ id: 'PolicyTransaction' });

export const TimelineSchema = pageOf('PolicyTransaction', PolicyTransactionSchema);

export type PolicyWire = z.output<typeof PolicySchema>;
export type ChangedInvoiceWire = z.output<typeof ChangedInvoiceSchema>;
export type CreditWire = z.output<typeof CreditSchema>;
export type PolicyTransactionWire = z.output<typeof PolicyTransactionSchema>;
