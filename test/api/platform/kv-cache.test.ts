// The API with KV_CACHE: duplicate events and one-time codes with a real Valkey or Redis, and with one that is away.
import test, { type ExecutionContext } from 'ava';
import type { InboundEngine, InboundWork } from '../../../api/inbound/engine.ts';
import { inboundRoutes } from '../../../api/inbound/routes.ts';
import { authPolicyholderRoutes } from '../../../api/routes/access/auth-policyholder.ts';
import { ONE_TIME_CODE_ATTEMPTS } from '../../../domain/limits.ts';
import type { Mail } from '../../../providers/mail-port.ts';
import { aPolicy } from '../../db/rows.ts';
import { deliveryTo, processorId, succeeded, type WireEvent } from '../../support/card-events.ts';
import { eventually } from '../../support/eventually.ts';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database.ts';
import { CARD_PROCESSOR_VARIABLES, keptMail } from '../../support/servers/providers.ts';
import { hasValkey, NO_VALKEY, testValkey } from '../../support/servers/valkey.ts';
import { type Spine, startSpine } from '../spine/spine-app.ts';

const NOWHERE = 'redis://127.0.0.1:1';
const COPIES = 20;
/** Further attempts would burn the code. */
const GUESSES = ONE_TIME_CODE_ATTEMPTS;

/** API processes that share a database and a store; the engine is a stand-in that remembers its calls. */
async function processes(t: ExecutionContext, kvCache: string) {
  const database = await createTestDatabase(t);
  const processed: InboundWork[] = [];
  const mails: Mail[] = [];
  const inbound: InboundEngine = {
    process: async (work) => {
      processed.push(work);
      return 'processed';
    },
  };
  const start = () => startProcess(t, database, kvCache, { inbound, mails });
  return { processed, mails, one: await start(), other: await start() };
}

function startProcess(
  t: ExecutionContext,
  database: TestDatabase,
  kvCache: string,
  { inbound, mails }: { inbound: InboundEngine; mails: Mail[] },
): Promise<Spine> {
  return startSpine(t, {
    database,
    variables: { ...CARD_PROCESSOR_VARIABLES, KV_CACHE: kvCache },
    deps: {
      routes: [...inboundRoutes, ...authPolicyholderRoutes],
      inbound,
      mail: { ...keptMail(mails), close: async () => {} },
    },
  });
}

const anEvent = () => succeeded({ intentId: processorId('pi'), amountCents: 12_345 });
const deliver = (spine: Spine, event: WireEvent) => deliveryTo(spine.with({}))(event);

async function policyNumber({ database, orgId }: Spine): Promise<string> {
  return database.transaction(orgId, async (em) => aPolicy(em, { insuredEmail: 'insured@example.test' }).policyNumber);
}

const ask = (spine: Spine, number: string) =>
  spine.with({}).post('/auth/policyholder-otp-request', { policyNumber: number });
const redeem = (spine: Spine, number: string, otp: string) =>
  spine.with({}).post('/auth/policyholder-token', { policyNumber: number, otp });

/** Asserts that nothing of the platform's went into the table instead of the store. */
async function tableIsEmpty(t: ExecutionContext, { database, orgId }: Spine) {
  t.deepEqual(await database.forOrg(orgId, (em) => em.execute('select key from kv_entries')), []);
}

const withServer = hasValkey ? test : test.skip;
const where = hasValkey ? '' : ` (${NO_VALKEY})`;

withServer(`of 20 copies of an event at two processes one is processed, and all are answered${where}`, async (t) => {
  const server = await testValkey();
  t.teardown(server.stop);
  const { processed, one, other } = await processes(t, server.url);
  const event = anEvent();
  const answers = await Promise.all(
    Array.from({ length: COPIES }, (_, copy) => deliver(copy % 2 === 0 ? one : other, event)),
  );
  t.deepEqual([...new Set(answers.map(({ status }) => status))], [200]);
  t.is(answers.filter(({ body }) => body.deduplicated === undefined).length, 1);
  t.deepEqual((await deliver(other, event)).body, { received: true, deduplicated: true });
  t.is(processed.length, 1);
  t.deepEqual((await deliver(one, anEvent())).body, { received: true });
  await tableIsEmpty(t, one);
});

withServer(`a one-time code from one process is good at another, once${where}`, async (t) => {
  const server = await testValkey();
  t.teardown(server.stop);
  const { mails, one, other } = await processes(t, server.url);
  const number = await policyNumber(one);
  t.is((await ask(one, number)).status, 200);
  const [mail] = await eventually(async () => mails.length > 0 && mails, { what: 'the mail' });
  const code = / is (\d{6})\.$/m.exec(mail?.text ?? '')?.[1] ?? '';
  const answers = await Promise.all(
    Array.from({ length: GUESSES }, (_, i) => redeem(i % 2 === 0 ? one : other, number, code)),
  );
  t.is(answers.filter(({ status }) => status === 200).length, 1);
  t.is(answers.filter(({ status }) => status === 401).length, GUESSES - 1);
  await tableIsEmpty(t, one);
});

withServer(`attempts at two processes are counted together${where}`, async (t) => {
  const server = await testValkey();
  t.teardown(server.stop);
  const { one, other } = await processes(t, server.url);
  const number = await policyNumber(one);
  const statuses: number[] = [];
  for (const spine of [one, other, one, other]) statuses.push((await ask(spine, number)).status);
  t.deepEqual(statuses, [200, 200, 200, 429]);
});

test('codes and inbound events return 503 while the store is down, and nothing goes on without it', async (t) => {
  const { processed, mails, one } = await processes(t, NOWHERE);
  const number = await policyNumber(one);
  for (const answer of [await ask(one, number), await redeem(one, number, '123456'), await deliver(one, anEvent())]) {
    t.is(answer.status, 503, answer.text);
    t.is(answer.body.error, 'service_unavailable');
    t.is(answer.headers.get('retry-after'), '2');
  }
  t.deepEqual(processed, []);
  t.deepEqual(mails, []);
  await tableIsEmpty(t, one);
});
