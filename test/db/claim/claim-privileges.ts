// What the application may do with claim money, written by hand. Part of privileges.test.ts.
const ADDED = ['insert', 'select'];

/** Table → its privileges; a change names its columns. */
export const CLAIM_MONEY: Readonly<Record<string, readonly string[]>> = {
  claims: [
    ...ADDED,
    ...changes(
      ...['adjuster_id', 'clocks', 'closed_at', 'closure', 'coverage', 'coverage_flags', 'deductible_taken_cents'],
      ...[
        'denial',
        'entries',
        'is_assigned',
        'next_step_on',
        'paid_expense_cents',
        'paid_indemnity_cents',
        'recovered_cents',
      ],
      ...['reserve_expense_cents', 'reserve_indemnity_cents', 'settlement', 'status', 'updated_at', 'version'],
    ),
  ],
  claim_payments: [
    ...ADDED,
    ...changes('paid_on', 'requested_cents', 'status', 'updated_at', 'version', 'void_note_id', 'voided_on'),
  ],
  claim_recoveries: ADDED,
  loss_fund_deposits: ADDED,
  loss_funds: [...ADDED, ...changes('balance_cents', 'requested_cents', 'updated_at')],
};

function changes(...columns: string[]): string[] {
  return columns.map((column) => `update ${column}`);
}
