// What `npm run ops` answers from the rows of all organizations.
import anyTest, { type TestFn } from 'ava';
import { Referral } from '../../../db/entities/authority/referral.ts';
import { RenewalBatch } from '../../../db/entities/renewal/renewal-batch.ts';
import { RenewalBatchItem } from '../../../db/entities/renewal/renewal-batch-item.ts';
import { newId } from '../../../db/ids.ts';
import { writeAudit } from '../../../db/queries/platform/audit.ts';
import { writeEvent } from '../../../db/queries/platform/events.ts';
import { keepRequests } from '../../../db/queries/platform/requests.ts';
import type { BusinessDate } from '../../../domain/dates.ts';
import type { RenewalResult } from '../../../domain/renewal/renewal-batch.ts';
import { entitiesNamed } from '../../../scripts/ops/named.ts';
import { answer, QUESTIONS, type QuestionName, rowsOf } from '../../../scripts/ops/questions.ts';
import { tableOf } from '../../../scripts/ops/table.ts';
import { addOrganization, aPolicy, aSubmission, type DatabaseContext, withDatabase } from '../rows.ts';

const test = anyTest as TestFn<DatabaseContext>;
withDatabase(test);

const CALL = { requestId: 'req_12345678', method: 'GET', route: '/v1/policies', error: null };
const CALLER = { kind: 'api_key', id: 'key_1' };

test('every question has an answer where nothing has happened', async (t) => {
  const { database } = t.context;
  for (const name of Object.keys(QUESTIONS) as QuestionName[]) {
    const id = 'takes' in QUESTIONS[name] ? 'pol_none' : undefined;
    await t.notThrowsAsync(answer(database, name, id), name);
  }
});

test('what was slow, and who was refused for calling too often, is counted over all processes', async (t) => {
  const { database } = t.context;
  const orgId = await addOrganization(database);
  const took = (durationMs: number, status = 200) => ({ ...CALL, durationMs, status, actor: CALLER, at: new Date() });
  const of = (number: number, call: ReturnType<typeof took>) => ({ ...call, requestId: `${CALL.requestId}${number}` });
  const calls = [10, 20, 30, 40].map((durationMs, index) => of(index, took(durationMs)));
  const others = [of(5, took(2, 429)), of(6, took(90, 503))];
  await database.transaction(orgId, (em) => keepRequests(em, [...calls, ...others]));
  // 2, 10, 20, 30, 40, 90: the third is half way, the sixth the 95th of a hundred.
  t.deepEqual(await answer(database, 'slow'), [
    {
      method: 'GET',
      route: '/v1/policies',
      calls: '6',
      failed: '1',
      'half (ms)': 20,
      '95 % (ms)': 90,
      'most (ms)': 90,
    },
  ]);
  const refused = { caller: 'api_key key_1', method: 'GET', route: '/v1/policies', refused: '1' };
  t.like(await answer(database, 'limited'), [{ organization: orgId, ...refused }]);
});

test('a renewal that failed says why, and one that was referred which referral is to be decided for which flags', async (t) => {
  const { database } = t.context;
  const orgId = await addOrganization(database);
  const [batchId, referralId, day] = [newId('batch'), newId('referral'), '2026-12-01' as BusinessDate];
  const [broken, large, old, next] = [newId('policy'), newId('policy'), newId('policy'), newId('policy')];
  await database.transaction(orgId, async (em) => {
    for (const id of [broken, large, old, next]) aPolicy(em, { id });
    const actor = { kind: 'machine', id: 'machine', role: null } as never;
    const facts = { workflowId: 'renewal-batch/1', withinDays: 30, businessDate: day, isDaily: true, matched: 3 };
    em.create(RenewalBatch, { ...facts, id: batchId, orgId, status: 'completed', requestedBy: actor } as never);
  });
  await database.transaction(orgId, async (em) => {
    const item = (policyId: string, result: RenewalResult) =>
      em.create(RenewalBatchItem, { orgId, batchId, policyId, expirationDate: day, ...result } as never);
    item(broken, {
      outcome: 'failed',
      renewalPolicyId: null,
      error: { code: 'internal_error', message: 'It failed.' },
    });
    item(large, { outcome: 'referred', renewalPolicyId: null, error: null });
    item(old, { outcome: 'renewed', renewalPolicyId: next, error: null });
    em.create(Referral, {
      ...{ id: referralId, orgId, policyId: large, submissionId: null, quoteId: null, dealRoomId: null },
      ...{ reason: 'Too large.', requestedBy: 'machine', expiresOn: day, nextStepOn: day },
      ...{ flags: [{ code: 'DA_LIMIT_EXCEEDED', severity: 'refer' }], request: { kind: 'renew' } },
    } as never);
  });
  const listed = await answer(database, 'renewals');
  t.is(listed.length, 2);
  const of = (policyId: string) => listed.find(({ policy }) => policy === policyId);
  t.like(of(broken), { outcome: 'failed', code: 'internal_error', why: 'It failed.' });
  t.like(of(large), { outcome: 'referred', code: 'DA_LIMIT_EXCEEDED', why: `${referralId} is pending` });
});

