// The `details` of each error code: every fact that the platform sends with it. The tests check every response against
// this list. Spec 2.10, Contract 1.
import { z } from 'zod';
import { type ErrorCode, VALIDATION_RULES } from '../../domain/errors.ts';
import { DaFlagSchema } from '../routes/submission/quotes.schemas.ts';
import {
  actorId,
  businessText,
  idReference,
  isoDate,
  lineOfBusiness,
  signedDollars as money,
  month,
  recordId,
  state,
} from '../spine/schemas.ts';

const text = z.string();
const texts = z.array(text);
const amountOrText = z.union([z.number(), z.string()]);
const retryAfterSeconds = z.int().meta({ description: 'The number of seconds to wait, as in `Retry-After`.' });

/** Facts that a code carries in some cases. */
function sometimes(facts: z.ZodRawShape): z.ZodRawShape {
  return z.object(facts).partial().shape;
}

const issue = {
  field: text.meta({ description: 'Dotted path of the field.' }),
  rule: z.enum(VALIDATION_RULES).meta({ description: 'The rule that the value breaks.' }),
  ...sometimes({
    minimum: amountOrText.meta({ description: 'The least value, length or number of entries.' }),
    maximum: amountOrText.meta({ description: 'The greatest value, length, depth or number of entries.' }),
    allowed: z.array(z.unknown()).meta({ description: 'The values that would be accepted.' }),
    expected: text.meta({ description: 'The type that the value must have.' }),
    min: amountOrText.meta({ description: 'The first day, or the least value, that would be accepted.' }),
    max: amountOrText.meta({ description: 'The last day, or the greatest value, that would be accepted.' }),
    latest: text.meta({ description: 'The last day or month that would be accepted.' }),
    reason: text.meta({ description: 'What is wrong with a URL, as a word for programs.' }),
    column: text.meta({ description: 'The column of a table that is not known.' }),
    additionalPremium: money.meta({ description: 'The additional premium that an audit would bill.' }),
    most: money.meta({ description: 'The highest amount that can be paid.' }),
  }),
};

const figures = z
  .strictObject({ limit: money.nullable(), premium: money.nullable(), premiumChange: money.nullable() })
  .meta({ id: 'ChangeFigures', description: 'What a change of a policy leads to, in dollars.' });

