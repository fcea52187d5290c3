// Which policies a renewal batch picks up. Contract 3.2 "batch".
import anyTest, { type TestFn } from 'ava';
import type { Policy } from '../../../db/entities/policy/policy.ts';
import { dueForRenewal } from '../../../db/queries/renewal/renewal-batches.ts';
import { addOrganization, aPolicy, type DatabaseContext, withDatabase } from '../rows.ts';

const test = anyTest as TestFn<DatabaseContext>;
withDatabase(test);

const NON_RENEWAL = { reason: 'Losses', noticeDate: '2025-09-01' } as Policy['nonRenewal'];
const CANDIDATES: [what: string, given: Partial<Policy>, today: string, isDue: boolean][] = [
  ['that expires in 75 days', {}, '2025-10-18', true],
  ['that expires in 76 days', {}, '2025-10-17', false],
  ['that expires today', {}, '2026-01-01', true],
  ['that expired yesterday', {}, '2026-01-02', false],
  ['that is not to be renewed', { nonRenewal: NON_RENEWAL }, '2025-12-01', false],
  ['whose cancellation is announced', { status: 'pending_cancellation' }, '2025-12-01', false],
  ['that is cancelled', { status: 'cancelled' }, '2025-12-01', false],
  ['that has not begun', { status: 'pending' }, '2025-12-01', false],
];

for (const [what, given, today, isDue] of CANDIDATES) {
  test(`a batch of 75 days ${isDue ? 'takes' : 'leaves'} a policy ${what}`, async (t) => {
    const { database } = t.context;
    const orgId = await addOrganization(database);
    const term = { effectiveDate: '2025-01-01', expirationDate: '2026-01-01' };
    const id = await database.transaction(orgId, async (em) => aPolicy(em, { ...term, ...given }).id);
    const window = { today, withinDays: 75 };
    const { data } = await database.forOrg(orgId, (em) => dueForRenewal(em, window, { limit: 10 }));
    t.deepEqual(data, isDue ? [id] : []);
  });
}

for (const [status, isTaken] of [
  ['pending', false],
  ['active', false],
  ['cancelled', true],
  ['lapsed', true],
] as const) {
  test(`a batch ${isTaken ? 'takes' : 'leaves'} a policy whose next term is ${status}`, async (t) => {
    const { database } = t.context;
    const orgId = await addOrganization(database);
    const id = await database.transaction(orgId, async (em) => {
      const old = aPolicy(em, { effectiveDate: '2025-01-01', expirationDate: '2026-01-01' });
      await em.flush();
      const next = { effectiveDate: '2026-01-01', expirationDate: '2027-01-01', insuredId: old.insuredId };
      aPolicy(em, { ...next, status, renewalOf: old.id });
      return old.id;
    });
    const window = { today: '2025-12-01', withinDays: 75 };
    const { data } = await database.forOrg(orgId, (em) => dueForRenewal(em, window, { limit: 10 }));
    t.deepEqual(data, isTaken ? [id] : []);
  });
}
