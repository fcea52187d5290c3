// Entities read by prepared statements behave as those that the mapper reads.
import anyTest, { type TestFn } from 'ava';
import { Submission } from '../../db/entities/submission/submission.ts';
import { findById, lockById } from '../../db/entity-rows.ts';
import { changeRow, readRow } from '../../db/plain-table.ts';
import { eventually } from '../support/eventually.ts';
import { addOrganization, aSubmission, type DatabaseContext, withDatabase } from './rows.ts';

const test = anyTest as TestFn<DatabaseContext>;
withDatabase(test);

test('a locked row is the entity that was read before, with what others have written since and its own changes', async (t) => {
  const { database, orgId } = t.context;
  const id = await database.transaction(orgId, async (em) => aSubmission(em).id);
  await database.transaction(orgId, async (em) => {
    const read = (await findById(em, Submission, id)) as Submission;
    t.is(await findById(em, Submission, id), read);
    read.insuredName = 'Mine';
    await database.forOrg(orgId, async (other) => {
      const row = (await readRow(other, Submission, id)) as Submission;
      await changeRow(other, Submission, row, { insuredName: 'Theirs', missingFields: ['state'] });
    });
    const locked = (await lockById(em, Submission, id)) as Submission;
    t.is(locked, read);
    t.deepEqual([locked.insuredName, locked.missingFields, locked.version], ['Mine', ['state'], 2]);
  });
  const stored = await database.forOrg(orgId, (em) => readRow(em, Submission, id));
  t.like(stored, { insuredName: 'Mine', missingFields: ['state'], version: 3 });
});

test('a refreshed row forgets what the transaction has not written', async (t) => {
  const { database, orgId } = t.context;
  const id = await database.transaction(orgId, async (em) => aSubmission(em, { insuredName: 'Stored' }).id);
  await database.transaction(orgId, async (em) => {
    const read = (await findById(em, Submission, id)) as Submission;
    read.insuredName = 'Mine';
    t.is(await lockById(em, Submission, id, { refresh: true }), read);
    t.is(read.insuredName, 'Stored');
  });
});

test('an entity is read, locked and found in its own organization only; without one, in any', async (t) => {
  const { database, orgId } = t.context;
  const id = await database.transaction(orgId, async (em) => aSubmission(em).id);
  const other = await addOrganization(database);
  t.is(await database.forOrg(other, (em) => findById(em, Submission, id)), null);
  t.is(await database.transaction(other, (em) => lockById(em, Submission, id)), null);
  const found = await database.acrossOrgs('finding an entity in any', (em) => findById(em, Submission, id));
  t.is(found?.orgId, orgId);
});

test('nothing is locked outside a transaction', async (t) => {
  const { database, orgId } = t.context;
  const id = await database.transaction(orgId, async (em) => aSubmission(em).id);
  await t.throwsAsync(
    database.forOrg(orgId, (em) => lockById(em, Submission, id)),
    { instanceOf: TypeError },
  );
});

test('a read sent together with a lock, after it, sees what the lock has waited for', async (t) => {
  const { database, orgId } = t.context;
  const id = await database.transaction(orgId, async (em) => aSubmission(em, { description: 'before' }).id);
  const [isHeld, mayCommit] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const holder = database.transaction(orgId, async (em) => {
    ((await lockById(em, Submission, id)) as Submission).description = 'after';
    isHeld.resolve();
    await mayCommit.promise;
  });
  await isHeld.promise;
  const waiter = database.transaction(orgId, (em) =>
    Promise.all([lockById(em, Submission, id), readRow(em, Submission, id)]),
  );
  const waiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  await eventually(() => database.forOrg(orgId, async (em) => (await em.execute(waiting)).length === 1), {
    what: 'the lock to wait',
  });
  mayCommit.resolve();
  await holder;
  t.deepEqual(
    (await waiter).map((row) => row?.description),
    ['after', 'after'],
  );
});
