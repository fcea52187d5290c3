// A thousand payments, each meeting a refund of its invoice and a change of its policy: how many of them PostgreSQL had
// to end because transactions waited for each other in a circle.
import { deadlocks, sendPairs } from '../test/faults/money-pairs.ts';
import type { Setting } from './setting.ts';
import type { Comparison } from './table.ts';

const PAIRS = 1_000;

export async function countDeadlocks(setting: Setting, progress: (line: string) => void): Promise<Comparison> {
  const { id: org } = await setting.createOrganization('Measured Pairs');
  const as = (role: string) => setting.platform.as({ sub: `usr_bench_${role}`, role, org });
  const [billing, underwriter] = await Promise.all([as('billing_admin'), as('org_admin')]);
  progress(`${PAIRS} payments, each with a refund`);
  const odd = await sendPairs({ billing, underwriter, producerId: null, count: PAIRS });
  const count = await deadlocks(setting.database.ownerUrl);
  return {
    title: `${PAIRS} payments, each with a refund of its invoice and a change of its policy`,
    lines: [],
    verdicts: [
      { what: 'deadlocks', value: count, aim: { most: 0 } },
      { what: 'faults', value: odd.length, aim: { most: 0 } },
    ],
  };
}
