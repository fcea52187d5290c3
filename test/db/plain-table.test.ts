// Rows read, locked and changed without entities stay under the same row-level security and keep their versions.
import anyTest, { type TestFn } from 'ava';
import { Submission } from '../../db/entities/submission/submission.ts';
import { changeRow, lockRow, readRow } from '../../db/plain-table.ts';
import { preparedRows } from '../../db/prepared.ts';
import { addOrganization, aSubmission, type DatabaseContext, withDatabase } from './rows.ts';

const test = anyTest as TestFn<DatabaseContext>;
withDatabase(test);

test('one failed statement takes back the others sent together with it in a transaction', async (t) => {
  const { database, orgId } = t.context;
  const id = await database.transaction(orgId, async (em) => aSubmission(em).id);
  const failing = database.transaction(orgId, async (em) => {
    const row = (await lockRow(em, Submission, id)) as Submission;
    await Promise.all([
      changeRow(em, Submission, row, { insuredName: 'Changed' }),
      preparedRows(em, { name: 'test division', text: 'select 1 / $1::int as n' }, [0]),
    ]);
  });
  await t.throwsAsync(failing, { message: /division by zero/ });
  t.not((await database.forOrg(orgId, (em) => readRow(em, Submission, id)))?.insuredName, 'Changed');
});

test('a row is read and changed in its own organization only, and only in the version that was read', async (t) => {
  const { database, orgId } = t.context;
  const id = await database.transaction(orgId, async (em) => aSubmission(em).id);
  const other = await addOrganization(database);
  t.is(await database.forOrg(other, (em) => readRow(em, Submission, id)), null);
  const row = (await database.forOrg(orgId, (em) => readRow(em, Submission, id))) as Submission;
  const change = (scope: string, insuredName: string) =>
    database.forOrg(scope, (em) => changeRow(em, Submission, row, { insuredName, missingFields: ['state'] }));
  await t.throwsAsync(change(other, 'Stolen'), { name: 'OptimisticLockError' });
  t.like(await change(orgId, 'Changed'), { insuredName: 'Changed', version: row.version + 1 });
  await t.throwsAsync(change(orgId, 'Too late'), { name: 'OptimisticLockError' });
  const stored = await database.forOrg(orgId, (em) => em.findOneOrFail(Submission, { id }));
  t.like(stored, { insuredName: 'Changed', missingFields: ['state'], version: row.version + 1 });
  t.true(stored.updatedAt >= row.updatedAt);
});