test('who did what to an entity is listed in order, and of no other entity', async (t) => {
  const { database } = t.context;
  const orgId = await addOrganization(database);
  const actor = { kind: 'user', id: 'usr_1', role: 'underwriter' } as const;
  const rows = ['submission:quote', 'submission:bind'].map((action) => ({
    ...{ actor, action, entityType: 'submission', entityId: 'sub_1', requestId: 'req_12345678', changes: {} },
  }));
  await database.transaction(orgId, async (em) => {
    for (const row of rows) writeAudit(em, row as never);
    writeAudit(em, { ...rows[0], entityId: 'sub_2' } as never);
  });
  const listed = await answer(database, 'who', 'sub_1');
  t.deepEqual(
    listed.map(({ action, by, role, cause }) => [action, by, role, cause]),
    rows.map(({ action }) => [action, 'user usr_1', 'underwriter', 'req_12345678']),
  );
});

test('a policy is found by its number, and a letter that reached nobody is listed with its claim', async (t) => {
  const { database } = t.context;
  const orgId = await addOrganization(database);
  const facts = { severity: 'critical', requiresManualReview: true, message: 'Mail it.', workflowId: null } as const;
  const about = { paymentId: null, invoiceId: null, policyId: null, reference: 'CLM-1' };
  const { id, policyNumber } = await database.transaction(orgId, async (em) => {
    for (const operation of ['letter.not_delivered', 'trust.reconcile']) {
      writeEvent(em, 'financial.operation_failed', { ...facts, ...about, operation }, new Date());
    }
    return aPolicy(em);
  });
  t.deepEqual(await entitiesNamed(database, policyNumber), [policyNumber, id]);
  t.deepEqual(await entitiesNamed(database, 'GL-TX-1990-000001'), ['GL-TX-1990-000001']);
  const listed = await answer(database, 'letters');
  t.deepEqual(
    listed.map(({ organization, about: number, message }) => [organization, number, message]),
    [[orgId, 'CLM-1', 'Mail it.']],
  );
});

test('the data of an organization is counted in every table, and another one counts for nothing', async (t) => {
  const { database } = t.context;
  const [orgId, other] = [await addOrganization(database), await addOrganization(database)];
  await database.transaction(orgId, async (em) => [aSubmission(em), aSubmission(em), aPolicy(em)]);
  await database.transaction(other, async (em) => aSubmission(em));
  const counted = await rowsOf(database, orgId);
  t.deepEqual(
    counted.filter(({ table }) => ['submissions', 'policies', 'claims'].includes(String(table))),
    [
      { table: 'submissions', rows: 2 },
      { table: 'policies', rows: 1 },
    ],
  );
});

test('a table has a line for its headings and one for each row, and says so when there is none', (t) => {
  const at = new Date('2026-03-01T12:00:00.000Z');
  t.deepEqual(
    tableOf(
      [
        { name: 'a', at },
        { name: 'long', at: null },
      ],
      'none',
    ),
    ['name  at', 'a     2026-03-01T12:00:00.000Z', 'long'],
  );
  t.deepEqual(tableOf([], 'none'), ['none']);
});
