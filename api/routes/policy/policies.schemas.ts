// The shapes of policies and their transactions on the wire. Contract 3.2.
import { z } from 'zod';
import { POLICY_ORDERS } from '../../../db/queries/policy/policies.ts';
import { POLICY_STANDINGS, POLICY_STATUSES } from '../../../domain/policy/policy.ts';
import { TRANSACTION_TYPES } from '../../../domain/policy/transaction.ts';
import {
  actorId,
  businessText,
  dollars,
  emailAddress,
  expandQuery,
  idReference,
  instant,
  isoDate,
  lineOfBusiness,
  pageQuery,
  pageSchema,
  signedDollars,
  sortQuery,
  state,
  totalDollars,
} from '../../spine/schemas.ts';
import { InvoiceSchema } from '../billing/invoices.schemas.ts';
import { changedPhoneNumber } from '../phone-number.ts';
import { DaFlagSchema, FeeSchema, InstallmentPlanSchema, TaxSchema } from '../submission/quotes.schemas.ts';
import { AddressSchema, TriageSchema } from '../submission/submissions.schemas.ts';

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
  .strictObject({ transactionId: idReference('policyTransaction'), effectiveDate: isoDate, changes: FieldsSchema })
  .meta({ id: 'ScheduledChange' });

export const PolicySchema = z
  .strictObject({
    id: idReference('policy'),
    orgId: idReference('organization'),
    policyNumber: z.string().meta({ examples: ['GL-TX-2026-000123'] }),
    status: z.enum(POLICY_STATUSES),
    statuses: z.array(z.enum(POLICY_STANDINGS)).meta({
      description:
        'The status, plus `delinquent` when a balance is past due and `non_renewed` when notice of non-renewal has been given.',
    }),
    submissionId: idReference('submission').nullable(),
    quoteId: idReference('quote').nullable(),
    producerId: idReference('producer').nullable(),
    insuredId: idReference('insured'),
    insuredName: z.string(),
    insuredEmail: z.string().nullable(),
    insuredPhone: z.string().nullable(),
    contact: z
      .strictObject({ email: z.string().nullable(), phone: z.string().nullable(), undeliverable: z.boolean() })
      .meta({
        id: 'InsuredContact',
        description:
          "`undeliverable`: the organization's e-mail to this address bounced or drew a complaint, so no more is sent. PATCH the policy with a new address, or with the same one once it accepts mail again.",
      }),
    insuredAddress: AddressSchema.nullable(),
    contactAddress: AddressSchema.nullable().meta({
      description: 'The mailing address that the insured gave in the portal. It is not a term of the policy.',
    }),
    naicsCode: z.string(),
    state: z.string(),
    lineOfBusiness: z.string(),
    limit: dollars.meta({ description: 'The limit for each occurrence, in dollars.' }),
    aggregateLimit: dollars.meta({ description: 'The limit for all occurrences of the term, in dollars.' }),
    deductible: dollars.meta({ description: 'The deductible, in dollars.' }),
    annualRevenue: dollars.meta({ description: 'The annual revenue (gross receipts) used for rating, in dollars.' }),
    effectiveDate: isoDate,
    expirationDate: isoDate.meta({
      description: 'The day on which the term ends. Coverage ends at the start of this day.',
    }),
    grossPremium: totalDollars.meta({
      description: 'The written premium of the term, net of all transactions, in dollars.',
    }),
    fees: z.array(FeeSchema),
    taxes: z.array(TaxSchema),
    totalDue: totalDollars.meta({ description: 'Premium, fees and taxes of the term, in dollars.' }),
    unbilledAmount: totalDollars.meta({
      description:
        'The unbilled amount, in dollars: what the policy owes on void invoices that have not been reissued.',
    }),
    claims: z
      .strictObject({ open: z.number().int(), incurred: signedDollars })
      .meta({ description: 'Claims that are not closed; incurred by all of them, in dollars.' }),
    installmentPlan: InstallmentPlanSchema,
    additionalInsureds: z.array(AdditionalInsuredSchema),
    conditions: z.array(z.string()).meta({
      description:
        'The conditions of the approvals of the term. The binder, the declarations and endorsements show them.',
    }),
    usdotNumber: z.string().nullable(),
    renewalOf: z.string().nullable(),
    renewalPolicyId: idReference('policy').nullable(),
    cancellation: CancellationSchema.nullable(),
    nonRenewal: NonRenewalSchema.nullable(),
    scheduledChanges: z.array(ScheduledChangeSchema).meta({
      description:
        'Endorsements that take effect on a later day, in date order. The terms above do not include them yet.',
    }),
    boundAt: instant,
    version: z.number().int(),
    createdAt: instant,
    updatedAt: instant,
  })
  .meta({ id: 'Policy' });

export const PolicyPageSchema = pageSchema('Policy', PolicySchema);

