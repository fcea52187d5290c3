// Temporal behind TLS, as in a cloud: API and worker identify themselves, and a call that the server refuses is logged
// with its code and answered accordingly.
import test from 'ava';
import pino from 'pino';
import { connectTemporal } from '../../api/engine/temporal.ts';
import { type Certified, createAuthority } from '../support/certificates.ts';
import { testConfig } from '../support/config.ts';
import { answerForGood } from '../support/for-good.ts';
import { bodyOf, bound, newHouse, risk } from '../support/house.ts';
import { startPlatform } from '../support/platform.ts';
import { createTestDatabase } from '../support/servers/database.ts';
import { TEMPORAL_VARIABLE } from '../support/servers/servers.ts';
import { openTemporalDoor } from '../support/servers/temporal-door.ts';

const BEHIND = process.env[TEMPORAL_VARIABLE] ?? '';
const API_KEY = 'temporal-key-of-the-test';
const PERMISSION_DENIED = 7;
const INVALID_ARGUMENT = 3;

let server: Certified;
let client: Certified;

test.before(async () => {
  const certify = await createAuthority();
  [server, client] = await Promise.all([certify('temporal'), certify('bindery')]);
});

const trusting = () => ({
  TEMPORAL_TLS_SERVER_CA_CERT_DATA: server.authority,
  TEMPORAL_TLS_SERVER_NAME: 'localhost',
});

test('mutual TLS lets a policy be bound, and keeps a client without a certificate out', async (t) => {
  const door = await openTemporalDoor({ behind: BEHIND, certified: server, wantsCertificate: true });
  t.teardown(() => door.close());
  const variables = {
    ...trusting(),
    TEMPORAL_TLS_CLIENT_CERT_DATA: client.certificate,
    TEMPORAL_TLS_CLIENT_KEY_DATA: client.key,
  };
  const platform = await startPlatform(t, { temporalAddress: door.address, variables });
  const { policyId } = await bound((await newHouse(platform)).as('underwriter'));
  t.regex(policyId, /^pol_/);
  const database = await createTestDatabase(t);
  const bare = { database, temporalAddress: door.address, taskQueuePrefix: 'bare', variables: trusting() };
  const stranger = await connectTemporal(testConfig(bare));
  t.false(stranger.availability.isUp());
  await stranger.close();
});

test('every call of api and worker carries the API key, over TLS', async (t) => {
  const door = await openTemporalDoor({ behind: BEHIND, certified: server, wantsCertificate: false });
  t.teardown(() => door.close());
  const variables = { ...trusting(), TEMPORAL_API_KEY: API_KEY };
  const platform = await startPlatform(t, { temporalAddress: door.address, variables });
  await bound((await newHouse(platform)).as('underwriter'));
  t.deepEqual([...new Set(door.calls.map(({ authorization }) => authorization))], [`Bearer ${API_KEY}`]);
  for (const each of ['PollWorkflowTaskQueue', 'ExecuteMultiOperation']) {
    t.true(
      door.calls.some(({ call }) => call === each),
      each,
    );
  }
});

test('a call that Temporal refuses for good is 500, and is logged with its code and cause', async (t) => {
  const door = await openTemporalDoor({ behind: BEHIND, certified: server, wantsCertificate: false });
  t.teardown(() => door.close());
  const lines: Record<string, unknown>[] = [];
  const logger = pino({ level: 'warn' }, { write: (line) => void lines.push(JSON.parse(line)) });
  const options = { temporalAddress: door.address, variables: trusting(), logger, worker: false };
  const platform = await startPlatform(t, options);
  const underwriter = (await newHouse(platform)).as('underwriter');
  const call = /ExecuteMultiOperation|UpdateWorkflowExecution|StartWorkflowExecution/;
  for (const [code, name] of [
    [PERMISSION_DENIED, 'PERMISSION_DENIED'],
    [INVALID_ARGUMENT, 'INVALID_ARGUMENT'],
  ] as const) {
    door.refuse({ call, code, message: `refused-with-${code}` });
    const answer = await answerForGood(() => underwriter.post('/v1/submissions', risk()));
    t.is(bodyOf(answer, 500).error, 'internal_error');
    t.false(answer.text.includes('refused-with'), 'what the server said is for the log');
    const logged = lines.find(({ msg, grpcCode }) => msg === 'a call to Temporal failed' && grpcCode === name);
    t.regex(String(logged?.cause), new RegExp(`refused-with-${code}`));
  }
});
