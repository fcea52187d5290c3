// A worker, an API or the Temporal server is killed, or an API is frozen, while a bind's transaction is open. The test
// ensures that it is open by holding the lock that the transaction needs.
import test, { type ExecutionContext } from 'ava';
import { taskQueue } from '../../contracts/machinery/queues.ts';
import { policyWorkflowId, submissionWorkflowId } from '../../contracts/machinery/start.ts';
import type { TestClient, TestResponse } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { createTestDatabase } from '../support/servers/database.ts';
import { BIND_BODY, BOUND_ONCE, quotedSubmission, Rows } from './bind.ts';
import { type OwnTemporal, ownTemporal } from './own-temporal.ts';
import { attempt, type Platform, startPlatform } from './platform.ts';

/** A workflow waits this long for the worker that has it cached; the server's default is ten seconds. */
const STICKY_MS = 3_000;

let temporal: OwnTemporal;
let platform: Platform;
let rows: Rows;
let client: TestClient;
let orgId: string;

test.before(async () => {
  temporal = await ownTemporal();
  const [database] = await Promise.all([createTestDatabase({ title: 'killed' }), temporal.start()]);
  rows = new Rows(database.ownerUrl);
  platform = await startPlatform({
    ...{ database, temporalAddress: temporal.address, taskQueuePrefix: 'killed' },
    printsDocuments: false,
  });
  orgId = (await platform.machine.post('/v1/organizations', { name: 'Killed' })).body.id;
  client = await platform.as({ role: 'org_admin', org: orgId });
  // The first bind creates the authority's row, which then holds up the others.
  const submissionId = await quotedSubmission(client, 'Undisturbed Diner');
  await client.post(`/v1/submissions/${submissionId}/bind`, BIND_BODY);
});

test.after.always(async () => {
  await platform?.stop();
  await temporal?.remove();
});

test.serial('a bind whose worker is killed half way is done once by the next worker', async (t) => {
  await interrupted(t, 'Worker Diner', {
    kill: () => platform.worker.kill(),
    restart: () => platform.worker.start(),
  });
});

// The first call's lease outlasts the test's patience: the next API does not wait for it to expire.
test.serial('a bind whose api is killed half way is done once, and the next api returns its result', async (t) => {
  const first = await interrupted(t, 'Api Diner', {
    kill: () => platform.api.kill(),
    restart: async () => {
      await platform.api.start();
      await platform.ready();
    },
  });
  t.is(first, null, 'the caller of a killed api gets no answer');
});

test.serial('a bind whose api is frozen half way is answered by another api once it is done', async (t) => {
  await platform.secondApi.start();
  await platform.ready(platform.secondUrl);
  const other = await platform.as({ role: 'org_admin', org: orgId }, platform.secondUrl);
  const submissionId = await quotedSubmission(client, 'Frozen Diner');
  const path = `/v1/submissions/${submissionId}/bind`;
  const headers = { 'idempotency-key': 'bind Frozen Diner' };
  const repeat = () => attempt(other, path, BIND_BODY, { headers });
  const authority = await rows.holdAuthority(orgId);
  const first = attempt(client, path, BIND_BODY, { headers });
  await authority.bindIsWaiting();
  const pid = platform.api.pid();
  process.kill(pid, 'SIGSTOP');
  t.like(await repeat(), { status: 409, body: { error: 'idempotency_in_progress' } }, 'it is not done yet');
  await authority.release();
  // The frozen call's lease outlasts the test's patience.
  const answer = await repeatUntilAnswered(repeat).finally(() => process.kill(pid, 'SIGCONT'));
  t.is(answer.status, 201, answer.text);
  t.is(answer.headers.get('idempotent-replayed'), 'true');
  t.deepEqual((await first)?.body, answer.body, 'the first caller gets the same answer');
  const replay = await client.post(path, BIND_BODY, { headers });
  t.is(replay.headers.get('idempotent-replayed'), 'true');
  t.deepEqual(replay.body, answer.body);
  t.like(await rows.ofSubmission(submissionId), BOUND_ONCE);
  await platform.secondApi.stop();
});

test.serial(
  'of twenty simultaneous binds with one key one is the first; each other one waits or says that it repeats',
  async (t) => {
    const submissionId = await quotedSubmission(client, 'Crowded Diner');
    const headers = { 'idempotency-key': 'bind Crowded Diner' };
    const bind = () => client.post(`/v1/submissions/${submissionId}/bind`, BIND_BODY, { headers });
    const answers = await Promise.all(Array.from({ length: 20 }, bind));
    const bound = answers.filter(({ status }) => status === 201);
    t.is(bound.filter((answer) => answer.headers.get('idempotent-replayed') === null).length, 1);
    t.is(new Set(bound.map(({ text }) => text)).size, 1);
    t.deepEqual(
      [...new Set(answers.map(({ status }) => status))].filter((status) => ![201, 409].includes(status)),
      [],
    );
    t.like(await rows.ofSubmission(submissionId), BOUND_ONCE);
  },
);

