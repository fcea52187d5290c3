// The rows of a bare bind: as many, and as wide, as the platform's.
import { newId } from '../../db/ids.ts';

// biome-ignore lint/suspicious/noExplicitAny: rows as `pg` gives and takes them
export type Row = Record<string, any>;

export const INSTALLMENTS = 10;
const DAY_MS = 86_400_000;
const ACTOR = { kind: 'user', id: 'usr_bench_1', role: 'org_admin' };

/** The rows a bind has read, and the ids it has made. */
export interface Bound {
  orgId: string;
  policyId: string;
  insuredId: string;
  transactionId: string;
  invoiceIds: string[];
  now: Date;
  submission: Row;
  quote: Row;
  contract: Row;
}

/** Makes the ids of a bind from the rows that it has read. */
export function boundFrom(orgId: string, submission: Row, quote: Row, contract: Row): Bound {
  return {
    orgId,
    policyId: newId('policy'),
    insuredId: newId('insured'),
    transactionId: newId('policyTransaction'),
    invoiceIds: Array.from({ length: INSTALLMENTS }, () => newId('invoice')),
    now: new Date(),
    submission,
    quote,
    contract,
  };
}

export function auditRow({ orgId, now, policyId, submission, quote }: Bound): Row {
  return {
    ...stamped('audit', orgId, now),
    actor_kind: ACTOR.kind,
    actor_id: ACTOR.id,
    actor_role: ACTOR.role,
    action: 'submission:bind',
    entity_type: 'submission',
    entity_id: submission.id,
    request_id: 'req_bench',
    changes: { policyId, quoteId: quote.id, premiumCents: Number(quote.gross_premium_cents) },
  };
}

export function filingRows({ orgId, now, policyId }: Bound): Row[] {
  return ['sl_policy_filing', 'sl_tax_payment'].map((kind) => ({
    ...stamped('filing', orgId, now),
    policy_id: policyId,
    kind,
    state: 'TX',
    status: 'open',
    due_date: new Date(now.getTime() + 60 * DAY_MS),
    announced_days: '[]',
  }));
}

export function insuredRow({ orgId, now, insuredId, submission }: Bound): Row {
  return {
    ...stamped('insured', orgId, now),
    id: insuredId,
    name: submission.insured_name,
    name_normalized: submission.insured_name_normalized,
    email: null,
    phone: null,
    address: null,
  };
}

export function eventRow({ orgId, now, policyId, quote }: Bound, policyNumber: string): Row {
  return {
    ...stamped('event', orgId, now),
    type: 'policy.bound',
    occurred_at: now,
    data: { policyId, policyNumber, grossPremium: Number(quote.gross_premium_cents) / 100 },
  };
}

export function relationRow({ orgId, now, policyId, insuredId }: Bound): Row {
  return {
    ...stamped('relation', orgId, now),
    object_type: 'policy',
    object_id: policyId,
    relation: 'insured',
    subject_type: 'insured',
    subject_id: insuredId,
    limits: null,
  };
}

export function transactionRow(bound: Bound): Row {
  const { orgId, now, policyId, transactionId, submission, quote } = bound;
  return {
    ...stamped('policyTransaction', orgId, now),
    id: transactionId,
    policy_id: policyId,
    sequence: 1,
    type: 'new_business',
    effective_date: submission.effective_date,
    issued_at: now,
    issued_on: now,
    reason: null,
    changes: '{}',
    premium_change_cents: quote.gross_premium_cents,
    fee_change_cents: sumOf(quote.fees),
    tax_change_cents: sumOf(quote.taxes),
    total_change_cents: quote.total_due_cents,
    gross_premium_after_cents: quote.gross_premium_cents,
    before: null,
    after: pricedTerms(bound),
    actor: ACTOR,
    reapplied: '[]',
    commission: null,
    da_flags: '[]',
  };
}

