// Reads that are batched or prepared once see what they would see alone: their own answer, their own organization, and
// no longer wait than their own.
import type { EntityManager } from '@mikro-orm/postgresql';
import anyTest, { type TestFn } from 'ava';
import { remainingMs, withinDeadline } from '../../db/deadline.ts';
import { Organization } from '../../db/entities/platform/organization.ts';
import { Submission } from '../../db/entities/submission/submission.ts';
import { isUnavailable } from '../../db/faults.ts';
import { connectDatabase } from '../../db/orm.ts';
import { preparedRows } from '../../db/prepared.ts';
import { ANY_SCOPE } from '../../db/scope.ts';
import type { Statement } from '../../db/statements.ts';
import { type Pace, together, togetherBy } from '../../db/together.ts';
import { eventually } from '../support/eventually.ts';
import { silentLogger } from '../support/logger.ts';
import { addOrganization, aSubmission, type DatabaseContext, withDatabase } from './rows.ts';

const test = anyTest as TestFn<DatabaseContext>;
withDatabase(test);

/** The questions of one batch, and how to end it. */
interface Batch {
  questions: readonly number[];
  answer: (answers: readonly string[]) => void;
  fail: (error: Error) => void;
}

function batches(pace: Pace = {}) {
  const sent: Batch[] = [];
  const ask = together<number, string>((questions) => {
    const { promise, resolve, reject } = Promise.withResolvers<readonly string[]>();
    sent.push({ questions, answer: resolve, fail: reject });
    return promise;
  }, pace);
  const batch = (i: number): Batch => sent[i] ?? { questions: [], answer: () => {}, fail: () => {} };
  return { ask, batch, count: () => sent.length };
}

test('questions that come while one is under way go with the next, and each gets its own answer', async (t) => {
  const { ask, batch, count } = batches();
  const first = ask(1);
  const others = Promise.all([ask(2), ask(3)]);
  t.deepEqual(batch(0).questions, [1]);
  batch(0).answer(['one']);
  t.is(await first, 'one');
  t.deepEqual(batch(1).questions, [2, 3]);
  batch(1).answer(['two', 'three']);
  t.deepEqual(await others, ['two', 'three']);
  const again = ask(1);
  t.is(count(), 3, 'nothing is remembered');
  batch(2).answer(['another one']);
  t.is(await again, 'another one');
});

test('as many statements are under way as are allowed, and no more', async (t) => {
  const { ask, batch, count } = batches({ most: 2 });
  const all = Promise.all([ask(1), ask(2), ask(3), ask(4)]);
  t.is(count(), 2);
  batch(1).answer(['two']);
  await eventually(() => count() === 3, { what: 'the next statement' });
  t.deepEqual(batch(2).questions, [3, 4]);
  batch(2).answer(['three', 'four']);
  batch(0).answer(['one']);
  t.deepEqual(await all, ['one', 'two', 'three', 'four']);
});

test('a statement that gathers takes the questions that arrive until it begins', async (t) => {
  const gathering = Promise.withResolvers<void>();
  const { ask, batch, count } = batches({ gather: () => gathering.promise });
  const both = Promise.all([ask(1), ask(2)]);
  t.is(count(), 0);
  gathering.resolve();
  await eventually(() => count() === 1, { what: 'the statement' });
  t.deepEqual(batch(0).questions, [1, 2]);
  batch(0).answer(['one', 'two']);
  t.deepEqual(await both, ['one', 'two']);
});

test('questions of one key never travel with those of another', async (t) => {
  const sent: string[] = [];
  const ask = togetherBy<number, string>(async (key, questions) => {
    sent.push(`${key}: ${questions.join(', ')}`);
    return questions.map((question) => `${key}${question}`);
  });
  const answers = await Promise.all([ask('a', 1), ask('b', 1), ask('a', 2), ask('b', 2), ask('a', 3)]);
  t.deepEqual(answers, ['a1', 'b1', 'a2', 'b2', 'a3']);
  t.deepEqual(sent.toSorted(), ['a: 1', 'a: 2, 3', 'b: 1', 'b: 2']);
});

