// The shapes of quotes, readiness and bind on the wire. Spec 2.5, 2.6, Contract 3.1.
import { z } from 'zod';
import { INSTALLMENT_PLANS } from '../../../domain/lines.ts';
import { POLICY_STATUSES } from '../../../domain/policy/policy.ts';
import {
  actorId,
  idReference,
  instant,
  isoDate,
  previewQuery,
  signedDollars,
  totalDollars,
} from '../../spine/schemas.ts';

export const FeeSchema = z.strictObject({ code: z.string(), amount: signedDollars }).meta({ id: 'Fee' });

export const TaxSchema = z
  .strictObject({
    code: z.string(),
    rate: z.number().meta({ description: 'The rate as a fraction, such as 0.0485.' }),
    amount: signedDollars,
  })
  .meta({ id: 'Tax' });

export const DaFlagSchema = z
  .strictObject({
    code: z.string().meta({ examples: ['DA_LIMIT_EXCEEDED'] }),
    severity: z.enum(['block', 'refer', 'info']),
    message: z.string(),
    limit: z
      .union([z.number(), z.string()])
      .nullable()
      .meta({ description: 'The limit of the authority. Money is in dollars.' }),
    actual: z.union([z.number(), z.string()]).nullable().meta({
      description:
        "The actual value of the risk. Money is in dollars. Null where the caller may not know it: producers see neither the organization's premium volume nor the id of another producer's submission.",
    }),
    referralId: idReference('referral').nullable(),
    clearedBy: actorId.nullable(),
    clearedAt: instant.nullable(),
  })
  .meta({ id: 'DaFlag', description: 'A point where a risk reaches or exceeds the delegated authority.' });

export const InstallmentPlanSchema = z.enum(INSTALLMENT_PLANS).meta({ id: 'InstallmentPlan' });

const InstallmentOptionSchema = z
  .strictObject({
    plan: InstallmentPlanSchema,
    schedule: z.array(z.strictObject({ number: z.number().int(), dueDate: isoDate, amount: totalDollars })),
  })
  .meta({ id: 'InstallmentOption' });

const RatingStepSchema = z
  .strictObject({ step: z.string(), factor: z.number(), amount: totalDollars })
  .meta({ id: 'RatingStep', description: 'A step of the rating: its factor, and the premium after it.' });

const QuoteStatusSchema = z.enum(['quoted', 'referred', 'accepted', 'superseded', 'expired']);

const price = {
  submissionId: idReference('submission'),
  version: z.number().int().meta({ description: 'The number of the quote within the submission, starting at 1.' }),
  status: QuoteStatusSchema,
  grossPremium: totalDollars,
  fees: z.array(FeeSchema),
  taxes: z.array(TaxSchema),
  totalDue: totalDollars,
  bindable: z.boolean().meta({ description: 'False while a block flag or refer flag has not been cleared.' }),
  daFlags: z.array(DaFlagSchema),
  conditions: z.array(z.string()).meta({ description: "The conditions of the referral's approval." }),
  ratingWorksheet: z.array(RatingStepSchema),
  installmentOptions: z.array(InstallmentOptionSchema),
  issuedOn: isoDate,
  expiresOn: isoDate.meta({ description: 'The last business date on which the quote can be bound.' }),
  expiresAt: instant.meta({ description: 'The end of the business date in `expiresOn`.' }),
};

export const QuoteSchema = z
  .strictObject({
    id: idReference('quote'),
    orgId: idReference('organization'),
    ...price,
    createdAt: instant,
    updatedAt: instant,
  })
  .meta({ id: 'Quote' });

export const QuotePreviewSchema = z
  .strictObject({ id: z.null(), orgId: idReference('organization'), ...price, preview: z.literal(true) })
  .meta({ id: 'QuotePreview', description: 'The quote as it would be issued now. Nothing is written.' });

export const QuoteQuery = z.strictObject(previewQuery);

export const ReadinessSchema = z
  .strictObject({
    triageScore: z.number().int().min(0).max(100).nullable(),
    band: z.string().nullable(),
    factors: z.array(z.strictObject({ code: z.string(), points: z.number(), max: z.number(), reason: z.string() })),
    bindingReadiness: z.strictObject({
      ready: z.boolean(),
      missing: z.array(z.string()).meta({ description: 'The required fields that are still missing.' }),
      blockers: z.array(z.string()).meta({ description: 'The codes of everything else that prevents a bind.' }),
    }),
  })
  .meta({ id: 'QuoteReadiness' });

export const BindSchema = z
  .strictObject({
    installmentPlan: InstallmentPlanSchema,
    quoteId: idReference('quote').optional().meta({ description: 'The quote to bind. Default: the latest one.' }),
  })
  .meta({ id: 'Bind' });

const InvoiceReferenceSchema = z
  .strictObject({ id: idReference('invoice'), invoiceNumber: z.string(), dueDate: isoDate, total: totalDollars })
  .meta({ id: 'InvoiceReference' });

export const BoundPolicySchema = z
  .strictObject({
    policyId: idReference('policy'),
    policyNumber: z.string(),
    status: z.enum(POLICY_STATUSES),
    submissionId: idReference('submission'),
    quoteId: idReference('quote'),
    effectiveDate: isoDate,
    expirationDate: isoDate,
    grossPremium: totalDollars,
    totalDue: totalDollars,
    installmentPlan: InstallmentPlanSchema,
    invoices: z.array(InvoiceReferenceSchema),
  })
  .meta({ id: 'BoundPolicy' });

export type QuoteWire = z.output<typeof QuoteSchema>;
export type QuotePreviewWire = z.output<typeof QuotePreviewSchema>;
export type ReadinessWire = z.output<typeof ReadinessSchema>;
export type BoundPolicyWire = z.output<typeof BoundPolicySchema>;
export type InvoiceReferenceWire = z.output<typeof InvoiceReferenceSchema>;
