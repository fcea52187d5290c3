// The catalogue of events: what each says, the shape of its `data`, and an example. A shape may gain fields but never
// lose any. Spec 6.1, Contract 3.6.
import { z } from 'zod';
import { AUTOPAY_STATUSES, SUSPENSION_REASONS } from '../../domain/billing/autopay.ts';
import { EVENT_TYPES, type EventType } from '../../domain/events.ts';
import { INSTALLMENT_PLANS } from '../../domain/lines.ts';
import { idReference, instant, isoDate, signedDollars } from '../spine/schemas.ts';

interface Entry {
  summary: string;
  data: z.ZodType;
  /** An example of `data`. */
  example: Record<string, unknown>;
}

const invoiceId = idReference('invoice');
const policyId = idReference('policy');
const transactionId = idReference('policyTransaction');
const money = signedDollars;

const policy = { policyId, policyNumber: z.string(), grossPremium: money, effectiveDate: isoDate };
const transaction = { ...policy, transactionId, premiumChange: money };
const standing = z.looseObject({ effectiveDate: isoDate, reason: z.string(), method: z.string(), source: z.string() });
const claim = { claimId: idReference('claim'), claimNumber: z.string(), policyId, status: z.string() };
const invoice = {
  ...{ invoiceId, invoiceNumber: z.string(), policyId },
  ...{ amount: money, reference: z.string(), status: z.string() },
};
const autopay = { insuredId: idReference('insured'), status: z.enum(AUTOPAY_STATUSES) };
const deadline = {
  ...{ filingId: idReference('filing'), kind: z.string(), dueDate: isoDate, daysLeft: z.int() },
  state: z.string().nullable().meta({ description: 'Null for a deadline with a carrier.' }),
  carrier: z.string().optional().meta({ description: 'Only for a report or a remittance to a carrier, or its audit.' }),
  period: z
    .string()
    .optional()
    .meta({
      description: 'The month of the report or the remittance, or the half-year of the audit.',
      examples: ['2026-03', '2026-H1'],
    }),
};
const referral = {
  ...{
    referralId: idReference('referral'),
    submissionId: idReference('submission').nullable(),
    policyId: policyId.nullable(),
  },
  ...{ expiresOn: isoDate, daysLeft: z.int() },
};
const refund = {
  ...{ refundId: idReference('refund'), invoiceId: invoiceId.nullable(), policyId: policyId.nullable() },
  ...{ amount: money, status: z.string() },
};
const disbursement = {
  ...{ ...refund, disbursementId: idReference('disbursement') },
  ...{ method: z.string().nullable(), reference: z.string().nullable() },
};

const SUFFIX = '01jz8k3v5ne0rbx4q2mw7t6yha';
const REFERRAL = {
  ...{ referralId: `rfl_${SUFFIX}`, submissionId: `sub_${SUFFIX}`, policyId: null },
  ...{ expiresOn: '2026-03-15', daysLeft: 11 },
};
const POLICY = {
  policyId: `pol_${SUFFIX}`,
  policyNumber: 'GL-TX-2026-000123',
  grossPremium: 3_990,
  effectiveDate: '2026-03-01',
};
const TRANSACTION = { ...POLICY, transactionId: `ptx_${SUFFIX}`, premiumChange: 120.5 };
const STANDING = { effectiveDate: '2026-06-01', reason: 'non_payment', method: 'pro_rata', source: 'carrier' };
const CANCELLATION = { ...TRANSACTION, premiumChange: -2_990, cancellation: STANDING };
const CLAIM = {
  claimId: `clm_${SUFFIX}`,
  claimNumber: 'CLM-2026-000045',
  policyId: `pol_${SUFFIX}`,
  status: 'reported',
};
const INVOICE = {
  ...{ invoiceId: `inv_${SUFFIX}`, invoiceNumber: 'INV-2026-000321', policyId: `pol_${SUFFIX}` },
  ...{ amount: 399, reference: 'pi_3Nv', status: 'paid' },
};
const AUTOPAY = { insuredId: `ins_${SUFFIX}` };
const DEADLINE = {
  ...{ filingId: `fil_${SUFFIX}`, kind: 'sl_tax_payment', state: 'TX' },
  ...{ dueDate: '2026-04-01', daysLeft: 7 },
};
const REFUND = { refundId: `ref_${SUFFIX}`, invoiceId: `inv_${SUFFIX}`, policyId: `pol_${SUFFIX}`, amount: 1_200 };
const DISBURSEMENT = {
  ...REFUND,
  disbursementId: `dsb_${SUFFIX}`,
  status: 'issued',
  method: 'check',
  reference: '1001',
};

const entry = (summary: string, shape: z.ZodRawShape, example: Record<string, unknown>): Entry => ({
  summary,
  data: z.looseObject(shape),
  example,
});

