// What the application may do with the rows that provider reports change, by table, written by hand. Part of
// privileges.test.ts.

const CHANGES: Readonly<Record<string, readonly string[]>> = {
  sent_mails: ['bounced_at', 'complained_at', 'delivered_at', 'failed_at', 'opened_at', 'updated_at'],
  signing_envelopes: [
    ...['completed_at', 'external_id', 'next_step_on', 'reminded_at', 'sent_at', 'signed_document_id', 'status'],
    ...['updated_at', 'version', 'void_reason'],
  ],
};

export const CHANGED_BY_PROVIDERS: Readonly<Record<string, string[]>> = Object.fromEntries(
  Object.entries(CHANGES).map(([table, columns]) => [
    table,
    ['insert', 'select', ...columns.map((column) => `update ${column}`)],
  ]),
);
