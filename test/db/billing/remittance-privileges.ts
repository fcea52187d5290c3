// What the application may do with money that leaves the trust, written by hand. Part of privileges.test.ts.
const ADDED = ['insert', 'select'];

/** Table → its privileges; a change names its columns. */
export const REMITTED_MONEY: Readonly<Record<string, readonly string[]>> = {
  remittances: [
    ...ADDED,
    ...['decided_at', 'decided_by', 'paid_on', 'reference', 'rejection_reason', 'status', 'updated_at', 'version'].map(
      (column) => `update ${column}`,
    ),
  ],
  remittance_lines: [...ADDED, 'update released'],
  trust_shortfalls: ADDED,
  card_payouts: [...ADDED, ...['failed_on', 'status', 'updated_at', 'version'].map((column) => `update ${column}`)],
  card_payout_lines: ADDED,
  bank_statements: [
    ...ADDED,
    ...['new_line_count', 'updated_at', 'withdrawn_at', 'withdrawn_by'].map((column) => `update ${column}`),
  ],
  bank_lines: [
    ...ADDED,
    ...['match_rule', 'matched_at', 'matched_by', 'repeat_of', 'updated_at', 'version', 'withdrawn'].map(
      (column) => `update ${column}`,
    ),
  ],
  bank_matches: [...ADDED, 'update released', 'update updated_at'],
};