export function invoiceRows(bound: Bound, lastNumber: number): Row[] {
  const { orgId, now, policyId, transactionId, invoiceIds, submission } = bound;
  return invoiceIds.map((id, i) => ({
    ...stamped('invoice', orgId, now),
    id,
    invoice_number: `INV-${lastNumber - INSTALLMENTS + 1 + i}`,
    policy_id: policyId,
    transaction_id: transactionId,
    producer_id: null,
    insured_name: submission.insured_name,
    installment_number: i + 1,
    installment_count: INSTALLMENTS,
    issue_date: now,
    due_date: now,
    lines: JSON.stringify([{ kind: 'premium', code: 'PREMIUM', description: 'Premium', amountCents: 39_900 }]),
    total_cents: 39_900,
    paid_cents: 0,
    refunded_cents: 0,
    voided_at: null,
    uncollectible_at: null,
    last_payment_error: null,
  }));
}

export function policyRow(bound: Bound, policyNumber: string): Row {
  const { orgId, now, policyId, insuredId, submission, quote, contract } = bound;
  return {
    ...stamped('policy', orgId, now),
    ...terms(bound),
    id: policyId,
    policy_number: policyNumber,
    status: 'pending',
    submission_id: submission.id,
    quote_id: quote.id,
    producer_id: null,
    insured_id: insuredId,
    insured_email: null,
    insured_phone: null,
    insured_address: null,
    naics_code: submission.naics_code,
    state: submission.state,
    line_of_business: submission.line_of_business,
    effective_date: submission.effective_date,
    expiration_date: new Date(submission.effective_date.getTime() + 365 * DAY_MS),
    fees: JSON.stringify(quote.fees),
    taxes: JSON.stringify(quote.taxes),
    installment_plan: 'MONTHLY_10',
    additional_insureds: '[]',
    usdot_number: null,
    renewal_of: null,
    renewal_policy_id: null,
    cancellation: null,
    da_contract_id: contract.id,
    da_year: submission.effective_date.getFullYear(),
    rating_inputs: quote.inputs.rating,
    surplus_lines_rates: quote.inputs.surplusLinesRates,
    non_renewal: null,
    bound_at: now,
  };
}

export function commandRow({ orgId, now, policyId, submission, quote }: Bound): Row {
  return {
    org_id: orgId,
    id: submission.id,
    kind: 'bindPolicy',
    created_at: now,
    result: { submissionId: submission.id, status: 'bound', quoteId: quote.id, policyId, clockOffsetDays: 0 },
  };
}

function stamped(kind: Parameters<typeof newId>[0], orgId: string, now: Date): Row {
  return { id: newId(kind), org_id: orgId, created_at: now, updated_at: now };
}

/** Stored with the transaction, as the platform does to print its declarations. */
function pricedTerms({ submission, quote }: Bound): Row {
  return {
    insuredName: submission.insured_name,
    insuredAddress: null,
    limitCents: Number(submission.requested_limit_cents),
    aggregateLimitCents: 2 * Number(submission.requested_limit_cents),
    deductibleCents: Number(submission.deductible_cents ?? 0),
    annualRevenueCents: Number(submission.annual_revenue_cents),
    additionalInsureds: [],
    grossPremiumCents: Number(quote.gross_premium_cents),
    fees: quote.fees,
    taxes: quote.taxes,
    totalDueCents: Number(quote.total_due_cents),
  };
}

function terms({ submission, quote }: Bound): Row {
  return {
    insured_name: submission.insured_name,
    limit_cents: submission.requested_limit_cents,
    aggregate_limit_cents: 2 * Number(submission.requested_limit_cents),
    deductible_cents: submission.deductible_cents ?? 0,
    annual_revenue_cents: submission.annual_revenue_cents,
    gross_premium_cents: quote.gross_premium_cents,
    total_due_cents: quote.total_due_cents,
  };
}

function sumOf(charges: readonly { amountCents: number }[]): number {
  return charges.reduce((sum, { amountCents }) => sum + amountCents, 0);
}