export const PolicyListQuery = z.strictObject({
  ...pageQuery,
  sort: sortQuery('Policy', POLICY_ORDERS),
  status: z.enum(POLICY_STANDINGS).optional().meta({
    description: 'The status, or one of the derived `statuses`: `delinquent` or `non_renewed`.',
  }),
  producerId: idReference('producer').optional(),
  lineOfBusiness: lineOfBusiness.optional(),
  state: state.optional(),
  insuredName: businessText.optional().meta({ description: "Any part of the insured's name." }),
  q: businessText.optional().meta({ description: "Any part of the policy number or of the insured's name." }),
  effectiveFrom: isoDate.optional(),
  effectiveTo: isoDate.optional(),
  expiringFrom: isoDate.optional(),
  expiringTo: isoDate.optional(),
});

/** A policy with its invoices, for `expand=invoices`. */
export const PolicyDetailSchema = z
  .strictObject({
    ...PolicySchema.shape,
    invoices: z
      .array(InvoiceSchema)
      .nullable()
      .optional()
      .meta({ description: 'By due date; only with `expand=invoices`. It is null when you may not read them.' }),
  })
  .meta({ id: 'PolicyDetail' });

export const PolicyDetailQuery = z.strictObject({
  ...expandQuery('`invoices` adds the invoices of the policy.', 'invoices'),
  asOf: isoDate.optional().meta({
    description:
      'Shows terms and status as of this date. Amounts of money remain those of the whole term. Default: today.',
  }),
});

export const PolicyContactSchema = z
  .strictObject({ insuredEmail: emailAddress.optional(), insuredPhone: changedPhoneNumber.optional() })
  .meta({ id: 'PolicyContact', description: 'The contact on file.' });

const ChangedInvoiceSchema = z
  .strictObject({
    id: idReference('invoice')
      .nullable()
      .meta({ description: 'The id of the invoice. It is null in a preview for an invoice that does not exist yet.' }),
    invoiceNumber: z.string().nullable(),
    dueDate: isoDate,
    total: totalDollars.meta({
      description: 'The total after the transaction, in dollars. A void invoice keeps its total.',
    }),
    change: signedDollars.meta({
      description: 'The change in what the invoice bills, in dollars. It is negative for a reduction.',
    }),
  })
  .meta({ id: 'ChangedInvoice', description: 'An invoice that a transaction creates or changes.' });

const CreditSchema = z
  .strictObject({
    invoiceId: idReference('invoice'),
    kind: z
      .enum(['reduced', 'refunded'])
      .meta({ description: '`reduced`: less to pay. `refunded`: money goes back to the payer.' }),
    amount: signedDollars,
    parts: z
      .strictObject({ premium: signedDollars, fee: signedDollars, tax: signedDollars, stampingFee: signedDollars })
      .nullable()
      .meta({
        description: 'The amount by part, in dollars. It is null for credits issued before parts were recorded.',
      }),
  })
  .meta({ id: 'TransactionCredit', description: 'The amount that a transaction takes off an invoice.' });

export const PolicyTransactionSchema = z
  .strictObject({
    id: idReference('policyTransaction'),
    orgId: idReference('organization'),
    policyId: idReference('policy'),
    reverses: idReference('policyTransaction')
      .nullable()
      .meta({ description: 'The id of the endorsement that this transaction voids.' }),
    documentId: idReference('document').nullable().meta({
      description:
        'The declarations, endorsement page or notice of this transaction. It is printed within seconds; until then `GET /documents/:id` returns 404. Null for a type without a document.',
    }),
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
    grossPremiumAfter: totalDollars,
    invoices: z.array(ChangedInvoiceSchema),
    credits: z.array(CreditSchema),
    reapplied: z.array(
      z.strictObject({ transactionId: idReference('policyTransaction'), premiumChange: signedDollars }),
    ),
    daFlags: z.array(DaFlagSchema),
    triage: TriageSchema.optional().meta({
      description:
        'Only for a renewal: the triage of the next term, with the losses known from claims. It is for information only.',
    }),
    actor: z.strictObject({ kind: z.string(), id: actorId, role: z.string() }).meta({ id: 'ActorReference' }),
    before: FieldsSchema.nullable().meta({ description: 'The changed fields before the transaction.' }),
    after: FieldsSchema.nullable().meta({ description: 'The changed fields after the transaction.' }),
    createdAt: instant,
    updatedAt: instant,
  })
  .meta({ id: 'PolicyTransaction' });

export const TimelineSchema = pageSchema('PolicyTransaction', PolicyTransactionSchema);

export type PolicyWire = z.output<typeof PolicySchema>;
export type ChangedInvoiceWire = z.output<typeof ChangedInvoiceSchema>;
export type CreditWire = z.output<typeof CreditSchema>;
export type PolicyTransactionWire = z.output<typeof PolicyTransactionSchema>;
