// A thousand pairs of operations that move money on one invoice, each with a change of its policy: how often
// PostgreSQL had to abort one because of a deadlock.
import { deadlocks, MEETINGS, sendPairs } from '../test/faults/money-pairs.ts';
import { testClient } from '../test/support/client.ts';
import type { Setting } from './setting.ts';
import type { Comparison } from './table.ts';

const PAIRS = 1_000;

export async function countDeadlocks(setting: Setting, progress: (line: string) => void): Promise<Comparison> {
  const { id: org } = await setting.createOrganization('Measured Pairs');
  const as = (role: string) => setting.platform.as({ sub: `usr_bench_${role}`, role, org });
  const [billing, underwriter] = await Promise.all([as('billing_admin'), as('org_admin')]);
  progress(`${PAIRS} pairs: ${MEETINGS.join(', ')}`);
  const anonymous = testClient(setting.platform.baseUrl, async () => ({}));
  const odd = await sendPairs({ orgId: org, anonymous, billing, underwriter, producerId: null, count: PAIRS });
  for (const what of odd) progress(what);
  const count = await deadlocks(setting.database.ownerUrl);
  return {
    title: `${PAIRS} pairs of payments, refunds, reversals, disputes and applications, each with a change of the policy`,
    lines: [],
    verdicts: [
      { what: 'deadlocks', value: count, aim: { most: 0 } },
      { what: 'faults', value: odd.length, aim: { most: 0 } },
    ],
  };
}
