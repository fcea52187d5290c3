// An installation's codec server: who may read what workflows have stored, and what it refuses.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import test from 'ava';
import { submissionWorkflowId } from '../../../contracts/machinery/start.ts';
import { addDays } from '../../../domain/dates.ts';
import { testToday } from '../../support/fixed/today.ts';
import { bodyOf, type House, newHouse, risk } from '../../support/house.ts';
import { startPlatform } from '../../support/platform.ts';
import type { Platform } from '../../support/run-platform.ts';
import { findTestTemporal } from '../../support/servers/servers.ts';

const run = promisify(execFile);

const NAMESPACE = { 'x-namespace': 'default' };
const DECODE = '/v1/temporal-codec/decode';
const ENCODE = '/v1/temporal-codec/encode';

interface Wire {
  metadata: Record<string, string>;
  data: string;
}

let platform: Platform;
let house: House;
let temporalBinary: string;

test.before('a platform', async (t) => {
  platform = await startPlatform(t);
  house = await newHouse(platform);
  temporalBinary = await findTestTemporal(process.env);
});

const base64 = (bytes: Uint8Array | string | null | undefined) => Buffer.from(bytes ?? '').toString('base64');

/** What Temporal has stored of the update that created a submission, as its web interface shows it. */
async function storedSubmission(insuredName: string): Promise<{ workflowId: string; payload: Wire }> {
  const effectiveDate = addDays(testToday(), 10);
  const body = { ...risk(), insuredName, effectiveDate };
  const { id } = bodyOf(await house.as('org_admin').post('/v1/submissions', body), 201);
  const workflowId = submissionWorkflowId(house.orgId, id);
  const handle = platform.temporal.client.workflow.getHandle(workflowId);
  const { events } = await handle.fetchHistory();
  const accepted = events?.find((event) => event.workflowExecutionUpdateAcceptedEventAttributes);
  const payload = accepted?.workflowExecutionUpdateAcceptedEventAttributes?.acceptedRequest?.input?.args?.payloads?.[0];
  const metadata = Object.entries(payload?.metadata ?? {}).map(([name, value]) => [name, base64(value)]);
  return { workflowId, payload: { metadata: Object.fromEntries(metadata), data: base64(payload?.data) } };
}

test("a platform operator, a superadmin and the machine secret read a command's stored Temporal payloads", async (t) => {
  const { payload: stored } = await storedSubmission('Admiral Diner LLC');
  t.notRegex(Buffer.from(stored.data, 'base64').toString('latin1'), /Admiral/);
  for (const caller of ['platform_operator', 'superadmin', 'machine']) {
    const answer = await platform.as(caller).post(DECODE, { payloads: [stored] }, { headers: NAMESPACE });
    const [payload] = bodyOf(answer, 200).payloads;
    const command = JSON.parse(Buffer.from(payload.data, 'base64').toString());
    t.is(command.payload.insuredName, 'Admiral Diner LLC', caller);
    t.is(command.orgId, house.orgId);
  }
});

test('the Temporal CLI shows a history with the endpoint and a token', async (t) => {
  const { workflowId } = await storedSubmission('Rear Admiral Diner LLC');
  const token = await platform.token({ role: 'platform_operator' });
  const show = async (...more: string[]) => {
    const server = ['--address', platform.config.temporalAddress, '--output', 'json'];
    const { stdout } = await run(temporalBinary, ['workflow', 'show', '--workflow-id', workflowId, ...server, ...more]);
    return [...stdout.matchAll(/"data": "([^"]*)"/g)].map(([, data]) => Buffer.from(data ?? '', 'base64').toString());
  };
  const names = (payloads: string[]) => payloads.some((payload) => payload.includes('Rear Admiral Diner LLC'));
  const codec = ['--codec-endpoint', `${platform.url}/v1/temporal-codec`];
  const decoded = [...codec, '--codec-header', `Authorization=Bearer ${token}`];
  t.false(names(await show()));
  t.true(names(await show(...decoded, '--namespace', 'default')));
  // The CLI sends no namespace unless its command line gives one.
  t.true(names(await show(...decoded)));
});

test('an encoded payload is encrypted, and decodes to the original', async (t) => {
  const operator = platform.as('platform_operator');
  const plain = { metadata: { encoding: base64('json/plain') }, data: base64('{"step":"receipt"}') };
  const encoded = bodyOf(await operator.post(ENCODE, { payloads: [plain] }, { headers: NAMESPACE }), 200);
  t.is(Buffer.from(encoded.payloads[0].metadata.encoding, 'base64').toString(), 'binary/encrypted');
  t.deepEqual(bodyOf(await operator.post(DECODE, encoded, { headers: NAMESPACE }), 200), { payloads: [plain] });
});

test('the empty list of arguments, which the Temporal CLI leaves out, is an empty list', async (t) => {
  for (const path of [DECODE, ENCODE]) {
    t.deepEqual(bodyOf(await platform.as('platform_operator').post(path, {}), 200), { payloads: [] });
  }
});

test('nobody else may, and no other namespace is served', async (t) => {
  for (const path of [DECODE, ENCODE]) {
    t.is((await platform.anonymous.post(path, { payloads: [] }, { headers: NAMESPACE })).status, 401);
    for (const role of ['org_admin', 'auditor', 'underwriter']) {
      t.is((await platform.as(role).post(path, { payloads: [] }, { headers: NAMESPACE })).status, 403, role);
    }
    const headers = { 'x-namespace': 'another' };
    const { status, body } = await platform.as('platform_operator').post(path, { payloads: [] }, { headers });
    t.is(status, 400);
    t.is(body.details.field, 'X-Namespace');
  }
});

test('a payload under a key that is not given is refused with the name of the key', async (t) => {
  const { payload: stored } = await storedSubmission('Admiral Diner LLC');
  const foreign = { ...stored, metadata: { ...stored.metadata, 'encryption-key-id': base64('retired') } };
  const answer = await platform.as('superadmin').post(DECODE, { payloads: [foreign] }, { headers: NAMESPACE });
  t.is(answer.status, 400);
  t.regex(answer.body.message, /"retired", which is not given/);
});