/** The facts of every code; codes not listed have none. */
export const ERROR_FACTS: Partial<Record<ErrorCode, z.ZodRawShape>> = {
  validation_failed: {
    ...issue,
    ...sometimes({
      issues: z
        .array(z.strictObject({ ...issue, message: text }))
        .meta({ description: 'Every broken rule, when there are several. The first one is in `details` itself.' }),
    }),
  },
  forbidden: sometimes({
    permission: text.meta({ description: 'The permission that the credential lacks.' }),
    requiredScope: text.nullable().meta({ description: 'The scope that the API key lacks.' }),
    limit: amountOrText.meta({ description: "The limit of the user's own authority." }),
    actual: amountOrText.meta({ description: 'The authority that the action would need.' }),
    reason: text.meta({
      description: '`own_request`: somebody else must decide on it. `own_question`: somebody else must answer it.',
    }),
    referralId: idReference('referral').meta({
      description: 'The referral of an endorsement or renewal: an approval carries it out.',
    }),
    requested: figures,
  }),
  not_found: sometimes({
    reason: z.enum(['being_made', 'cannot_be_made']).meta({
      description:
        'Why a document that another resource names does not exist: it is still being made, or its template must be corrected first.',
    }),
  }),
  method_not_allowed: { allowed: texts },
  already_exists: sometimes({
    resource: text.meta({ description: 'The kind of resource that exists.' }),
    id: recordId.meta({ description: 'The id of the resource that exists.' }),
    paymentId: idReference('payment', 'claimPayment'),
    recoveryId: idReference('claimRecovery'),
    disbursementId: idReference('disbursement'),
    remittanceId: idReference('remittance', 'payout', 'transfer'),
    field: text.meta({ description: 'The field whose value is taken.' }),
    renewalPolicyId: idReference('policy'),
    referralId: idReference('referral'),
    transactionId: idReference('policyTransaction'),
    userId: actorId,
    carrier: businessText.meta({ description: 'The carrier of the deposit that exists.' }),
    reference: businessText.meta({ description: 'The reference of the deposit that exists.' }),
  }),
  idempotency_in_progress: { retryAfterSeconds },
  precondition_failed: sometimes({
    current: text.meta({
      description:
        'The version that is stored, as `If-Match` takes it: an `ETag` without the part that depends on the response. Read the resource before you send it.',
    }),
  }),
  payload_too_large: sometimes({
    maxBytes: z.int().meta({ description: 'The greatest number of bytes that is accepted.' }),
    pages: z.int().meta({ description: 'The number of pages that the document would have.' }),
    characters: z.int().meta({ description: 'The number of characters on the page that is too large.' }),
  }),
  unsupported_media_type: {
    supported: texts,
    ...sometimes({
      declared: text.meta({ description: 'The content type that the file was sent under.' }),
      found: text.nullable().meta({ description: 'The format that the bytes have. It is null if it is not known.' }),
      ending: text.meta({ description: 'The extension of the file name.' }),
    }),
  },
  invalid_state_transition: {
    resource: text,
    from: text.meta({ description: 'The status of the resource.' }),
    action: text,
    allowed: texts.meta({ description: 'The operations that would succeed now.' }),
    ...sometimes({
      field: text.meta({ description: 'The field that would make the action possible.' }),
      rule: z.enum(VALIDATION_RULES),
      minimum: money.meta({ description: 'The least amount that would be accepted.' }),
      amount: money,
      balance: money,
      month: month.meta({ description: 'The month that was named.' }),
      next: month.nullable().meta({ description: 'The month that can be closed next.' }),
      lastDay: isoDate.meta({ description: 'The last day of the month. It must be in the past.' }),
      lastClosed: month.nullable().meta({ description: 'The last closed month, the only one that can be reopened.' }),
      date: isoDate.meta({ description: 'The day of the entry, which is in a closed month.' }),
      closedThrough: isoDate.meta({ description: 'The last day of the last closed month.' }),
    }),
  },
  delegated_authority_exceeded: {
    daFlags: z.array(DaFlagSchema),
    ...sometimes({ policyId: idReference('policy'), requested: figures }),
  },
  quote_expired: sometimes({
    expiresOn: isoDate,
    quoteId: idReference('quote'),
    latestQuoteId: idReference('quote').nullable(),
    reason: text.meta({ description: 'Why the referred change is no longer possible.' }),
    requested: figures.meta({ description: 'The figures that were referred.' }),
    now: figures.meta({ description: 'The figures of the same change today.' }),
  }),
  not_ready: sometimes({
    missing: texts.meta({ description: 'The fields that are missing.' }),
    blockers: texts.meta({ description: 'The codes of everything else that prevents the step.' }),
    earliestDate: isoDate,
    latestDate: isoDate,
    lineOfBusiness: lineOfBusiness.meta({ description: 'The line of business without a rate table.' }),
    pastDue: money.meta({ description: 'The premium to be paid first.' }),
    holdUntil: isoDate.meta({ description: 'The last day of the billing hold.' }),
    state,
    reason: text.meta({ description: 'The cancellation reason that the state does not permit.' }),
    allowedReasons: texts.meta({ description: 'The reasons that the state lists.' }),
  }),
  notice_period_not_met: {
    earliestDate: isoDate.meta({
      description:
        'The first day on which coverage may end if notice is given today. For a notice of non-renewal: the first expiration date that would leave enough time.',
    }),
  },
  outside_policy_term: sometimes({
    effectiveDate: isoDate,
    expirationDate: isoDate,
    earliestDate: isoDate.meta({ description: 'The first day that would be accepted.' }),
    latestDate: isoDate.meta({ description: 'The last day that would be accepted.' }),
  }),
  reserve_too_low: {
    reserve: money,
    ...sometimes({
      kind: text.meta({ description: 'The reserve: `indemnity` or `expense`.' }),
      actual: money.meta({ description: 'The reserve that would be needed.' }),
      paid: money.meta({ description: 'The amount already paid from it.' }),
      deductible: money,
    }),
  },
  limit_exhausted: {
    limit: amountOrText.meta({
      description: 'The limit: a number of rows, or which limit of the policy, `occurrence` or `aggregate`.',
    }),
    ...sometimes({ remaining: money, actual: money }),
  },
  amount_exceeds_balance: sometimes({
    amount: money.meta({ description: 'The amount that was named.' }),
    actual: money.meta({ description: 'The amount that was named for a claim.' }),
    balance: money,
    unapplied: money.meta({ description: 'The part of the payment that is on no invoice.' }),
    unbilled: money.meta({ description: 'The amount that can still be billed.' }),
    account: z.int().meta({ description: 'The ledger account whose balance is meant.' }),
    lapsedOn: isoDate.meta({ description: 'The day on which the policy lapsed, after the money was received.' }),
  }),
  invoice_has_payments: { paidAmount: money, refundedAmount: money },
  refund_exceeds_paid: { amount: money, refundable: money },
  no_failed_payment: { lastAttempt: text.nullable() },
  subscription_inactive: { status: text },
  deal_room_closed: { status: text },
  document_not_applicable: sometimes({
    field: text,
    status: text.meta({ description: 'The status of the policy.' }),
    effectiveDate: isoDate,
    reason: text.meta({ description: 'Why the field does not fit, as a word for programs.' }),
    cargo: text.meta({ description: 'The kind of cargo that an MCS-90 is for.' }),
    limit: money.meta({ description: 'The limit of the policy.' }),
    required: money.meta({ description: 'The limit that the regulation requires.' }),
  }),
  unreadable_document: sometimes({ reason: text }),
  payment_declined: { code: text.nullable(), declineCode: text.nullable() },
  rate_limited: { retryAfterSeconds, ...sometimes({ limit: z.int() }) },
  service_unavailable: sometimes({
    retryAfterSeconds,
    reason: z.literal('not_set_up').meta({
      description:
        'This installation has no such part. An operator has to configure it, so the answer has no `Retry-After`.',
    }),
    commandId: text.meta({ description: 'The command that was sent. Quote it when you ask for help.' }),
    outcome: z.literal('unknown').meta({
      description: 'The command may still be carried out. Repeat it with the same `Idempotency-Key` to find out.',
    }),
    database: z.boolean().meta({ description: 'Whether the database can be reached.' }),
    temporal: z.boolean().meta({ description: 'Whether the workflow engine can be reached.' }),
  }),
};
