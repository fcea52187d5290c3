// The tables whose rows may be deleted, written by hand. Part of privileges.test.ts.

/**
 * The only rows that the services delete: completed notices, revoked relations and switches, expired answers and
 * values, the texts of a first notice that never became a claim, devices of insureds that have moved or are gone,
 * addresses that accept e-mail again, deliveries that no longer wait or have ended, calendar addresses, sums built
 * from other rows, and earlier days' requests and device notices.
 */
export const REMOVABLE: Readonly<Record<string, readonly string[]>> = {
  bindery_app: [
    'calendar_feeds',
    'commission_facts',
    'due_notices',
    'flag_overrides',
    'idempotency_keys',
    'kv_entries',
    'portfolio_changes',
    'portfolio_facts',
    'portfolio_marks',
    'push_tokens',
    'quote_lags',
    'receivable_facts',
    'relations',
    'sending_deliveries',
    'undeliverable_addresses',
    'waiting_deliveries',
  ],
  bindery_ops: [
    'claim_particulars',
    'idempotency_keys',
    'push_notices',
    'requests',
    'sanctions_entries',
    'surplus_lines_rates',
    'webhook_deliveries',
  ],
  bindery_auth: ['accounts', 'kv_entries', 'sessions', 'verifications'],
};
