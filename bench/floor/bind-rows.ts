// The rows of a bare bind: as many, and as wide, as those of the platform.
import { newId } from '../../db/ids.ts';

// biome-ignore lint/suspicious/noExplicitAny: rows as `pg` gives and takes them
export type Row = Record<string, any>;

export const INSTALLMENTS = 10;
const DAY_MS = 86_400_000;

/** What a bind has read, and the ids it has made. */
export interface Bound {
  orgId: string;
  policyId: string;
  insuredId: string;
  submission: Row;
  quote: Row;
  contract: Row;
}

/** Every row of a bind, made when it is asked for. */
export function boundRows(bound: Bound) {
  const { orgId, policyId, insuredId, submission, quote } = bound;
  const now = new Date();
  const stamps = { org_id: orgId, created_at: now, updated_at: now };
  const transactionId = newId('policyTransaction');
  const invoiceIds = Array.from({ length: INSTALLMENTS }, () => newId('invoice'));
  const cents = (list: { amountCents: number }[]) => list.reduce((sum, { amountCents }) => sum + amountCents, 0);
  const actor = { kind: 'user', id: 'usr_bench_1', role: 'org_admin' };
  return {
    audit: (): Row => ({
      ...{ id: newId('audit'), ...stamps, actor_kind: actor.kind, actor_id: actor.id, actor_role: actor.role },
      ...{ action: 'submission:bind', entity_type: 'submission', entity_id: submission.id, request_id: 'req_bench' },
      changes: { policyId, quoteId: quote.id, premiumCents: Number(quote.gross_premium_cents) },
    }),
    filings: (): Row[] =>
      ['sl_policy_filing', 'sl_tax_payment'].map((kind) => ({
        ...{ id: newId('filing'), ...stamps, policy_id: policyId, kind, state: 'TX', status: 'open' },
        ...{ due_date: new Date(now.getTime() + 60 * DAY_MS), announced_days: '[]' },
      })),
    insured: (): Row => ({
      ...{
        id: insuredId,
        ...stamps,
        name: submission.insured_name,
        name_normalized: submission.insured_name_normalized,
      },
      ...{ email: null, phone: null, address: null },
    }),
    event: (policyNumber: string): Row => ({
      ...{ id: newId('event'), ...stamps, type: 'policy.bound', occurred_at: now },
      data: { policyId, policyNumber, grossPremium: Number(quote.gross_premium_cents) / 100 },
    }),
    relation: (): Row => ({
      ...{ id: newId('relation'), ...stamps, object_type: 'policy', object_id: policyId, relation: 'insured' },
      ...{ subject_type: 'insured', subject_id: insuredId, limits: null },
    }),
    transaction: (): Row => ({
      ...{ id: transactionId, ...stamps, policy_id: policyId, sequence: 1, type: 'new_business', reason: null },
      ...{ effective_date: submission.effective_date, issued_at: now, issued_on: now, changes: '{}', before: null },
      ...{ premium_change_cents: quote.gross_premium_cents, fee_change_cents: cents(quote.fees) },
      ...{ tax_change_cents: cents(quote.taxes), total_change_cents: quote.total_due_cents },
      ...{ gross_premium_after_cents: quote.gross_premium_cents, actor, invoice_ids: JSON.stringify(invoiceIds) },
      ...{ after: { ...terms(bound), fees: quote.fees, taxes: quote.taxes }, credits: '[]', reapplied: '[]' },
      da_flags: '[]',
    }),
    invoices: (lastNumber: number): Row[] =>
      invoiceIds.map((id, i) => ({
        ...{ id, ...stamps, invoice_number: `INV-${lastNumber - INSTALLMENTS + 1 + i}`, policy_id: policyId },
        ...{ transaction_id: transactionId, producer_id: null, insured_name: submission.insured_name },
        ...{ installment_number: i + 1, installment_count: INSTALLMENTS, issue_date: now, due_date: now },
        ...{
          lines: JSON.stringify([{ kind: 'premium', code: 'PREMIUM', description: 'Premium', amountCents: 39_900 }]),
        },
        ...{ total_cents: 39_900, paid_cents: 0, refunded_cents: 0, voided_at: null, uncollectible_at: null },
        last_payment_error: null,
      })),
    policy: (policyNumber: string): Row => ({
      ...{ id: policyId, ...stamps, policy_number: policyNumber, status: 'pending', submission_id: submission.id },
      ...{ quote_id: quote.id, producer_id: null, insured_id: insuredId, ...terms(bound), insured_email: null },
      ...{ insured_phone: null, insured_address: null, naics_code: submission.naics_code, state: submission.state },
      ...{ line_of_business: submission.line_of_business, effective_date: submission.effective_date },
      ...{ expiration_date: new Date(submission.effective_date.getTime() + 365 * DAY_MS) },
      ...{ fees: JSON.stringify(quote.fees), taxes: JSON.stringify(quote.taxes), installment_plan: 'MONTHLY_10' },
      ...{
        additional_insureds: '[]',
        usdot_number: null,
        renewal_of: null,
        renewal_policy_id: null,
        cancellation: null,
      },
      ...{ da_contract_id: bound.contract.id, da_year: submission.effective_date.getFullYear(), non_renewed: false },
      ...{ rating_inputs: quote.inputs.rating, surplus_lines_rates: quote.inputs.surplusLinesRates, bound_at: now },
    }),
    command: (): Row => ({
      ...{ org_id: orgId, id: submission.id, kind: 'bindPolicy', created_at: now },
      result: { submissionId: submission.id, status: 'bound', quoteId: quote.id, policyId, clockOffsetDays: 0 },
    }),
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
