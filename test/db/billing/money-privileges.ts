// What the application may do with money records, written by hand. Part of privileges.test.ts.
import { CLAIM_MONEY } from '../claim/claim-privileges.ts';
import { CHANGED_BY_PROVIDERS } from '../provider-privileges.ts';
import { REMITTED_MONEY } from './remittance-privileges.ts';

/** Sums that can be rebuilt from other records: they are not books, so the application may delete their rows too. */
export const SUMS = ['commission_facts', 'portfolio_facts', 'receivable_facts'];

/** A row may be added and read. */
export const ADDED = ['insert', 'select'];

/**
 * What bindery_app may do with each money record; a change names its columns. bindery_ops reads them, bindery_auth has
 * no access.
 */
export const MONEY: Readonly<Record<string, readonly string[]>> = {
  payments: [
    ...ADDED,
    ...changes(
      ...['allocations', 'amount_cents', 'applied_cents', 'approval', 'before_paid_cents', 'charge_id'],
      ...['covered_cents', 'dispute', 'processor_refunded_cents', 'receipt_bytes', 'receipt_sha256', 'reference'],
      ...['saga_ended_at', 'status', 'take_backs', 'taken_back_cents', 'updated_at', 'version'],
    ),
  ],
  disbursements: [
    ...ADDED,
    ...changes(
      ...[
        'cancel_reason',
        'cancelled_cents',
        'cancelled_on',
        'cleared_on',
        'issued_as',
        'issued_on',
        'issues',
        'kept_cents',
        'method',
      ],
      ...['reference', 'status', 'stop_reason', 'stopped_on', 'updated_at', 'version'],
    ),
  ],
  ...CLAIM_MONEY,
  payment_intents: [
    ...ADDED,
    ...changes('autopay_on', 'cancellation', 'failure_code', 'processor_id', 'status', 'updated_at', 'version'),
  ],
  autopays: [
    ...ADDED,
    ...changes(
      ...['card', 'customer_key', 'payment_method_key', 'setup_id', 'status', 'suspended_reason', 'updated_at'],
      'version',
    ),
  ],
  autopay_setups: [...ADDED, ...changes('setup_intent_key', 'status', 'updated_at', 'version')],
  invoices: [
    ...ADDED,
    ...changes(
      ...[
        'autopay_notice_for',
        'disputed',
        'due_date',
        'first_due_date',
        'last_payment_error',
        'lines',
        'paid_cents',
        'refunded_before_paid_cents',
        'refunded_cents',
      ],
      ...['total_cents', 'uncollectible_at', 'updated_at', 'version', 'voided_at', 'voided_by'],
    ),
  ],
  invoice_adjustments: ADDED,
  trust_reconciliations: [
    ...ADDED,
    ...changes('checks', 'figures', 'finished_at', 'is_clean', 'liabilities', 'status', 'updated_at'),
  ],
  card_statement_lines: [...ADDED, ...changes('amount_cents', 'updated_at')],
  da_usage: [...ADDED, ...changes('updated_at', 'used_cents')],
  org_counters: [...ADDED, ...changes('value')],
  policy_number_counters: [...ADDED, ...changes('value')],
  ledger_periods: [
    ...ADDED,
    ...changes(
      ...['balances', 'closed_at', 'closed_by', 'reopen_reason', 'reopened_at', 'reopened_by', 'status'],
      ...['updated_at', 'version'],
    ),
  ],
  ledger_accounts: ['select'],
  ledger_entries: ADDED,
  ledger_lines: ADDED,
  ...REMITTED_MONEY,
  journals: [
    ...ADDED,
    ...changes('decided_at', 'decided_by', 'entry_id', 'rejection_reason', 'status', 'updated_at', 'version'),
  ],
  step_skips: [...ADDED, ...changes('mended_by', 'updated_at')],
  commission_records: ADDED,
  commission_schedules: ADDED,
  producer_terms: ADDED,
  rate_tables: ADDED,
  inbound_events: ADDED,
  ...CHANGED_BY_PROVIDERS,
  policy_transactions: ADDED,
  transaction_billings: ADDED,
  commands: ADDED,
  da_contracts: [...ADDED, 'update'],
  policies: [...ADDED, 'update'],
  quotes: [...ADDED, 'update'],
  referrals: [...ADDED, 'update'],
  submissions: [...ADDED, 'update'],
  surplus_lines_rates: ['select'],
};

/** The privileges to change columns. */
export function changes(...columns: string[]): string[] {
  return columns.map((column) => `update ${column}`);
}
