import { randomUUID } from 'node:crypto';
import anyTest, { type TestFn } from 'ava';
import pg from 'pg';
import { type Presence, showPresence } from '../../../db/presence.ts';
import {
  claimKey,
  finishKey,
  forgetKey,
  type KeyClaim,
  type KeyClaimOutcome,
  purgeKeys,
  releaseKey,
  type StoredAnswer,
} from '../../../db/queries/platform/idempotency.ts';
import { eventually } from '../../support/eventually.ts';
import { addOrganization, type DatabaseContext, withDatabase } from '../rows.ts';

/** Waits until a presence is shown; returns its id. */
const shown = (presence: Presence) => eventually(() => presence.id(), { what: 'presence' });

const outcomes = async (claim: (key: KeyClaim) => Promise<KeyClaimOutcome>, keys: readonly KeyClaim[]) => {
  const seen = [];
  for (const key of keys) seen.push((await claim(key)).outcome);
  return seen;
};

async function asOwner({ urls }: DatabaseContext, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: urls.ownerUrl });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

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
  holder: null,
  ...given,
});

const anAnswer = (given: Partial<StoredAnswer> = {}): StoredAnswer => ({
  ...{ status: 201, headers: {}, body: '{}', sealedWith: null },
  ...given,
});

function claiming({ database, orgId }: DatabaseContext) {
  return (claim: KeyClaim, org = orgId) => database.forOrg(org, (em) => claimKey(em, claim));
}

test('exactly one of 30 simultaneous requests with one key may go on and the others learn that it is running', async (t) => {
  const claim = claiming(t.context);
  const key = aClaim();
  const outcomes = await Promise.all(Array.from({ length: 30 }, () => claim(key)));
  const of = Map.groupBy(outcomes, ({ outcome }) => outcome);
  t.is(of.get('claimed')?.length, 1);
  t.is(of.get('running')?.length, 29);
});

test('a finished request returns the kept response, word for word, and the response stays', async (t) => {
  const { database, orgId } = t.context;
  const claim = claiming(t.context);
  const answers: StoredAnswer[] = [
    {
      ...{ status: 201, headers: { etag: '"a-1"' }, sealedWith: null },
      body: `{"z": "it's \\\\ a ? :now $1 ü", "a":  [1.0, null, 1e3] }`,
    },
    { status: 200, headers: {}, body: 'a text', sealedWith: null },
    { status: 200, headers: {}, body: 'bm9uc2Vuc2U=', sealedWith: 'k1' },
    { status: 204, headers: {}, body: null, sealedWith: null },
  ];
  for (const answer of answers) {
    const key = aClaim();
    await claim(key);
    await database.forOrg(orgId, (em) => finishKey(em, key.keyHash, answer));
    await database.forOrg(orgId, (em) => finishKey(em, key.keyHash, anAnswer({ status: 500 })));
    await database.forOrg(orgId, (em) => releaseKey(em, key.keyHash, 'fault'));
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
  await database.forOrg(orgId, (em) => releaseKey(em, key.keyHash, 'fault'));
  t.deepEqual(await claim(other), { outcome: 'mismatch' });
  await claim(key);
  await database.forOrg(orgId, (em) => finishKey(em, key.keyHash, anAnswer()));
  t.deepEqual(await claim(other), { outcome: 'mismatch' });
});

test('a repeated attempt after a fault or a dead process goes on with the same seed, and one of several gets it', async (t) => {
  const { database, orgId } = t.context;
  const claim = claiming(t.context);
  const key = aClaim();
  const first = await claim(key);
  t.true(first.outcome === 'claimed');
  const seedUuid = first.outcome === 'claimed' ? first.seedUuid : '';
  await database.forOrg(orgId, (em) => releaseKey(em, key.keyHash, 'fault'));
  t.deepEqual(await claim(key), { outcome: 'resumed', seedUuid, attempt: 2, isRepeat: true });

  const later = { ...key, nowMs: NOW_MS + LEASE_MS };
  const running = { seedUuid, attempt: 2, isRepeat: true };
  t.deepEqual(await claim({ ...later, nowMs: later.nowMs - 1 }), { outcome: 'running', running });
  const outcomes = await Promise.all(Array.from({ length: 10 }, () => claim(later)));
  t.is(outcomes.filter(({ outcome }) => outcome === 'running').length, 9);
  t.deepEqual(
    outcomes.find(({ outcome }) => outcome !== 'running'),
    { outcome: 'resumed', seedUuid, attempt: 2, isRepeat: true },
  );
});

test('an attempt whose outcome is unknown is repeated as the same one, and a key used again after a day begins with the first', async (t) => {
  const { database, orgId } = t.context;
  const claim = claiming(t.context);
  const key = aClaim();
  await claim(key);
  await database.forOrg(orgId, (em) => releaseKey(em, key.keyHash, 'unknown'));
  t.like(await claim(key), { outcome: 'resumed', attempt: 1, isRepeat: true });
  await database.forOrg(orgId, (em) => releaseKey(em, key.keyHash, 'fault'));
  t.like(await claim({ ...key, nowMs: NOW_MS + 25 * 3_600_000 }), { outcome: 'claimed', attempt: 1, isRepeat: false });
});

test('a key whose process is gone is free immediately, with the same seed; one whose process lives is not', async (t) => {
  const claim = claiming(t.context);
  const [gone, alive] = [showPresence(t.context.urls.appUrl), showPresence(t.context.urls.appUrl)];
  t.teardown(() => alive.close());
  const holder = await shown(gone);
  const keys = [aClaim({ holder }), aClaim({ holder: await shown(alive) }), aClaim()] as const;
  const seeds = [];
  for (const key of keys) seeds.push(await claim(key));
  t.deepEqual(await outcomes(claim, keys), ['running', 'running', 'running']);
  await gone.close();
  t.is(gone.id(), null);
  t.deepEqual(await claim(keys[0]), { ...seeds[0], outcome: 'resumed', isRepeat: true });
  t.deepEqual(await outcomes(claim, keys), ['resumed', 'running', 'running']);
});

test('presence comes back with the database, under the same name', async (t) => {
  const presence = showPresence(t.context.urls.appUrl);
  t.teardown(() => presence.close());
  const holder = await shown(presence);
  const claim = claiming(t.context);
  const key = aClaim({ holder });
  await claim(key);
  const isEnded = await asOwner(
    t.context,
    `select pg_terminate_backend(pid) as ended from pg_locks
    where locktype = 'advisory' and objid = ${holder} and granted`,
  );
  t.deepEqual(isEnded, [{ ended: true }]);
  await eventually(() => presence.id() === null, { what: 'the loss to be noticed' });
  t.is(await shown(presence), holder);
  t.is((await claim(key)).outcome, 'running');
});

test('a key is as good as new after 24 hours, even for another body, with another seed', async (t) => {
  const { database, orgId } = t.context;
  const claim = claiming(t.context);
  const key = aClaim();
  const first = await claim(key);
  await database.forOrg(orgId, (em) => finishKey(em, key.keyHash, anAnswer()));
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
  await database.forOrg(orgId, (em) => finishKey(em, key.keyHash, anAnswer()));
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
