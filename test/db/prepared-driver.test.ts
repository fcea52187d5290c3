// What a flush of the mapper writes by prepared statements is what the mapper itself would write: the same values, the
// same refusals, behind the same walls.
import type { EntityManager } from '@mikro-orm/postgresql';
import anyTest, { type TestFn } from 'ava';
import { Invoice } from '../../db/entities/billing/invoice.ts';
import { Command } from '../../db/entities/platform/command.ts';
import { Policy } from '../../db/entities/policy/policy.ts';
import { Submission } from '../../db/entities/submission/submission.ts';
import { isForeignKeyViolation, isUniqueViolation } from '../../db/faults.ts';
import { newId } from '../../db/ids.ts';
import { connectDatabase, type Database } from '../../db/orm.ts';
import type { Statement } from '../../db/statements.ts';
import { silentLogger } from '../support/logger.ts';
import {
  addOrganization,
  anInvoice,
  aPolicy,
  aSubmission,
  aTransaction,
  type DatabaseContext,
  withDatabase,
} from './rows.ts';

const test = anyTest as TestFn<DatabaseContext>;
withDatabase(test);

/** A database that remembers its writing statements: whether each was prepared. */
async function observed({ urls }: DatabaseContext, poolSize = 2) {
  const writes: Statement[] = [];
  const observeStatement = (statement: Statement) => {
    if (/^(insert|update|delete)/.test(statement.text)) writes.push(statement);
  };
  const database = await connectDatabase({ ...urls, poolSize, logger: silentLogger, observeStatement });
  return { database, writes };
}

const stored = <E extends object>(database: Database, orgId: string, entity: new () => E, id: string) =>
  database.forOrg(orgId, async (em) => ({ ...((await em.findOneOrFail(entity, { id } as never)) as E) }));

const AWKWARD = `O'Neil "& Söhne" \\ $1 ? %\n\t– 日本 🦺`;
const ADDRESS = { line1: AWKWARD, line2: null, city: 'Waco', state: 'TX', postalCode: '76701' };

test('values of every kind come back as they were written, new and changed: text, cents, days, instants, JSON, null', async (t) => {
  const { database, writes } = await observed(t.context);
  t.teardown(() => database.close());
  const { orgId } = t.context;
  const [first, second] = [
    {
      insuredName: AWKWARD,
      annualRevenueCents: 9_007_199_254_740_991,
      effectiveDate: '2028-02-29',
      yearsInBusiness: 0,
    },
    { insuredName: '', annualRevenueCents: 0, effectiveDate: '1999-12-31', yearsInBusiness: 200 },
  ];
  const { id, created } = await database.transaction(orgId, async (em) => {
    const row = aSubmission(em, { ...first, insuredAddress: ADDRESS, missingFields: ['a "b"', AWKWARD], triage: null });
    await em.flush();
    return { id: row.id, created: { ...row } };
  });
  t.deepEqual(await stored(database, orgId, Submission, id), created);
  t.like(created, { ...first, insuredAddress: ADDRESS, missingFields: ['a "b"', AWKWARD], triage: null, version: 1 });
  const changed = await database.transaction(orgId, async (em) => {
    const row = await em.findOneOrFail(Submission, { id });
    Object.assign(row, { ...second, insuredAddress: null, triage: { score: 1, band: AWKWARD, factors: [] } });
    row.missingFields.push('c');
    await em.flush();
    return { ...row };
  });
  t.deepEqual(await stored(database, orgId, Submission, id), changed);
  t.like(changed, { ...second, insuredAddress: null, triage: { score: 1, band: AWKWARD, factors: [] }, version: 2 });
  t.deepEqual(changed.missingFields, ['a "b"', AWKWARD, 'c']);
  t.true(changed.updatedAt > created.updatedAt);
  t.deepEqual(
    writes.map(({ isPrepared }) => isPrepared),
    [true, true],
  );
});

test('instants keep their millisecond, and JSON that is a bare text, number, list or nothing stays it', async (t) => {
  const { database, orgId } = t.context;
  const boundAt = new Date('2026-11-01T08:59:59.999Z');
  const policyId = await database.transaction(orgId, async (em) => aPolicy(em).id);
  await database.transaction(orgId, async (em) => {
    (await em.findOneOrFail(Policy, { id: policyId })).boundAt = boundAt;
  });
  t.deepEqual((await stored(database, orgId, Policy, policyId)).boundAt, boundAt);
  for (const result of ['5', 'null', AWKWARD, 5, 0, false, [], [null, { a: [AWKWARD] }], {}]) {
    const id = newId('request');
    await database.transaction(orgId, async (em) => em.create(Command, { id, kind: 'test', result }));
    t.deepEqual((await stored(database, orgId, Command, id)).result, result);
  }
});

