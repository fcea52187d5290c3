// The shapes of the policyholder portal: the staff's, cut down. An insured sees no producer, submission or quote, no
// reserves, and none of a claim's text. Contract 3.7 "Portal".
import { z } from 'zod';
import { INVOICE_STATUSES } from '../../../domain/billing/invoice.ts';
import { CLAIM_STATUSES } from '../../../domain/claim/claim.ts';
import { POLICY_STATUSES } from '../../../domain/policy/policy.ts';
import { INSURED_KINDS } from '../../../domain/portal/documents.ts';
import {
  businessText,
  dollars,
  idReference,
  instant,
  isoDate,
  longText,
  pageQuery,
  pageSchema,
} from '../../spine/schemas.ts';
import { InvoiceSchema } from '../billing/invoices.schemas.ts';
import { PaymentSchema } from '../billing/payments.schemas.ts';
import { ClaimCreateSchema, ClaimSchema } from '../claim/claims.schemas.ts';
import { DocumentSchema } from '../document/documents.schemas.ts';
import { PolicySchema } from '../policy/policies.schemas.ts';

export const PortalPolicySchema = z
  .strictObject({
    ...PolicySchema.omit({ submissionId: true, quoteId: true, producerId: true, claims: true }).shape,
    openClaims: z.int().meta({ description: 'How many claims on the policy are not closed.' }),
  })
  .meta({ id: 'PortalPolicy', description: 'A policy as its insured sees it.' });

export const PortalPolicyPageSchema = pageSchema('PortalPolicy', PortalPolicySchema);

export const PortalPolicyListQuery = z.strictObject({ ...pageQuery, status: z.enum(POLICY_STATUSES).optional() });

const PortalPaymentSchema = PaymentSchema.pick({
  id: true,
  kind: true,
  amount: true,
  reference: true,
  method: true,
  status: true,
  receivedDate: true,
  receivedAt: true,
}).meta({ id: 'PortalPayment' });

export const PortalInvoiceSchema = z
  .strictObject({
    ...InvoiceSchema.shape,
    payments: z.array(PortalPaymentSchema).meta({ description: 'Money received, and money that went back.' }),
  })
  .meta({ id: 'PortalInvoice', description: 'An invoice as the insured sees it.' });

export const PortalInvoicePageSchema = pageSchema('PortalInvoice', PortalInvoiceSchema);

export const PortalInvoiceListQuery = z.strictObject({
  ...pageQuery,
  status: z.enum(INVOICE_STATUSES).optional(),
  policyId: idReference('policy').optional(),
});

export const PortalClaimSchema = z
  .strictObject({
    ...ClaimSchema.pick({
      id: true,
      orgId: true,
      claimNumber: true,
      status: true,
      policyId: true,
      policyNumber: true,
      insuredName: true,
      state: true,
      lineOfBusiness: true,
      lossDate: true,
      reportedDate: true,
      acknowledgedOn: true,
      decidedOn: true,
      closedAt: true,
      version: true,
      createdAt: true,
      updatedAt: true,
    }).shape,
    deductible: dollars.nullable().meta({ description: 'The deductible on the day of the loss, in dollars.' }),
  })
  .meta({ id: 'PortalClaim', description: 'The status of a claim, without its texts, amounts and reserves.' });

export const PortalClaimPageSchema = pageSchema('PortalClaim', PortalClaimSchema);

export const PortalClaimListQuery = z.strictObject({
  ...pageQuery,
  status: z.enum(CLAIM_STATUSES).optional(),
  policyId: idReference('policy').optional(),
});

export const PortalNoticeSchema = z
  .strictObject({
    policyId: idReference('policy')
      .optional()
      .meta({ description: "One of the insured's own terms. Default: that of the token." }),
    lossDate: isoDate.meta({ description: 'The day of the loss. It must not be after today.' }),
    description: longText.meta({ description: 'What happened.' }),
    cause: businessText.optional().meta({ description: 'The cause of loss.' }),
    lossLocation: businessText.optional().meta({ description: 'Where the loss happened.' }),
    claimant: ClaimCreateSchema.shape.claimant,
    estimatedAmount: dollars.optional().meta({ description: 'A first estimate of the loss, in dollars.' }),
    containsPhi: z.boolean().default(false).meta({
      description: 'True when the texts hold health information: they are then hidden from most roles.',
    }),
  })
  .meta({ id: 'PortalNotice', description: 'A first notice of loss by the insured.' });

const PortalDocumentSchema = DocumentSchema.omit({ createdBy: true, templateVersion: true }).meta({
  id: 'PortalDocument',
});

export const PortalDocumentPageSchema = pageSchema('PortalDocument', PortalDocumentSchema);

export const PortalDocumentListQuery = z.strictObject({ ...pageQuery, kind: z.enum(INSURED_KINDS).optional() });

export const PortalDownloadSchema = z
  .strictObject({ url: z.string().meta({ description: 'It needs no credential.' }), expiresAt: instant })
  .meta({ id: 'PortalDownload' });

const NextPaymentSchema = z
  .strictObject({
    invoiceId: idReference('invoice'),
    invoiceNumber: z.string(),
    policyId: idReference('policy'),
    dueDate: isoDate,
    amount: dollars.meta({ description: 'The balance still to be paid, in dollars.' }),
  })
  .meta({ id: 'NextPayment' });

export const PortalHomeSchema = z
  .strictObject({
    policies: z.array(PortalPolicySchema).meta({ description: 'Every term of the insured, newest first.' }),
    openInvoices: z.array(PortalInvoiceSchema).meta({ description: 'Invoices with a balance, by due date.' }),
    nextPayment: NextPaymentSchema.nullable().meta({
      description: 'The next payment due; null when nothing is due, or a bank is still deciding on a dispute about it.',
    }),
    openClaims: z.array(PortalClaimSchema).meta({ description: 'Claims that are not closed, newest first.' }),
    documents: z.array(PortalDocumentSchema).meta({ description: 'Newest first.' }),
  })
  .meta({ id: 'PortalHome' });

export type PortalPolicyWire = z.output<typeof PortalPolicySchema>;
export type PortalInvoiceWire = z.output<typeof PortalInvoiceSchema>;
export type PortalClaimWire = z.output<typeof PortalClaimSchema>;
export type PortalDocumentWire = z.output<typeof PortalDocumentSchema>;
export type PortalHomeWire = z.output<typeof PortalHomeSchema>;
export type PortalNotice = z.output<typeof PortalNoticeSchema>;
