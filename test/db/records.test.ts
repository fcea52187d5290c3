import { createHash, randomUUID } from 'node:crypto';
import anyTest, { type TestFn } from 'ava';
import { ApiKey } from '../../db/entities/access/api-key.ts';
import { Appointment } from '../../db/entities/distribution/appointment.ts';
import { Producer } from '../../db/entities/distribution/producer.ts';
import { Organization } from '../../db/entities/platform/organization.ts';
import { Submission } from '../../db/entities/submission/submission.ts';
import { isUniqueViolation } from '../../db/faults.ts';
import { newId } from '../../db/ids.ts';
import { findApiKeysByHash, isTouchDue, touchApiKey } from '../../db/queries/access/api-keys.ts';
import {
  authorityOf,
  producerIdsOf,
  putRelation,
  relationsOf,
  removeRelation,
} from '../../db/queries/access/relations.ts';
import { sellerFor } from '../../db/queries/distribution/producers.ts';
import { commandResult, saveCommand } from '../../db/queries/platform/commands.ts';
import { businessToday } from '../../db/queries/platform/organizations.ts';
import { findPolicy, lockPolicy, policyTransactions } from '../../db/queries/policy/policies.ts';
import { lockOwnTerms } from '../../db/queries/portal/profiles.ts';
import { addRateTable, rateTableOn, surplusLinesRateOn } from '../../db/queries/submission/rates.ts';
import { likelyDuplicate } from '../../db/queries/submission/submissions.ts';
import { ANY_SCOPE } from '../../db/scope.ts';
import { sellerGap } from '../../domain/distribution/producer.ts';
import { eventually } from '../support/eventually.ts';
import { addOrganization, aPolicy, aSubmission, aTransaction, type DatabaseContext, withDatabase } from './rows.ts';

const test = anyTest as TestFn<DatabaseContext>;
withDatabase(test);

test('the second of two transactions that keep a result for one command fails and leaves nothing behind', async (t) => {
  const { database, orgId } = t.context;
  const id = randomUUID();
  const carryOut = () =>
    database.transaction(orgId, async (em) => {
      const submission = aSubmission(em);
      saveCommand(em, id, 'test', { submissionId: submission.id });
      return submission.id;
    });
  const [first, second] = await Promise.allSettled([carryOut(), carryOut()]);
  const winner = first.status === 'fulfilled' ? first : second;
  const loser = first.status === 'fulfilled' ? second : first;
  t.true(winner.status === 'fulfilled' && loser.status === 'rejected');
  t.true(loser.status === 'rejected' && isUniqueViolation(loser.reason, 'commands_pkey'));
  t.false(loser.status === 'rejected' && isUniqueViolation(loser.reason, 'another'));
  const kept = await database.forOrg(orgId, (em) => commandResult(em, id));
  t.deepEqual(kept, { submissionId: winner.status === 'fulfilled' ? winner.value : null });
  t.is(await database.forOrg(orgId, (em) => commandResult(em, randomUUID())), null);
});

test('rows come back as they were written: cents, days, instants, JSON, null', async (t) => {
  const { database, orgId } = t.context;
  const boundAt = new Date('2026-03-01T23:59:59.999Z');
  const written = await database.transaction(orgId, async (em) =>
    aPolicy(em, {
      grossPremiumCents: 100_000_000_000_001,
      totalDueCents: 100_000_000_000_001,
      boundAt,
      usdotNumber: null,
    }),
  );
  const read = await database.forOrg(orgId, (em) => findPolicy(em, written.id));
  t.is(read?.grossPremiumCents, 100_000_000_000_001);
  t.is(read?.effectiveDate, '2026-03-01');
  t.deepEqual(read?.boundAt, boundAt);
  t.is(read?.usdotNumber, null);
  t.is(written.cancellation, null);
  t.deepEqual({ ...read }, { ...written });
});

test('a change counts the version up, and a write from an older version is refused', async (t) => {
  const { database, orgId } = t.context;
  const { id } = await database.transaction(orgId, async (em) => aSubmission(em));
  const change = (description: string) =>
    database.transaction(orgId, async (em) => {
      const row = await em.findOneOrFail(Submission, { id });
      row.description = description;
      await em.flush();
      return row.version;
    });
  t.is(await change('one'), 2);
  const late = database.transaction(orgId, async (em) => {
    const row = await em.findOneOrFail(Submission, { id });
    await change('two');
    row.description = 'three';
  });
  await t.throwsAsync(late, { name: 'OptimisticLockError' });
});

