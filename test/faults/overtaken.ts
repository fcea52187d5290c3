// What the tests of overtaken commands expect: a refusal with its details, and nothing written.
import type { ExecutionContext } from 'ava';
import type { TestResponse } from '../support/client.ts';
import type { Rows } from './bind.ts';

const TABLES = [
  'quotes',
  'policies',
  'policy_transactions',
  'invoices',
  'referrals',
  'commands',
  'audit_entries',
  'events',
];

/** How many rows an organization has of everything that a command writes. */
export function written(rows: Rows, orgId: string): Promise<{ audit_entries: number; referrals: number }[]> {
  const counts = TABLES.map((table) => `(select count(*)::int from ${table} where org_id = $1) as ${table}`);
  const used = '(select coalesce(sum(used_cents), 0)::int from da_usage where org_id = $1) as used';
  return rows.query(`select ${[...counts, used].join(', ')}`, [orgId]);
}

/** Asserts that an answer is 403 with these details. */
export function forbidden(t: ExecutionContext, answer: TestResponse, details: object): void {
  t.is(answer.status, 403, answer.text);
  t.is(answer.body.error, 'forbidden');
  t.deepEqual(answer.body.details, details);
}
