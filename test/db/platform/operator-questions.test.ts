// What `npm run ops` answers from the rows of all organizations.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import anyTest, { type TestFn } from 'ava';
import { Referral } from '../../../db/entities/authority/referral.ts';
import { TrustReconciliation } from '../../../db/entities/billing/trust-reconciliation.ts';
import { Webhook } from '../../../db/entities/delivery/webhook.ts';
import { WebhookDelivery } from '../../../db/entities/delivery/webhook-delivery.ts';
import { RenewalBatch } from '../../../db/entities/renewal/renewal-batch.ts';
import { RenewalBatchItem } from '../../../db/entities/renewal/renewal-batch-item.ts';
import { newId } from '../../../db/ids.ts';
import { inviteUser } from '../../../db/queries/access/users.ts';
import { writeAudit } from '../../../db/queries/platform/audit.ts';
import { writeEvent } from '../../../db/queries/platform/events.ts';
import { insertRequests } from '../../../db/queries/platform/requests.ts';
import type { CheckResult } from '../../../domain/billing/reconciliation/report.ts';
import type { BusinessDate } from '../../../domain/dates.ts';
import type { DeliveryStatus } from '../../../domain/delivery/delivery.ts';
import type { RenewalResult } from '../../../domain/renewal/renewal-batch.ts';
import { entitiesNamed } from '../../../scripts/ops/named.ts';
import { operatorOf } from '../../../scripts/ops/operator.ts';
import { answer, QUESTIONS, type QuestionName, rowsOf } from '../../../scripts/ops/questions.ts';
import { tableOf } from '../../../scripts/ops/table.ts';
import { USAGE } from '../../../scripts/ops/usage.ts';
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

