import { setImmediate } from 'node:timers/promises';
import anyTest, { type TestFn } from 'ava';
import { verifyAudit } from '../../../db/audit/audit-verification.ts';
import { CHAIN_START } from '../../../db/audit-chain.ts';
import { AuditLink } from '../../../db/entities/platform/audit-link.ts';
import { AuditSeal } from '../../../db/entities/platform/audit-seal.ts';
import type { Database } from '../../../db/orm.ts';
import { writeAudit } from '../../../db/queries/platform/audit.ts';
import { holdChain } from '../../../db/queries/platform/audit-chain.ts';
import { PLATFORM_SCOPE } from '../../../db/scope.ts';
import { addOrganization, type DatabaseContext, withDatabase } from '../rows.ts';
import { asOwner, fact, SEALED_AT_MS, seal, writeRows } from './audit-rows.ts';

const test = anyTest as TestFn<DatabaseContext>;
withDatabase(test);

const sealsOf = (database: Database, orgId: string) =>
  database.forOrg(orgId, (em) => em.find(AuditSeal, {}, { orderBy: { sequence: 'asc' } }));

/** Sealed rows in chain order. */
const chainOf = (database: Database, orgId: string) =>
  database.forOrg(orgId, async (em) =>
    (await em.find(AuditLink, { sequence: { $ne: null } }, { orderBy: { sequence: 'asc', ordinal: 'asc' } })).map(
      ({ entryId }) => entryId,
    ),
  );

test.serial(
  'one seal covers the rows since the last one, in batches that go on where the one before ended',
  async (t) => {
    const { database } = t.context;
    const orgId = await addOrganization(database);
    const ids = await writeRows(database, orgId, 5);
    t.true((await seal(database, 2)).isMoreLikely);
    t.like(await verifyAudit(database, orgId), { seals: 1, entries: 2, fault: null, unsealed: { count: 3 } });
    await seal(database, 2);
    await seal(database, 2);
    t.deepEqual(
      (await sealsOf(database, orgId)).map(({ sequence, entryCount }) => [sequence, entryCount]),
      [
        [1, 2],
        [2, 2],
        [3, 1],
      ],
    );
    t.deepEqual(await chainOf(database, orgId), ids);
    const [first, second, third] = await sealsOf(database, orgId);
    t.is(first!.previousHash, CHAIN_START);
    t.is(second!.previousHash, first!.hash);
    t.is(third!.previousHash, second!.hash);
    t.is(third!.sealedAt.getTime(), SEALED_AT_MS);
    t.deepEqual(await seal(database), { seals: 0, entries: 0, isMoreLikely: false });
    t.like(await verifyAudit(database, orgId), {
      ...{ seals: 3, entries: 5, fault: null, head: { sequence: 3, hash: third!.hash } },
      unsealed: { count: 0, oldestAt: null },
    });
  },
);

test.serial('each organization has a chain of its own, and so has the installation', async (t) => {
  const { database } = t.context;
  const orgs = [await addOrganization(database), await addOrganization(database), PLATFORM_SCOPE];
  const written = new Map<string, string[]>();
  for (const orgId of orgs) written.set(orgId, await writeRows(database, orgId, 3));
  t.like(await seal(database), { seals: 3, entries: 9 });
  for (const orgId of orgs) {
    t.deepEqual(await chainOf(database, orgId), written.get(orgId)!);
    t.like(await verifyAudit(database, orgId), { seals: 1, entries: 3, fault: null });
  }
});

test.serial('a row whose transaction began before a seal and commits after it is in the next seal', async (t) => {
  const { database } = t.context;
  const orgId = await addOrganization(database);
  const begun = Promise.withResolvers<void>();
  const go = Promise.withResolvers<void>();
  const late = database.transaction(orgId, async (em) => {
    const row = writeAudit(em, fact(1));
    await em.flush();
    begun.resolve();
    await go.promise;
    return row.id;
  });
  await begun.promise;
  const quick = await writeRows(database, orgId, 2);
  await seal(database);
  t.deepEqual(await chainOf(database, orgId), quick);
  go.resolve();
  const lateId = await late;
  t.true(lateId < quick[0]!);
  await seal(database);
  t.deepEqual(await chainOf(database, orgId), [...quick, lateId]);
  t.like(await verifyAudit(database, orgId), { seals: 2, entries: 3, fault: null });
});

test.serial(
  'neither a writer nor another process that seals waits for a seal under way, and rolled back rows are not sealed',
  async (t) => {
    const { database } = t.context;
    const orgId = await addOrganization(database);
    await writeRows(database, orgId, 1);
    const held = await database.transaction(orgId, async (em) => {
      await em.execute('select 1 from audit_links for update');
      t.true(await holdChain(em));
      const failed = database.transaction(orgId, async (other) => {
        writeAudit(other, fact(7));
        await other.flush();
        throw new Error('rolled back');
      });
      await t.throwsAsync(failed, { message: 'rolled back' });
      t.like(await seal(database), { seals: 0, entries: 0 });
      return writeRows(database, orgId, 1);
    });
    await seal(database);
    t.deepEqual((await chainOf(database, orgId)).slice(1), held);
  },
);

test.serial('many processes that seal at the same time, among writers, chain every row exactly once', async (t) => {
  const { database } = t.context;
  const orgs = await Promise.all([addOrganization(database), addOrganization(database)]);
  let isWriting = true;
  const writers = Promise.all(
    orgs.flatMap((orgId) => [writeRows(database, orgId, 30), writeRows(database, orgId, 30)]),
  ).finally(() => {
    isWriting = false;
  });
  const sealer = async () => {
    while (isWriting) {
      await seal(database, 4);
      await setImmediate();
    }
  };
  await Promise.all([sealer(), sealer(), sealer(), writers]);
  for (let i = 0; i < 40; i += 1) await Promise.all([seal(database, 4), seal(database, 4)]);
  for (const orgId of orgs) {
    t.is((await chainOf(database, orgId)).length, 60);
    t.like(await verifyAudit(database, orgId), { entries: 60, fault: null, unsealed: { count: 0 } });
  }
});

test.serial(
  'the services can neither change a sealed link or a seal nor take one away, and the owner only without the triggers',
  async (t) => {
    const { database, urls } = t.context;
    const orgId = await addOrganization(database);
    await writeRows(database, orgId, 2);
    await seal(database);
    const attempts = [
      `update audit_links set hash = repeat('0', 64)`,
      'update audit_links set sequence = null, ordinal = null, hash = null',
      'delete from audit_links',
      'truncate audit_links',
      `update audit_seals set hash = repeat('0', 64)`,
      'delete from audit_seals',
      'truncate audit_seals',
    ];
    for (const sql of attempts) {
      await t.throwsAsync(
        database.transaction(orgId, (em) => em.execute(sql)),
        { message: /permission denied|filled once/ },
        sql,
      );
      await t.throwsAsync(asOwner(urls.ownerUrl, sql, false), { message: /filled once|never changed/ }, sql);
    }
    t.is((await verifyAudit(database, orgId)).fault, null);
  },
);

test.serial('the unsealed tail is counted, with the instant of its oldest row', async (t) => {
  const { database } = t.context;
  const orgId = await addOrganization(database);
  const beforeMs = Date.now();
  await writeRows(database, orgId, 2);
  const { unsealed } = await verifyAudit(database, orgId);
  t.is(unsealed.count, 2);
  t.true(unsealed.oldestAt!.getTime() >= beforeMs && unsealed.oldestAt!.getTime() <= Date.now());
});
