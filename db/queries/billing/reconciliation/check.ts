// One reconciliation check: a statement that compares two records of the same thing, for a page of rows. Each check has
// its own file, listed in registry.ts.
import type { CheckName } from '../../../../domain/billing/reconciliation/checks.ts';
import type { FindingEntity } from '../../../../domain/billing/reconciliation/report.ts';

/** The tables that checks page through, with what a finding names about one of their rows. */
export const PAGED = {
  policies: 'policy',
  invoices: 'invoice',
  payments: 'payment',
  disbursements: 'disbursement',
  remittances: 'remittance',
  trust_shortfalls: 'trust_shortfall',
  claim_payments: 'claim_payment',
  claim_recoveries: 'claim_recovery',
  loss_fund_deposits: 'loss_fund_deposit',
  ledger_entries: 'ledger_entry',
  journals: 'journal',
  commission_records: 'commission_record',
  card_statement_lines: 'card_statement_line',
  card_payouts: 'card_payout',
  card_payout_lines: 'card_payout_line',
} as const satisfies Record<string, FindingEntity>;

/**
 * `sql` selects `id`, `part`, `expected` and `actual` for the rows of `page`, the table's rows in id order; any
 * difference is a finding. It may use `:org` and `:since`: what began after that instant may still be in progress; null
 * when the books are at rest. `:statementFrom` is the first instant of the card statement.
 */
export interface BookCheck {
  name: CheckName;
  over: keyof typeof PAGED;
  unit: 'cents' | 'count';
  sql: string;
  /** Skipped without a card statement. */
  needsStatement?: true;
}