const ending = (summary: string) => entry(summary, { ...transaction, cancellation: standing.nullable() }, CANCELLATION);
const paidOut = (summary: string) => entry(summary, disbursement, DISBURSEMENT);
const decided = (summary: string, status: string) => entry(summary, refund, { ...REFUND, status });

const CATALOGUE: Readonly<Record<EventType, Entry>> = {
  'policy.bound': entry('A new policy was bound.', policy, POLICY),
  'policy.endorsed': entry(
    'A mid-term endorsement was applied.',
    {
      ...transaction,
      reverses: transactionId.optional().meta({ description: 'The endorsement that this one voids.' }),
    },
    TRANSACTION,
  ),
  'policy.cancelled': ending('A policy was cancelled.'),
  'policy.renewed': entry(
    'A renewal policy was created.',
    { ...policy, renewalOf: policyId.nullable() },
    { ...POLICY, renewalOf: 'pol_01jz8k3v5ne0rbx4q2mw7t6yhb' },
  ),
  'policy.reinstated': entry('A cancelled policy was reinstated.', transaction, TRANSACTION),
  'policy.cancellation_scheduled': ending('A cancellation will take effect on a later day.'),
  'policy.cancellation_withdrawn': entry(
    'A scheduled cancellation will not take effect.',
    { ...policy, transactionId, cancellation: standing, replacedBy: transactionId.nullable() },
    { ...POLICY, transactionId: `ptx_${SUFFIX}`, cancellation: STANDING, replacedBy: null },
  ),
  'policy.lapsed': ending('A policy was cancelled for non-payment; `policy.cancelled` says so too.'),
  'policy.expired': entry(
    'The term has ended and was not renewed.',
    { ...policy, expirationDate: isoDate },
    { ...POLICY, expirationDate: '2027-03-01' },
  ),
  'policy.non_renewed': entry(
    'Notice of non-renewal was given.',
    { ...policy, expirationDate: isoDate, noticeDate: isoDate, reason: z.string() },
    { ...POLICY, expirationDate: '2027-03-01', noticeDate: '2026-12-15', reason: 'The line is given up.' },
  ),
  'policy.audited': entry(
    'A premium audit was completed.',
    { ...transaction, actualRevenue: money },
    { ...TRANSACTION, actualRevenue: 1_200_000 },
  ),
  'policy.payment_plan_changed': entry(
    'Premium that was not yet due was billed again under another payment plan.',
    { ...transaction, installmentPlan: z.enum(INSTALLMENT_PLANS), previousPlan: z.enum(INSTALLMENT_PLANS) },
    { ...TRANSACTION, premiumChange: 0, installmentPlan: 'QUARTERLY_4', previousPlan: 'MONTHLY_10' },
  ),
  'claim.filed': entry(
    'A first notice of loss was received. You can also subscribe to it as `claim.opened`.',
    claim,
    CLAIM,
  ),
  'claim.reserved': entry(
    'Reserves were set or updated.',
    { ...claim, reserves: z.strictObject({ indemnity: money, expense: money, total: money }) },
    { ...CLAIM, status: 'investigating', reserves: { indemnity: 20_000, expense: 5_000, total: 25_000 } },
  ),
  'claim.settled': entry(
    'A settlement was approved.',
    { ...claim, amount: money },
    { ...CLAIM, status: 'settled', amount: 18_500 },
  ),
  'claim.closed': entry('A claim was closed.', claim, { ...CLAIM, status: 'closed' }),
  'payment.received': entry('A premium payment was processed.', invoice, INVOICE),
  'payment.failed': entry(
    'A payment attempt failed, or a payment was reversed.',
    { ...invoice, severity: z.literal('warning'), code: z.string().nullable().optional() },
    { ...INVOICE, status: 'failed', severity: 'warning', code: 'insufficient_funds' },
  ),
  'autopay.enabled': entry('An insured has given a card for autopay.', autopay, { ...AUTOPAY, status: 'active' }),
  'autopay.disabled': entry('Autopay was switched off.', autopay, { ...AUTOPAY, status: 'off' }),
  'autopay.suspended': entry(
    'A bill could not be charged to the card, and autopay was suspended: the insured must act.',
    {
      ...autopay,
      ...{ reason: z.enum(SUSPENSION_REASONS), severity: z.literal('warning') },
      ...{ policyId, invoiceId, invoiceNumber: z.string() },
    },
    {
      ...{ ...AUTOPAY, status: 'suspended', reason: 'card_declined', severity: 'warning' },
      ...{ policyId: `pol_${SUFFIX}`, invoiceId: `inv_${SUFFIX}`, invoiceNumber: 'INV-2026-000321' },
    },
  ),
  'invoice.paid': entry('An invoice was paid in full.', invoice, INVOICE),
  'refund.approval_requested': decided('A refund waits for approval.', 'pending_approval'),
  'refund.approved': decided('A refund was approved.', 'approved'),
  'refund.rejected': decided('A refund was rejected.', 'rejected'),
  'disbursement.created': paidOut('Money is owed by check.'),
  'disbursement.issued': paidOut('A check was issued.'),
  'disbursement.cleared': paidOut('A check was cashed.'),
  'disbursement.stopped': paidOut('A check was stopped.'),
  'disbursement.cancelled': entry(
    'Money is no longer owed.',
    {
      ...disbursement,
      cancelledAmount: money.meta({
        description:
          'The amount that this step cancelled. `amount` is the balance still owed or, if none is left, the balance before the step.',
      }),
    },
    { ...DISBURSEMENT, status: 'pending', method: null, reference: null, cancelledAmount: 200 },
  ),
  'journal.posted': entry(
    'A manual journal entry was posted.',
    {
      ...{
        journalId: idReference('journal'),
        entryId: idReference('ledgerEntry'),
        ledger: z.enum(['general', 'fiduciary']),
        amount: money,
      },
      ...{ policyId: policyId.nullable(), invoiceId: invoiceId.nullable() },
    },
    {
      ...{ journalId: `jnl_${SUFFIX}`, entryId: `led_${SUFFIX}`, ledger: 'general', amount: 40 },
      ...{ policyId: null, invoiceId: null },
    },
  ),
  'referral.reminder': entry('A referral has waited 3, 7 or 12 days for its decision.', referral, REFERRAL),
  'referral.expired': entry('A referral has ended without a decision.', referral, { ...REFERRAL, daysLeft: 0 }),
  'da.limit_approaching': entry(
    'More than 85 percent of a delegated-authority contract has been used.',
    {
      contractId: idReference('daContract'),
      utilization: z.number().meta({ description: 'A fraction.' }),
      limit: money,
      used: money,
    },
    { contractId: `dac_${SUFFIX}`, utilization: 0.87, limit: 1_500_000, used: 1_305_000 },
  ),
  'compliance.deadline_approaching': entry(
    'A filing is due or a license expires in 30, 7 or 1 days, or a statutory claim deadline is near.',
    { ...deadline, filingId: idReference('filing').nullable(), claimId: idReference('claim').optional() },
    DEADLINE,
  ),
  'compliance.deadline_missed': entry(
    'A filing was not made, or a statutory claim deadline was not met, by its due date.',
    { ...deadline, filingId: idReference('filing').nullable(), claimId: idReference('claim').optional() },
    { ...DEADLINE, daysLeft: -1 },
  ),
  'financial.operation_failed': entry(
    'An operation on money failed, its records disagree, or a notice to an insured was not sent or delivered. Someone must review it.',
    {
      ...{ severity: z.literal('critical'), requiresManualReview: z.literal(true) },
      ...{ operation: z.string(), message: z.string() },
      paymentId: idReference('payment', 'refund', 'claimPayment')
        .nullish()
        .meta({ description: 'The payment, refund or claim payment that it concerns.' }),
      invoiceId: invoiceId.nullish(),
      policyId: policyId
        .nullish()
        .meta({ description: 'Set if it concerns a notice to the insured, or the card attempts on an invoice.' }),
      reference: z.string().nullish().meta({ description: 'The number of the policy, claim or payment.' }),
      amount: money.optional().meta({ description: 'Set if it concerns an amount.' }),
      workflowId: z.string().nullish().meta({ description: 'The workflow that waits for an operator, if any.' }),
    },
    {
      ...{ severity: 'critical', requiresManualReview: true },
      ...{ operation: 'ledger.split', message: 'The step failed.', paymentId: `pay_${SUFFIX}` },
    },
  ),
  'webhook.test': entry(
    'Someone tested a webhook.',
    { webhookId: idReference('webhookSubscription'), message: z.string() },
    { webhookId: `whs_${SUFFIX}`, message: 'This is a test.' },
  ),
};

/** One kind of event as delivered. */
export interface CataloguedEvent {
  type: EventType;
  summary: string;
  /** The whole body of a delivery. */
  envelope: z.ZodType;
  example: Record<string, unknown>;
}

/** Every kind of event, by name. */
export const CATALOGUED_EVENTS: readonly CataloguedEvent[] = EVENT_TYPES.toSorted().map((type) => {
  const { summary, data, example } = CATALOGUE[type];
  return {
    ...{ type, summary },
    envelope: z
      .strictObject({
        ...{ id: idReference('event'), type: z.literal(type), orgId: idReference('organization') },
        ...{ timestamp: instant, data },
      })
      .meta({ id: `Event_${type.replaceAll('.', '_')}`, description: summary }),
    example: {
      ...{ id: `evt_${SUFFIX}`, type, orgId: `org_${SUFFIX}` },
      ...{ timestamp: '2026-03-01T12:00:00.000Z', data: example },
    },
  };
});
