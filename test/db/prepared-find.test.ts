// What the mapper finds in a transaction, by prepared statements, is what it finds outside one, by its own: the same
// rows in the same order, of the same organization.
import { LockMode } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import anyTest, { type TestFn } from 'ava';
import { Submission } from '../../db/entities/submission/submission.ts';
import { connectDatabase } from '../../db/orm.ts';
import type { Statement } from '../../db/statements.ts';
import { silentLogger } from '../support/logger.ts';
import { addOrganization, aSubmission, type DatabaseContext, withDatabase } from './rows.ts';

const test = anyTest as TestFn<DatabaseContext>;
withDatabase(test);

/** A database that remembers which reads of submissions were prepared. */
async function observed({ urls }: DatabaseContext) {
  const reads: Statement[] = [];
  const observeStatement = (statement: Statement) => {
    if (/^select.* from "submissions"/.test(statement.text)) reads.push(statement);
  };
  return { database: await connectDatabase({ ...urls, poolSize: 2, logger: silentLogger, observeStatement }), reads };
}

const WHERES: Record<string, object> = {
  'a value': { state: 'TX' },
  'no value': { producerId: null },
  'any value': { description: { $ne: null } },
  'another value': { state: { $ne: 'TX' } },
  'one of some': { state: { $in: ['TX', 'FL'] } },
  'one of none': { state: { $in: [] } },
  'none of some': { state: { $nin: ['FL', 'NY'] } },
  'none of none': { state: { $nin: [] } },
  'a span of days': { effectiveDate: { $gte: '2026-02-01', $lt: '2026-04-01' } },
  cents: { annualRevenueCents: { $gt: 9_007_199_254_740_990 } },
  'cents up to': { annualRevenueCents: { $lte: 100 } },
  'several columns': { state: 'FL', effectiveDate: '2026-03-01', yearsInBusiness: 3 },
  'all of several': { $and: [{ state: 'TX' }, { description: "O'Neil ?" }] },
};

test('a find in a transaction is prepared and finds what one outside finds', async (t) => {
  const { database, reads } = await observed(t.context);
  t.teardown(() => database.close());
  const orgId = await addOrganization(database);
  await database.transaction(orgId, async (em) => {
    aSubmission(em, { annualRevenueCents: 9_007_199_254_740_991 });
    aSubmission(em, { description: "O'Neil ?", effectiveDate: '2026-01-31' });
    aSubmission(em, { state: 'FL', annualRevenueCents: 100, yearsInBusiness: 3 });
    aSubmission(em, { state: 'NY', effectiveDate: '2026-04-01', description: 'x' });
  });
  await database.transaction(t.context.orgId, async (em) => aSubmission(em));
  const counts: Record<string, number> = {};
  for (const [name, where] of Object.entries(WHERES)) {
    for (const orderBy of [{ id: 'asc' }, { state: 'desc', id: 'desc' }] as const) {
      const find = async (em: EntityManager) =>
        (await em.find(Submission, where, { orderBy, limit: 3 })).map((row) => ({ ...row }));
      const outside = await database.forOrg(orgId, find);
      reads.length = 0;
      t.deepEqual(await database.transaction(orgId, find), outside, name);
      t.deepEqual(
        reads.map(({ isPrepared }) => isPrepared),
        [true],
        name,
      );
      counts[name] = outside.length;
    }
  }
  t.deepEqual(counts, {
    ...{ 'a value': 2, 'no value': 3, 'any value': 2, 'another value': 2, 'one of some': 3, 'one of none': 0 },
    ...{ 'none of some': 2, 'none of none': 3, 'a span of days': 2, cents: 1, 'cents up to': 1 },
    ...{ 'several columns': 1, 'all of several': 1 },
  });
});

test('a find of some fields reads those; one that the mapper alone can say is left to it', async (t) => {
  const { database, reads } = await observed(t.context);
  t.teardown(() => database.close());
  const { orgId } = t.context;
  const id = await database.transaction(orgId, async (em) => aSubmission(em, { insuredEmail: 'a@example.com' }).id);
  await database.transaction(orgId, async (em) => {
    const [row] = await em.find(Submission, { id }, { fields: ['insuredEmail'] });
    t.deepEqual([row?.id, row?.insuredEmail], [id, 'a@example.com']);
    const [found] = await em.find(Submission, { $or: [{ id }, { state: 'XX' }], insuredName: { $ilike: 'blue%' } });
    t.is(found?.id, id);
  });
  t.deepEqual(
    reads.map(({ text, isPrepared }) => [text.startsWith('select "id", "insured_email" from'), isPrepared]),
    [
      [true, true],
      [false, false],
    ],
  );
});

test('a find sees what its transaction has written, and locks what it should', async (t) => {
  const { database, orgId } = t.context;
  const id = await database.transaction(orgId, async (em) => aSubmission(em, { usdotNumber: '1' }).id);
  await database.transaction(orgId, async (em) => {
    const row = await em.findOneOrFail(Submission, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE });
    row.usdotNumber = '2';
    await em.flush();
    t.is((await em.find(Submission, { usdotNumber: '2' }))[0], row);
    const free = (other: EntityManager) =>
      other.find(Submission, { id }, { lockMode: LockMode.PESSIMISTIC_PARTIAL_WRITE });
    t.deepEqual(await database.transaction(orgId, free), [], 'another passes over the locked row');
  });
});