test('the transactions of a policy come in the order of their sequence, each sequence once', async (t) => {
  const { database, orgId } = t.context;
  const policyId = await database.transaction(orgId, async (em) => {
    const { id } = aPolicy(em);
    aTransaction(em, id).sequence = 2;
    aTransaction(em, id).sequence = 1;
    return id;
  });
  const rows = await database.forOrg(orgId, (em) => policyTransactions(em, policyId));
  t.deepEqual(
    rows.map(({ sequence }) => sequence),
    [1, 2],
  );
  const twice = database.transaction(orgId, async (em) => aTransaction(em, policyId));
  t.true(isUniqueViolation(await t.throwsAsync(twice), 'policy_transactions_sequence_unique'));
});

test('keys are found by their hashes from any scope, and the use of one is recorded at most once a minute', async (t) => {
  const { database, orgId } = t.context;
  const hash = createHash('sha256').update(randomUUID()).digest('hex');
  const facts = { name: 'A key', hash, displayPrefix: 'svck_test_a', scopes: ['events:read'], createdBy: 'usr_test' };
  const maker = { makerRole: 'org_admin', throughOperator: false } as const;
  await database.transaction(orgId, async (em) => em.create(ApiKey, { ...facts, ...maker }));
  const find = (...hashes: string[]) => database.forOrg(ANY_SCOPE, (em) => findApiKeysByHash(em, hashes));
  const [nobody, found] = await find('nonsense', hash);
  t.is(nobody, null);
  t.like(found?.key, { orgId, scopes: ['events:read'], lastUsedAt: null, revokedAt: null });
  t.deepEqual(found?.maker, [], 'the maker is no stored user');
  const touch = async (nowMs: number) => {
    const row = (await find(hash))[0]?.key;
    if (row && isTouchDue(row, nowMs)) await database.forOrg(orgId, (em) => touchApiKey(em, row, nowMs));
    return (await find(hash))[0]?.key.lastUsedAt?.getTime();
  };
  t.is(await touch(1_000_000), 1_000_000);
  t.is(await touch(1_059_999), 1_000_000);
  t.is(await touch(1_060_000), 1_060_000);
});

test('the rate table in force on a date is the latest that began by then, the newer of two on one day', async (t) => {
  const { database } = t.context;
  const orgId = await addOrganization(database);
  const versions: Record<string, string> = {};
  await database.transaction(orgId, async (em) => {
    const first = await rateTableOn(em, 'GL', '2026-01-01');
    if (!first) return;
    versions.default = first.id;
    for (const [name, effectiveFrom] of [
      ['july', '2026-07-01'],
      ['july again', '2026-07-01'],
      ['march', '2026-03-01'],
    ] as const) {
      versions[name] = addRateTable(em, { effectiveFrom, table: first.table, createdBy: 'usr_test' }).id;
      await em.flush();
    }
  });
  const on = (date: string) => database.forOrg(orgId, async (em) => (await rateTableOn(em, 'GL', date))?.id);
  t.is(await on('2026-02-28'), versions.default);
  t.is(await on('2026-03-01'), versions.march);
  t.is(await on('2026-06-30'), versions.march);
  t.is(await on('2026-07-01'), versions['july again']);
});

test('a state’s surplus-lines rates are those of the date', async (t) => {
  const { database, orgId } = t.context;
  const stamping = (date: string) =>
    database.forOrg(orgId, async (em) => (await surplusLinesRateOn(em, 'TX', date))?.stampingRate);
  t.is(await stamping('2023-12-31'), '0.00075');
  t.is(await stamping('2024-01-01'), '0.0004');
  t.is(await database.forOrg(orgId, (em) => surplusLinesRateOn(em, 'XX', '2026-01-01')), null);
});

test('a producer is appointed while active, by the carrier, for the line and state, from the first day and before the last', async (t) => {
  const { database, orgId } = t.context;
  const [producerId, suspendedId] = await database.transaction(orgId, async (em) =>
    (['active', 'suspended'] as const).map((status) => {
      const { id } = em.create(Producer, { id: newId('producer'), name: 'A producer', status });
      const terms = { state: 'TX', lineOfBusiness: 'GL', carrier: 'A carrier', status: 'active' } as const;
      em.create(Appointment, { producerId: id, ...terms, effectiveDate: '2026-01-01', expirationDate: '2026-12-31' });
      em.create(Appointment, { producerId: id, ...terms, state: 'FL', status: 'pending' });
      return id;
    }),
  );
  const ask = async (given: object, carrier: string | null = 'A carrier') => {
    const sale = { producerId: producerId ?? '', state: 'TX', lineOfBusiness: 'GL', date: '2026-06-01', ...given };
    const seller = await database.forOrg(orgId, (em) => sellerFor(em, sale));
    return seller !== null && sellerGap(seller, carrier) === null;
  };
  t.true(await ask({}));
  t.true(await ask({ date: '2026-01-01' }));
  t.false(await ask({ date: '2025-12-31' }));
  t.false(await ask({ date: '2026-12-31' }));
  t.false(await ask({ lineOfBusiness: 'CP' }));
  t.false(await ask({ state: 'FL' }));
  t.false(await ask({ producerId: suspendedId }));
  t.false(await ask({}, 'Another carrier'));
  t.true(await ask({}, null));
});

