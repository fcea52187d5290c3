// Maps quotes, readiness and the bind response from rows and computations to the wire. Pure. Spec 2.5, Contract 3.1.
import type { Invoice } from '../../../db/entities/billing/invoice.ts';
import type { Policy } from '../../../db/entities/policy/policy.ts';
import type { Quote } from '../../../db/entities/submission/quote.ts';
import type { Submission } from '../../../db/entities/submission/submission.ts';
import { hasUncleared, isBindable } from '../../../domain/authority/authority.ts';
import type { BusinessDate } from '../../../domain/dates.ts';
import type { InstallmentPlan } from '../../../domain/lines.ts';
import { toDollars } from '../../../domain/money.ts';
import { quoteReadiness } from '../../../domain/submission/bind.ts';
import { type InstallmentOption, isQuoteExpired } from '../../../domain/submission/quote.ts';
import type { RatingStep } from '../../../domain/submission/rating.ts';
import type { BindObstacles } from '../../../plans/submission/bind-obstacles.ts';
import type { OfferedQuotation } from '../../../plans/submission/quotation.ts';
import { feesToWire, instantToWire, taxesToWire } from '../billing/charges.wire.ts';
import type {
  BoundPolicyWire,
  InvoiceReferenceWire,
  QuotePreviewWire,
  QuoteWire,
  ReadinessWire,
} from './quotes.schemas.ts';
import { flagsInSight, type Sight } from './sight.ts';

/** Returns a quote as of a business date: an open one past its last day is `expired`. Amounts in dollars. */
export function quoteToWire(quote: Quote, today: BusinessDate, sight: Sight): QuoteWire {
  const { id, orgId, submissionId, quoteVersion, daFlags, issuedOn, expiresOn } = quote;
  return {
    id,
    orgId,
    submissionId,
    version: quoteVersion,
    status: quote.status === 'quoted' && isQuoteExpired(expiresOn, today) ? 'expired' : quote.status,
    grossPremium: toDollars(quote.grossPremiumCents),
    fees: feesToWire(quote.fees),
    taxes: taxesToWire(quote.taxes),
    totalDue: toDollars(quote.totalDueCents),
    bindable: isBindable(daFlags),
    daFlags: flagsInSight(daFlags, sight),
    conditions: quote.conditions,
    ratingWorksheet: worksheetToWire(quote.worksheet),
    installmentOptions: optionsToWire(quote.installmentOptions),
    issuedOn,
    expiresOn,
    expiresAt: endOfDay(expiresOn),
    createdAt: instantToWire(quote.createdAt),
    updatedAt: instantToWire(quote.updatedAt),
  };
}

/** The quote as if issued now; it has no id, since nothing was written. `last` is the latest quote. */
export function previewToWire(
  submission: Submission,
  quotation: OfferedQuotation,
  { last, sight }: { last: Quote | null; sight: Sight },
): QuotePreviewWire {
  const { price, flags, issuedOn } = quotation;
  return {
    id: null,
    orgId: submission.orgId,
    submissionId: submission.id,
    version: (last?.quoteVersion ?? 0) + 1,
    status: hasUncleared(flags, 'refer') ? 'referred' : 'quoted',
    grossPremium: toDollars(price.premiumCents),
    fees: feesToWire(price.fees),
    taxes: taxesToWire(price.taxes),
    totalDue: toDollars(price.totalDueCents),
    bindable: isBindable(flags),
    daFlags: flagsInSight(flags, sight),
    conditions: quotation.conditions,
    ratingWorksheet: worksheetToWire(price.worksheet),
    installmentOptions: optionsToWire(price.installmentOptions),
    issuedOn,
    expiresOn: price.expiresOn,
    expiresAt: endOfDay(price.expiresOn),
    preview: true,
  };
}

/** Triage, and what blocks the submission from being bound today. `quote` is the latest one. Contract 3.1. */
export function readinessToWire(
  submission: Submission,
  quote: Quote | null,
  { today, obstacles }: { today: BusinessDate; obstacles: BindObstacles },
): ReadinessWire {
  const { status, missingFields, triage } = submission;
  const { missing, blockers } = quoteReadiness({ status, missing: missingFields, flags: obstacles.flags });
  const standing = [...blockers, ...obstacles.blockers, ...quoteBlockers(quote, today)];
  return {
    triageScore: triage?.score ?? null,
    band: triage?.band ?? null,
    factors: triage?.factors ?? [],
    bindingReadiness: { ready: missing.length === 0 && standing.length === 0, missing, blockers: standing },
  };
}

/** Returns the response to a bind; `invoices` by due date. */
export function boundPolicyToWire(policy: Policy, invoices: readonly Invoice[]): BoundPolicyWire {
  return {
    policyId: policy.id,
    policyNumber: policy.policyNumber,
    status: policy.status,
    submissionId: policy.submissionId ?? '',
    quoteId: policy.quoteId ?? '',
    effectiveDate: policy.effectiveDate,
    expirationDate: policy.expirationDate,
    grossPremium: toDollars(policy.grossPremiumCents),
    totalDue: toDollars(policy.totalDueCents),
    installmentPlan: policy.installmentPlan as InstallmentPlan,
    invoices: invoices.map(invoiceReference),
  };
}

/** Returns an invoice as other resources refer to it. */
function invoiceReference({ id, invoiceNumber, dueDate, totalCents }: Invoice): InvoiceReferenceWire {
  return { id, invoiceNumber, dueDate, total: toDollars(totalCents) };
}

/** A quote that a correction has superseded prices another risk. */
function quoteBlockers(quote: Quote | null, today: BusinessDate): string[] {
  if (quote === null || quote.status === 'superseded') return ['NO_QUOTE'];
  return isQuoteExpired(quote.expiresOn, today) ? ['QUOTE_EXPIRED'] : [];
}

/** The last millisecond of a business date. */
function endOfDay(date: BusinessDate): string {
  return `${date}T23:59:59.999Z`;
}

function worksheetToWire(worksheet: readonly RatingStep[]) {
  return worksheet.map(({ step, factor, amountCents }) => ({ step, factor, amount: toDollars(amountCents) }));
}

function optionsToWire(options: readonly InstallmentOption[]) {
  return options.map(({ plan, schedule }) => ({
    plan,
    schedule: schedule.map(({ number, dueDate, amountCents }) => ({ number, dueDate, amount: toDollars(amountCents) })),
  }));
}
