// A worker, an api or the Temporal server is killed while the transaction of a bind is open. That it is open is made
// certain: the test holds the lock that the transaction needs.
import test, { type ExecutionContext } from 'ava';
import { policyWorkflowId } from '../../contracts/start.ts';
import type { TestClient, TestResponse } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { createTestDatabase } from '../support/servers/database.ts';
import { BIND_BODY, BOUND_ONCE, quotedSubmission, Rows } from './bind.ts';
import { type OwnTemporal, ownTemporal } from './own-temporal.ts';
import { attempt, type Platform, startPlatform } from './platform.ts';

/** The usual one: a call whose process died may be repeated only after it. */
const variables = { COMMAND_DEADLINE_MS: '15000' };

let temporal: OwnTemporal;
let platform: Platform;
let rows: Rows;
let client: TestClient;
let orgId: string;

test.before(async () => {
  temporal = await ownTemporal();
  const [database] = await Promise.all([createTestDatabase({ title: 'killed' }), temporal.start()]);
  rows = new Rows(database.ownerUrl);
  platform = await startPlatform({ database, temporalAddress: temporal.address, taskQueuePrefix: 'killed', variables });
  orgId = (await platform.machine.post('/v1/organizations', { name: 'Killed' })).body.id;
  client = await platform.as({ role: 'org_admin', org: orgId });
  // The first bind makes the row of the authority that the others are held by.
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

test.serial('a bind whose api is killed half way is done once, and the next api answers for it', async (t) => {
  const first = await interrupted(t, 'Api Diner', {
    kill: () => platform.api.kill(),
    restart: async () => {
      await platform.api.start();
      await platform.ready();
    },
  });
  t.is(first, null, 'the caller of a killed api gets no answer');
});

test.serial('a bind whose Temporal server is killed half way is done once when the server is back', async (t) => {
  await interrupted(t, 'Temporal Diner', {
    kill: () => temporal.kill(),
    restart: () => temporal.start(),
  });
});

interface Accident {
  kill: () => Promise<void>;
  restart: () => Promise<void>;
}

/**
 * Binds, kills in the middle, repairs, repeats the request, and looks at what there is. Answers what the first request
 * got.
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

/** Repeats a request while it is still under way or nobody can be reached. */
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