test('a relation put twice is there once with the later limits, and can be removed', async (t) => {
  const { database, orgId } = t.context;
  const subject = { subjectType: 'user', subjectId: newId('user') };
  const authority = { objectType: 'organization', objectId: orgId, relation: 'authority', ...subject };
  const member = { objectType: 'producer', objectId: newId('producer'), relation: 'member', ...subject };
  const limits = (maxLimitCents: number) => ({ maxLimitCents, maxPremiumCents: 1, linesOfBusiness: null });
  await database.forOrg(orgId, async (em) => {
    await putRelation(em, { ...authority, limits: limits(1) });
    await putRelation(em, { ...authority, limits: limits(2) });
    await putRelation(em, member);
    const relations = await relationsOf(em, subject.subjectId);
    t.is(relations.length, 2);
    t.deepEqual(authorityOf(relations), limits(2));
    t.deepEqual(producerIdsOf(relations), [member.objectId]);
    t.true(await removeRelation(em, member));
    t.false(await removeRelation(em, member));
  });
});

test('a likely duplicate is the oldest earlier submission of the risk that has not ended without coverage', async (t) => {
  const { database } = t.context;
  const orgId = await addOrganization(database);
  const [, first, second, last] = await database.transaction(orgId, async (em) => [
    aSubmission(em, { status: 'withdrawn' }),
    aSubmission(em, { effectiveDate: '2026-01-30' }),
    aSubmission(em, { effectiveDate: '2026-03-31' }),
    aSubmission(em, { effectiveDate: '2026-03-01', insuredName: 'The Blue Door Diner, Inc.' }),
    aSubmission(em, { state: 'FL' }),
  ]);
  const ask = (id: string | undefined, effectiveDate: string) =>
    database.forOrg(orgId, (em) =>
      likelyDuplicate(em, {
        ...{ id: id ?? '', insuredName: 'Blue Door Diner LLC', insuredNameNormalized: 'blue door diner' },
        ...{ state: 'TX', lineOfBusiness: 'GL', effectiveDate },
      }),
    );
  t.is(await ask(last?.id, '2026-03-01'), first?.id);
  t.is(await ask(last?.id, '2026-03-02'), second?.id);
  t.is(await ask(second?.id, '2026-05-01'), null);
});

test('the business date is the UTC date plus the organization’s offset', async (t) => {
  const { database } = t.context;
  const orgId = await addOrganization(database);
  const nowMs = Date.UTC(2026, 1, 27, 23, 59);
  const today = () => database.forOrg(orgId, (em) => businessToday(em, orgId, nowMs));
  t.is(await today(), '2026-02-27');
  await database.forOrg(orgId, (em) => em.nativeUpdate(Organization, { id: orgId }, { clockOffsetDays: 2 }));
  t.is(await today(), '2026-03-01');
  await t.throwsAsync(
    database.forOrg(orgId, (em) => businessToday(em, newId('organization'), nowMs)),
    { code: 'not_found' },
  );
});

test("an insured's contact waits for the renewal that holds a term, and reaches the term that it has added", async (t) => {
  const { database, orgId } = t.context;
  const first = await database.transaction(orgId, (em) => Promise.resolve(aPolicy(em)));
  const [isHeld, mayCommit] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const renewal = database.transaction(orgId, async (em) => {
    await lockPolicy(em, first.id);
    isHeld.resolve();
    await mayCommit.promise;
    return aPolicy(em, { insuredId: first.insuredId, renewalOf: first.id });
  });
  await isHeld.promise;
  const locked = database.transaction(orgId, (em) => lockOwnTerms(em, first.id));
  const waiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
    and query like '%policies%'`;
  await eventually(() => database.forOrg(orgId, async (em) => (await em.execute(waiting)).length === 1), {
    what: 'the change to wait',
  });
  mayCommit.resolve();
  const next = await renewal;
  t.deepEqual(new Set((await locked).map(({ id }) => id)), new Set([first.id, next.id]));
});