test('a fault ends the questions that travelled with it and no others', async (t) => {
  const { ask, batch } = batches();
  const failed = ask(1);
  const next = ask(2);
  batch(0).fail(new Error('down'));
  await t.throwsAsync(failed, { message: 'down' });
  batch(1).answer(['two']);
  t.is(await next, 'two');
});

test('nobody waits beyond their own deadline for the questions of others', async (t) => {
  const { ask, batch } = batches();
  const patient = ask(1);
  const error = await t.throwsAsync(withinDeadline(50, () => ask(2)));
  t.true(isUnavailable(error));
  batch(0).answer(['one']);
  t.is(await patient, 'one');
  batch(1).answer(['too late']);
});

test('the deadline of the first caller does not end the batch of the others', async (t) => {
  let leftMs = 0;
  const ask = together<number, number>(async (questions) => {
    leftMs = remainingMs();
    return questions;
  });
  await withinDeadline(50, () => ask(1));
  t.true(leftMs > 50);
});

const IDS = { name: 'test ids', text: 'select id from submissions where id = any($1)' };

test('a prepared statement sees the organization of its scope only, also on a connection of another', async (t) => {
  const { urls } = t.context;
  const seen: Statement[] = [];
  const database = await connectDatabase({
    ...{ appUrl: urls.appUrl, opsUrl: urls.opsUrl, poolSize: 1, logger: silentLogger },
    observeStatement: (statement) => seen.push(statement),
  });
  t.teardown(() => database.close());
  const orgs = [t.context.orgId, await addOrganization(database)];
  const ids: string[] = [];
  for (const orgId of orgs) ids.push(await database.transaction(orgId, async (em) => aSubmission(em).id));
  for (const [i, orgId] of [...orgs, ...orgs].entries()) {
    const rows = await database.forOrg(orgId, (em) => preparedRows<{ id: string }>(em, IDS, [ids]));
    const own = await database.forOrg(orgId, (em) => em.find(Submission, { id: { $in: ids } }));
    t.deepEqual(
      rows.map(({ id }) => id),
      own.map(({ id }) => id),
      `round ${i}`,
    );
    t.is(rows.length, 1);
  }
  t.true(
    seen.some(({ text, isFailed }) => text === IDS.text && !isFailed),
    'a trace shows it, without values',
  );
});

test('a prepared statement sees the writes of its transaction, and nobody else does before the commit', async (t) => {
  const { database, orgId } = t.context;
  const seenBy = (em: EntityManager, id: string) => preparedRows<{ id: string }>(em, IDS, [[id]]);
  const id = await database.transaction(orgId, async (em) => {
    const { id } = aSubmission(em);
    await em.flush();
    t.is((await seenBy(em, id)).length, 1);
    const outside = await database.forOrg(orgId, (other) => seenBy(other, id));
    t.deepEqual(outside, []);
    t.is((await seenBy(em, id)).length, 1, 'another connection in between changes nothing');
    return id;
  });
  t.is((await database.forOrg(orgId, (em) => seenBy(em, id))).length, 1);
});

test('a prepared statement refuses to run beside a transaction that it would not see', async (t) => {
  const { database, orgId } = t.context;
  const inside = database.forOrg(orgId, (em) => em.transactional((own) => preparedRows(own, IDS, [[]])));
  await t.throwsAsync(inside, { instanceOf: TypeError });
});

test('the first transactions of a process, all at the same moment, write over their own connections', async (t) => {
  const { appUrl, opsUrl } = t.context.urls;
  for (let round = 0; round < 3; round += 1) {
    const database = await connectDatabase({ appUrl, opsUrl, poolSize: 2, logger: silentLogger });
    t.teardown(() => database.close());
    const orgs = await Promise.all(Array.from({ length: 8 }, () => addOrganization(database)));
    for (const orgId of orgs) t.truthy(await database.forOrg(orgId, (em) => em.findOne(Organization, { id: orgId })));
  }
});

test('the scope of no organization in particular finds no organization’s rows', async (t) => {
  const { database, orgId } = t.context;
  const id = await database.transaction(orgId, async (em) => aSubmission(em).id);
  t.is(await database.forOrg(ANY_SCOPE, (em) => em.findOne(Submission, { id })), null);
});