test('slow calls, and callers refused for calling too often, are counted over all processes', async (t) => {
  const { database } = t.context;
  const orgId = await addOrganization(database);
  const took = (durationMs: number, status = 200) => ({ ...CALL, durationMs, status, actor: CALLER, at: new Date() });
  const of = (number: number, call: ReturnType<typeof took>) => ({ ...call, requestId: `${CALL.requestId}${number}` });
  const calls = [10, 20, 30, 40].map((durationMs, index) => of(index, took(durationMs)));
  const others = [of(5, took(2, 429)), of(6, took(90, 503))];
  await database.transaction(orgId, (em) => insertRequests(em, [...calls, ...others]));
  // 2, 10, 20, 30, 40, 90: the third is the median, the sixth the 95th percentile.
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

test('the actions on an entity are listed in order with their actors, and those on no other entity', async (t) => {
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

  const machines = ['calendar', 'card-processor', 'refund', 'kim'].map((id) => ({
    kind: 'machine',
    id,
    role: 'superadmin',
  }));
  await database.transaction(orgId, async (em) => {
    for (const machine of machines) {
      writeAudit(em, { ...rows[0], actor: machine, entityId: 'pay_1', requestId: null } as never);
    }
  });
  const causes = (await answer(database, 'who', 'pay_1')).map(({ role, cause }) => [role, cause]);
  t.deepEqual(causes.toSorted(), [
    ['', 'a date'],
    ['', 'a refund'],
    ['', 'an event'],
    ['', 'an operator'],
  ]);
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

test("an organization's data is counted in every table, and no other organization's is", async (t) => {
  const { database } = t.context;
  const [orgId, other] = [await addOrganization(database), await addOrganization(database)];
  await database.transaction(orgId, async (em) => [aSubmission(em), aSubmission(em), aPolicy(em)]);
  await database.transaction(other, async (em) => aSubmission(em));
  await database.transaction(orgId, (em) => {
    const offer = {
      id: newId('user'),
      email: 'kim@acme.example',
      name: 'Kim',
      role: 'org_admin',
      hash: '0'.repeat(64),
    } as const;
    return inviteUser(em, { ...offer, lifetimeSeconds: 60 });
  });
  const counted = await rowsOf(database, orgId);
  t.deepEqual(
    counted.filter(({ table }) => ['submissions', 'policies', 'claims', 'auth.users'].includes(String(table))),
    [
      { table: 'submissions', rows: 2 },
      { table: 'auth.users', rows: 1 },
      { table: 'policies', rows: 1 },
    ],
  );
});

test('the trust of an organization is that of its last reconciliation, with its findings and skipped checks', async (t) => {
  const { database } = t.context;
  const orgId = await addOrganization(database);
  const run = (date: string, isClean: boolean | null, checks: readonly Partial<CheckResult>[]) =>
    database.transaction(orgId, async (em) =>
      em.create(TrustReconciliation, {
        ...{ id: newId('trustReconciliation'), date, status: isClean === null ? 'running' : 'completed', isClean },
        ...{ figures: {}, checks, finishedAt: null },
      } as never),
    );
  const lineOf = async () => (await answer(database, 'trust')).find(({ organization }) => organization === orgId);
  const passed = { name: 'premium', status: 'passed', found: 0 } as never;
  await run('2026-03-01', false, [
    { name: 'trust_cash', status: 'failed', found: 2 },
    passed,
    { name: 'card_statement', status: 'skipped', found: 0 },
  ]);
  const disagrees = { trust: 'disagrees', findings: 'trust_cash 2', skipped: 'card_statement' };
  t.deepEqual(await lineOf(), { organization: orgId, date: '2026-03-01', status: 'completed', ...disagrees });
  await run('2026-03-02', true, [passed]);
  t.like(await lineOf(), { date: '2026-03-02', trust: 'whole', findings: '', skipped: '' });
  await run('2026-03-03', null, []);
  t.like(await lineOf(), { date: '2026-03-03', status: 'running', trust: 'not known yet' });
});

test('a webhook that fails is listed with its last reason, and one that delivers everything is not', async (t) => {
  const { database } = t.context;
  const orgId = await addOrganization(database);
  const [failing, healthy] = [newId('webhookSubscription'), newId('webhookSubscription')];
  const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);
  const claim = { claimId: 'clm_1', claimNumber: 'CLM-1', policyId: 'pol_1', status: 'reported' };
  // Written before the webhooks, so that the database creates no deliveries for them.
  const events = await database.transaction(orgId, async (em) =>
    Array.from({ length: 7 }, () => writeEvent(em, 'claim.filed', claim).id),
  );
  await database.transaction(orgId, async (em) => {
    for (const id of [failing, healthy]) {
      const none = { description: null, previousSecrets: [], deliveringUntil: null };
      const about = { url: `https://example.com/${id}`, events: ['*'], eventTypes: ['*'], secret: 'plain:s' };
      em.create(Webhook, { id, ...about, ...none, status: 'active' });
    }
    const attempt = (webhookId: string, status: DeliveryStatus, facts: Partial<WebhookDelivery>) => {
      const eventId = events.pop() ?? '';
      em.create(WebhookDelivery, {
        ...{ id: newId('webhookDelivery'), webhookId, eventId, eventType: 'claim.filed', position: 1 },
        ...{ status, redeliveryOf: null, attemptedAt: null, latencyMs: null, statusCode: null, response: null },
        ...{ error: null, ...facts },
      });
    };
    attempt(failing, 'delivered', { attemptedAt: minutesAgo(9) });
    attempt(failing, 'failed', { attemptedAt: minutesAgo(8), error: 'name_not_found' });
    attempt(failing, 'failed', { attemptedAt: minutesAgo(7), error: 'http_status', statusCode: 503 });
    attempt(failing, 'failed', { attemptedAt: minutesAgo(25 * 60), error: 'timeout' });
    attempt(failing, 'unknown', { attemptedAt: minutesAgo(30), error: 'timeout' });
    attempt(failing, 'pending', {});
    attempt(healthy, 'delivered', { attemptedAt: minutesAgo(1) });
  });
  const counts = { delivered: '1', failed: '2', unknown: '1', waiting: '1', last: '503' };
  t.deepEqual(
    (await answer(database, 'webhooks')).filter(({ organization }) => organization === orgId),
    [{ organization: orgId, webhook: failing, status: 'active', ...counts }],
  );
});

test('every command that the operations document shows exists, and every one that exists is shown', (t) => {
  const document = readFileSync(join(import.meta.dirname, '../../../docs/operations.md'), 'utf8');
  const shown = [...document.matchAll(/(?:\bops -- |scripts\/ops\.ts )([a-z-]+)/g)].map(([, name]) => name);
  const there = [...USAGE.matchAll(/ -- ([a-z-]+)/g)].map(([, name]) => name);
  t.deepEqual([...new Set(shown)].sort(), [...new Set(there)].sort());
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

test('a decision is made under a name that leads to a person', (t) => {
  for (const name of ['kim', 'kim@acme.example', 'Kim Acme']) t.is(operatorOf(name), name);
  for (const name of ['node', 'root', 'Root', '', ' ', 'Kim\nRoot']) {
    t.throws(() => operatorOf(name), { message: /does not say who decides/ }, JSON.stringify(name));
  }
});
