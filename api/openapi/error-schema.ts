// The body of every error as the document describes it: one shape for each code, with the facts that it brings. More
// fields may join the facts of a code; none leaves them. Spec 2.10, Contract 1.
import { z } from 'zod';
import { ERROR_STATUS, type ErrorCode, VALIDATION_RULES } from '../../domain/errors.ts';
import { idReference, isoDate, signedDollars as money, recordId, requestReference } from '../spine/schemas.ts';

const text = z.string();
const texts = z.array(text);
const date = isoDate;
const quoteId = idReference('quote');
const amountOrText = z.union([z.number(), z.string()]);

const issue = {
  field: text.meta({ description: 'Dotted path of the field.' }),
  rule: z.enum(VALIDATION_RULES).meta({ description: 'The rule that the value breaks.' }),
  minimum: amountOrText.optional(),
  maximum: amountOrText.optional(),
  allowed: z.array(z.unknown()).optional(),
};

const retryAfterSeconds = z.int().meta({ description: 'The number of seconds to wait, as in `Retry-After`.' });

/** What the facts of a code are; a code that is left out brings none that a program needs. */
const DETAILS: Partial<Record<ErrorCode, z.ZodRawShape>> = {
  validation_failed: {
    ...issue,
    issues: z
      .array(z.looseObject(issue))
      .optional()
      .meta({ description: 'Every broken rule, when there are several. The first one is in `details` itself.' }),
  },
  forbidden: {
    permission: text.optional().meta({ description: 'The permission that the credential lacks.' }),
    requiredScope: text.nullable().optional().meta({ description: 'The scope that the API key lacks.' }),
    limit: amountOrText.optional().meta({ description: "The limit of the user's own authority." }),
    actual: amountOrText.optional().meta({ description: 'The authority that the action would need.' }),
    reason: text.optional().meta({
      description: '`own_request`: somebody else must decide on it. `own_question`: somebody else must answer it.',
    }),
    referralId: idReference('referral')
      .optional()
      .meta({ description: 'The referral of an endorsement or renewal: an approval carries it out.' }),
  },
  method_not_allowed: { allowed: texts },
  already_exists: { resource: text.optional(), id: recordId.optional() },
  idempotency_in_progress: { retryAfterSeconds },
  precondition_failed: { current: text.optional().meta({ description: 'The `ETag` of the version that is stored.' }) },
  payload_too_large: { maxBytes: z.int().optional(), pages: z.int().optional() },
  unsupported_media_type: { supported: texts },
  invalid_state_transition: {
    resource: text,
    from: text.meta({ description: 'The status of the resource.' }),
    action: text,
    allowed: texts.meta({ description: 'The operations that would succeed now.' }),
  },
  delegated_authority_exceeded: {
    daFlags: z.array(z.looseObject({ code: text, severity: text, message: text })),
  },
  quote_expired: { expiresOn: date.optional(), quoteId: quoteId.optional(), latestQuoteId: quoteId.optional() },
  not_ready: {
    missing: texts.optional().meta({ description: 'The fields that are missing.' }),
    blockers: texts.optional().meta({ description: 'The codes of everything else that prevents the step.' }),
    earliestDate: date.optional(),
    latestDate: date.optional(),
  },
  notice_period_not_met: { earliestDate: date },
  outside_policy_term: {
    effectiveDate: date.optional(),
    expirationDate: date.optional(),
    earliestDate: date.optional().meta({ description: 'The first day that would be accepted.' }),
    latestDate: date.optional().meta({ description: 'The last day that would be accepted.' }),
  },
  reserve_too_low: {
    reserve: money,
    actual: money.optional().meta({ description: 'The reserve that would be needed.' }),
    paid: money.optional().meta({ description: 'The amount already paid from it.' }),
    deductible: money.optional(),
  },
  limit_exhausted: { limit: amountOrText, remaining: money.optional(), actual: money.optional() },
  amount_exceeds_balance: { amount: money.optional(), balance: money.optional() },
  invoice_has_payments: { paidAmount: money, refundedAmount: money },
  refund_exceeds_paid: { amount: money, refundable: money },
  no_failed_payment: { lastAttempt: text.nullable() },
  subscription_inactive: { status: text },
  deal_room_closed: { status: text },
  document_not_applicable: { field: text.optional(), status: text.optional() },
  unreadable_document: { reason: text.optional() },
  payment_declined: { code: text.nullable(), declineCode: text.nullable() },
  rate_limited: { limit: z.int().optional(), retryAfterSeconds },
  service_unavailable: { retryAfterSeconds: retryAfterSeconds.optional() },
};

const requestId = requestReference.meta({ description: 'The id of the request. Quote it when you ask for help.' });

function shapeOf(code: ErrorCode) {
  return z
    .strictObject({
      error: z.literal(code).meta({ description: 'The error code, for programs.' }),
      message: z.string().meta({ description: 'A sentence that explains the error, for people.' }),
      details: z.looseObject(DETAILS[code] ?? {}).meta({ description: 'Facts about the error.' }),
      requestId,
    })
    .meta({ id: `Error_${code}`, description: `Answered with status ${ERROR_STATUS[code]}.` });
}

const [first, ...others] = (Object.keys(ERROR_STATUS) as ErrorCode[]).map(shapeOf);

/** The JSON of every error; `error` says which of the shapes it is. */
export const ErrorBodySchema = z
  .union([first, ...others] as [NonNullable<typeof first>, ...typeof others])
  .meta({ id: 'Error', description: 'An error. Its code determines the facts in `details`.' });