test('new rows of a table go in one statement, and what refers to them may come first', async (t) => {
  const { database, writes } = await observed(t.context);
  t.teardown(() => database.close());
  const { orgId } = t.context;
  const ids = await database.transaction(orgId, async (em) => {
    const policy = aPolicy(em);
    const transaction = aTransaction(em, policy.id);
    const invoices = [1, 2, 3].map((installmentNumber) =>
      anInvoice(em, transaction, { installmentNumber, installmentCount: 3 }),
    );
    await em.flush();
    t.deepEqual(
      invoices.map(({ version }) => version),
      [1, 1, 1],
    );
    return invoices.map(({ id }) => id);
  });
  const intoInvoices = writes.filter(({ text }) => text.startsWith('insert into "invoices"'));
  t.is(intoInvoices.length, 1);
  t.true(writes.every(({ isPrepared }) => isPrepared));
  const found = await database.forOrg(orgId, (em) =>
    em.find(Invoice, { id: { $in: ids } }, { orderBy: { id: 'asc' } }),
  );
  t.deepEqual(new Set(found.map(({ installmentNumber }) => installmentNumber)), new Set([1, 2, 3]));
  const orphan = database.transaction(orgId, async (em) => aTransaction(em, newId('policy')));
  t.true(isForeignKeyViolation(await t.throwsAsync(orphan), 'policy_transactions_org_id_policy_id_fkey'));
});

test('of several changed rows, one that another has changed meanwhile takes back all', async (t) => {
  const { database, orgId } = t.context;
  const ids = await database.transaction(orgId, async (em) => [aSubmission(em).id, aSubmission(em).id]);
  const change = (description: string, meanwhile: () => Promise<unknown> = async () => {}) =>
    database.transaction(orgId, async (em) => {
      const rows = await em.find(Submission, { id: { $in: ids } });
      for (const row of rows) row.description = description;
      await meanwhile();
    });
  await t.throwsAsync(
    change('mine', () =>
      database.transaction(orgId, async (em) => {
        (await em.findOneOrFail(Submission, { id: ids[1] ?? '' })).description = 'theirs';
      }),
    ),
    { name: 'OptimisticLockError' },
  );
  const found = await Promise.all(ids.map((id) => stored(database, orgId, Submission, id)));
  t.deepEqual(
    found.map(({ description, version }) => [description, version]),
    [
      [null, 1],
      ['theirs', 2],
    ],
  );
  await change('both');
  const after = await Promise.all(ids.map((id) => stored(database, orgId, Submission, id)));
  t.deepEqual(
    after.map(({ version }) => version),
    [2, 3],
  );
});

test('a second row of one key is refused under the name of its constraint', async (t) => {
  const { database, orgId } = t.context;
  const id = newId('request');
  const keep = () => database.transaction(orgId, async (em) => em.create(Command, { id, kind: 'test', result: {} }));
  await keep();
  t.true(isUniqueViolation(await t.throwsAsync(keep()), 'commands_pkey'));
});

test('a row of another organization is neither changed nor made, even past row-level security', async (t) => {
  const { database, orgId } = t.context;
  const other = await addOrganization(database);
  const id = await database.transaction(orgId, async (em) => aSubmission(em).id);
  const known = await stored(database, orgId, Submission, id);
  const steal = (em: EntityManager) => {
    const row = em.map(Submission, { ...known, description: 'mine' } as never);
    row.description = 'stolen';
  };
  await t.throwsAsync(
    database.transaction(other, async (em) => steal(em)),
    { name: 'OptimisticLockError' },
  );
  // As the owner of the tables, who passes row-level security: the organization in the statement still refuses.
  const { urls } = t.context;
  const owner = await connectDatabase({ ...urls, appUrl: urls.ownerUrl, poolSize: 1, logger: silentLogger });
  t.teardown(() => owner.close());
  await t.throwsAsync(
    owner.transaction(other, async (em) => steal(em)),
    { name: 'OptimisticLockError' },
  );
  t.is((await stored(database, orgId, Submission, id)).description, null);
  const foreign = database.transaction(other, async (em) => aSubmission(em, { orgId }));
  await t.throwsAsync(foreign, { message: /row-level security/ });
});
