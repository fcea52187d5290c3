import { randomUUID } from 'node:crypto';
import anyTest, { type TestFn } from 'ava';
import {
  claimKey,
  finishKey,
  forgetKey,
  type KeyClaim,
  purgeKeys,
  releaseKey,
  type StoredAnswer,
} from '../../db/queries/platform/idempotency.ts';
import { addOrganization, type DatabaseContext, withDatabase } from './rows.ts';

const test = anyTest as TestFn<DatabaseContext>;
withDatabase(test);

const NOW_MS = Date.UTC(2026, 2, 1);
const LEASE_MS = 30_000;
const DAY_MS = 86_400_000;

const aClaim = (given: Partial<KeyClaim> = {}): KeyClaim => ({
  keyHash: randomUUID(),
  fingerprint: 'a body',
  nowMs: NOW_MS,
  leaseMs: LEASE_MS,
  ...given,
});

function claiming({ database, orgId }: DatabaseContext) {
  return (claim: KeyClaim, org = orgId) => database.forOrg(org, (em) => claimKey(em, claim));
}

test('of 30 simultaneous requests with one key exactly one may go on and the others learn that it is running', async (t) => {
  const claim = claiming(t.context);
  const key = aClaim();
  const outcomes = await Promise.all(Array.from({ length: 30 }, () => claim(key)));
  const of = Map.groupBy(outcomes, ({ outcome }) => outcome);
  t.is(of.get('claimed')?.length, 1);
  t.is(of.get('running')?.length, 29);
});

test('a finished request is answered with what was kept, word for word, and the kept answer stays', async (t) => {
  const { database, orgId } = t.context;
  const claim = claiming(t.context);
  const answers: StoredAnswer[] = [
    {
      status: 201,
      headers: { etag: '"a-1"' },
      body: { text: `it's \\ a ? :now $1 "ü"`, list: [1, null, { deep: true }] },
    },
    { status: 200, headers: {}, body: ['a', 'list'] },
    { status: 200, headers: {}, body: 'a text' },
    { status: 204, headers: {}, body: null },
  ];
  for (const answer of answers) {
    const key = aClaim();
    await claim(key);
    await database.forOrg(orgId, (em) => finishKey(em, key.keyHash, answer));
    await database.forOrg(orgId, (em) => finishKey(em, key.keyHash, { status: 500, headers: {}, body: null }));
    await database.forOrg(orgId, (em) => releaseKey(em, key.keyHash));
    t.deepEqual(await claim(key), { outcome: 'replay', ...answer });
  }
});

test('another body under the same key is refused while the first runs, when it is done and after it failed', async (t) => {
  const { database, orgId } = t.context;
  const claim = claiming(t.context);
  const key = aClaim();
  const other = { ...key, fingerprint: 'another body' };
  await claim(key);
  t.deepEqual(await claim(other), { outcome: 'mismatch' });
  await database.forOrg(orgId, (em) => releaseKey(em, key.keyHash));
  t.deepEqual(await claim(other), { outcome: 'mismatch' });
  await claim(key);
  await database.forOrg(orgId, (em) => finishKey(em, key.keyHash, { status: 201, headers: {}, body: {} }));
  t.deepEqual(await claim(other), { outcome: 'mismatch' });
});

test('a repeated attempt after a fault or a dead process goes on with the same seed, and one of several gets it', async (t) => {
  const { database, orgId } = t.context;
  const claim = claiming(t.context);
  const key = aClaim();
  const first = await claim(key);
  t.true(first.outcome === 'claimed');
  const seedUuid = first.outcome === 'claimed' ? first.seedUuid : '';
  await database.forOrg(orgId, (em) => releaseKey(em, key.keyHash));
  t.deepEqual(await claim(key), { outcome: 'resumed', seedUuid });

  const later = { ...key, nowMs: NOW_MS + LEASE_MS };
  t.deepEqual(await claim({ ...later, nowMs: later.nowMs - 1 }), { outcome: 'running' });
  const outcomes = await Promise.all(Array.from({ length: 10 }, () => claim(later)));
  t.is(outcomes.filter(({ outcome }) => outcome === 'running').length, 9);
  t.deepEqual(
    outcomes.find(({ outcome }) => outcome !== 'running'),
    { outcome: 'resumed', seedUuid },
  );
});

test('after 24 hours a key is as good as new, even for another body, with another seed', async (t) => {
  const { database, orgId } = t.context;
  const claim = claiming(t.context);
  const key = aClaim();
  const first = await claim(key);
  await database.forOrg(orgId, (em) => finishKey(em, key.keyHash, { status: 201, headers: {}, body: {} }));
  t.is((await claim({ ...key, nowMs: NOW_MS + DAY_MS - 1 })).outcome, 'replay');
  const again = await claim({ ...key, nowMs: NOW_MS + DAY_MS, fingerprint: 'another body' });
  t.is(again.outcome, 'claimed');
  t.notDeepEqual(again, first);
});

test('a forgotten key may be used for anything; a finished one is not forgotten', async (t) => {
  const { database, orgId } = t.context;
  const claim = claiming(t.context);
  const key = aClaim();
  await claim(key);
  await database.forOrg(orgId, (em) => forgetKey(em, key.keyHash));
  t.is((await claim({ ...key, fingerprint: 'another body' })).outcome, 'claimed');
  await database.forOrg(orgId, (em) => finishKey(em, key.keyHash, { status: 200, headers: {}, body: {} }));
  await database.forOrg(orgId, (em) => forgetKey(em, key.keyHash));
  t.is((await claim({ ...key, fingerprint: 'another body' })).outcome, 'replay');
});

test('one key of two organizations is two keys', async (t) => {
  const claim = claiming(t.context);
  const key = aClaim();
  const other = await addOrganization(t.context.database);
  t.is((await claim(key)).outcome, 'claimed');
  t.is((await claim(key, other)).outcome, 'claimed');
});

test('expired keys are purged and others stay', async (t) => {
  const { database } = t.context;
  const claim = claiming(t.context);
  const old = aClaim({ nowMs: Date.UTC(2020, 0, 1) });
  await claim(old);
  const purge = () => database.acrossOrgs('test', (em) => purgeKeys(em, Date.UTC(2020, 0, 2)));
  t.is(await purge(), 1);
  t.is(await purge(), 0);
});
