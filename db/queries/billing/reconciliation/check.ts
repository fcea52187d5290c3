// One check of the reconciliation: a statement that puts two records of the same thing side by side, for a page of
// rows. A check is a file of its own, listed in registry.ts.
import type { CheckName } from '../../../../domain/billing/reconciliation/checks.ts';
import type { FindingEntity } from '../../../../domain/billing/reconciliation/report.ts';

/** The tables that checks page through, with what a finding about one of their rows names. */
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
  commission_records: 'commission_record',
  card_statement_lines: 'card_statement_line',
  card_payouts: 'card_payout',
  card_payout_lines: 'card_payout_line',
} as const satisfies Record<string, FindingEntity>;

/**
 * `sql` selects `id`, `part`, `expected` and `actual` for the rows of `page`, which are those of the table in the order
 * of their ids; where the two differ is a finding. It may name `:org` and `:since`: what began after that instant may
 * still be under way; null when the books are at rest. `:statementFrom` is the first instant of the card statement.
 */
export interface BookCheck {
  name: CheckName;
  over: keyof typeof PAGED;
  unit: 'cents' | 'count';
  sql: string;
  /** It needs the card statement, and is skipped without one. */
  needsStatement?: true;
}
