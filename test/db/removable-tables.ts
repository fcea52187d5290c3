// The tables whose rows somebody may remove, written by hand. Part of privileges.test.ts.

/**
 * The only rows that the services remove: notices that are done, relations and switches that are taken back, answers
 * and values that expire, what was said in a first notice of which no claim has come, devices of insureds that have
 * moved or are gone, addresses that take mail again, addresses of calendars, sums that are built from other rows,
 * requests and notices of devices of earlier days.
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
    'undeliverable_addresses',
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