test.serial('a bind whose Temporal server is killed half way is done once when the server is back', async (t) => {
  await interrupted(t, 'Temporal Diner', {
    kill: () => temporal.kill(),
    restart: () => temporal.start(),
  });
});

test.serial(
  'a workflow in the memory of a killed worker is taken over by another one after three seconds',
  async (t) => {
    await eventually(serves, { what: 'the api to reach the server that was restarted' });
    const submissionId = await quotedSubmission(client, 'Remembered Diner');
    await platform.secondWorker.start();
    await eventually(async () => (await pollers()) > 1, { what: 'the second worker to poll' });
    await platform.worker.kill();
    const bound = await client.post(`/v1/submissions/${submissionId}/bind`, BIND_BODY);
    t.is(bound.status, 201, bound.text);
    const waits = await waitsForTheDead(submissionWorkflowId(orgId, submissionId));
    t.true(waits.length > 0, 'the server waited for the dead worker');
    for (const waitMs of waits) t.true(waitMs >= STICKY_MS * 0.9 && waitMs < STICKY_MS * 2, `${waitMs} ms`);
  },
);

/** Whether commands reach the engine. */
function serves(): Promise<boolean> {
  return quotedSubmission(client, 'Next Diner').then(
    () => true,
    () => false,
  );
}

/** How many workers poll for entity tasks. */
function pollers(): Promise<number> {
  return temporal.ask(async ({ workflowService }) => {
    const name = taskQueue('lifecycle', platform.config.taskQueuePrefix);
    const answer = await workflowService.describeTaskQueue({
      namespace: platform.config.temporalNamespace,
      taskQueue: { name },
      taskQueueType: 1,
    });
    return new Set(answer.pollers?.map(({ identity }) => identity)).size;
  });
}

/** How long workflow tasks waited for a worker that did not take them, in milliseconds, according to the history. */
function waitsForTheDead(workflowId: string): Promise<number[]> {
  return temporal.ask(async (server) => {
    const { events } = await server.workflow.getHandle(workflowId).fetchHistory();
    const timeOf = (eventId: unknown) => {
      const time = events?.find((event) => String(event.eventId) === String(eventId))?.eventTime;
      return Number(time?.seconds ?? 0) * 1_000 + (time?.nanos ?? 0) / 1e6;
    };
    return (events ?? []).flatMap(({ eventId, workflowTaskTimedOutEventAttributes: timedOut }) =>
      timedOut ? [timeOf(eventId) - timeOf(timedOut.scheduledEventId)] : [],
    );
  });
}

interface Accident {
  kill: () => Promise<void>;
  restart: () => Promise<void>;
}

/**
 * Binds, kills in the middle, repairs, repeats the request, and checks what is there. Returns the first request's
 * answer.
 */
async function interrupted(t: ExecutionContext, insuredName: string, { kill, restart }: Accident) {
  const submissionId = await quotedSubmission(client, insuredName);
  const path = `/v1/submissions/${submissionId}/bind`;
  const headers = { 'idempotency-key': `bind ${insuredName}` };
  const authority = await rows.holdAuthority(orgId);
  const first = attempt(client, path, BIND_BODY, { headers });
  await authority.bindIsWaiting();
  await kill();
  await authority.release();
  await restart();

  const answer = await repeatUntilAnswered(() => attempt(client, path, BIND_BODY, { headers }));
  t.is(answer.status, 201, answer.text);
  const replay = await client.post(path, BIND_BODY, { headers });
  t.is(replay.headers.get('idempotent-replayed'), 'true');
  t.deepEqual(replay.body, answer.body);
  const firstAnswer = await first;
  if (firstAnswer?.status === 201) t.deepEqual(firstAnswer.body, answer.body);
  else t.true(firstAnswer === null || firstAnswer.status === 503, firstAnswer?.text);

  t.like(await rows.ofSubmission(submissionId), BOUND_ONCE);
  const { countedCents, boundCents } = await rows.usage(orgId);
  t.is(countedCents, boundCents, 'the authority is used once for each policy');
  await policyIsLookedAfter(answer.body.policyId);
  return firstAnswer;
}

/** Repeats a request while it is still in progress or nothing answers. */
function repeatUntilAnswered(request: () => Promise<TestResponse | null>): Promise<TestResponse> {
  return eventually(
    async () => {
      const answer = await request();
      const isUnderWay = answer?.status === 409 && answer.body?.error === 'idempotency_in_progress';
      return answer === null || isUnderWay || answer.status === 503 ? null : answer;
    },
    { what: 'an answer to the repeated bind' },
  );
}

async function policyIsLookedAfter(policyId: string): Promise<void> {
  const isRunning = () =>
    temporal.ask(async (server) => {
      const { status } = await server.workflow.getHandle(policyWorkflowId(orgId, policyId)).describe();
      return status.name === 'RUNNING';
    });
  await eventually(() => isRunning().catch(() => false), { what: "the policy's workflow" });
}
