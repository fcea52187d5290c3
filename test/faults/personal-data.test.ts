// Where nothing about a person may stand: in what Temporal stores, in the logs, in the events that others are sent. A
// whole story is lived through under names that occur nowhere else, and then they are looked for.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import test from 'ava';
import { WORKFLOW_TYPES } from '../../contracts/machinery/start.ts';
import { addDays } from '../../domain/dates.ts';
import type { TestClient } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { testToday } from '../support/fixed/today.ts';
import { bodyOf, risk } from '../support/house.ts';
import { createTestDatabase } from '../support/servers/database.ts';
import { TEMPORAL_VARIABLE } from '../support/servers/servers.ts';
import { readableHistory } from '../workflows/readable-history.ts';
import { Rows } from './bind.ts';
import { type Platform, startPlatform } from './platform.ts';

const PREFIX = 'personal-data';
/** Each is found as it is, so none is part of anything else. */
const PERSONAL = {
  insuredName: 'Zephyrine Quillfeather Diner',
  insuredEmail: 'zephyrine@quillfeather.example',
  insuredPhone: '+1 512 555 0147',
  street: '1907 Larkspur Hollow',
  description: 'Owned by Thaddeus Wolverhampton',
  reference: 'Check of T. Wolverhampton',
};
/** The particulars of a loss pass through no workflow at all. */
const LOSS = {
  description: 'Ottoline Featherstonehaugh broke a hip',
  claimant: { name: 'Ottoline Featherstonehaugh' },
};
const LOSS_SEEDS = ['Ottoline', 'Featherstonehaugh', 'broke a hip'];
const SEEDS = [
  ...Object.values(PERSONAL),
  'Zephyrine',
  'Quillfeather',
  'quillfeather',
  'Larkspur',
  'Wolverhampton',
  ...LOSS_SEEDS,
];

let platform: Platform;
let rows: Rows;
let temporal: Client;
let connection: Connection;
const folder = mkdtempSync(join(tmpdir(), 'bindery-personal-'));
const logs: string[] = [];

test.before('a platform that logs everything', async () => {
  const temporalAddress = process.env[TEMPORAL_VARIABLE] ?? '127.0.0.1:7233';
  const database = await createTestDatabase({ title: 'personal data' });
  rows = new Rows(database.ownerUrl);
  connection = await Connection.connect({ address: temporalAddress });
  // Without the key: it sees what Temporal has.
  temporal = new Client({ connection });
  platform = await startPlatform({
    ...{ database, temporalAddress, taskQueuePrefix: `${PREFIX}-${process.pid}` },
    variables: { LOG_LEVEL: 'trace', DATA_DIR: folder },
    onLine: (line) => void logs.push(line),
  });
});

test.after.always(async () => {
  await platform?.stop();
  await connection?.close();
  rmSync(folder, { recursive: true, force: true });
});

/**
 * From the submission to the cancellation of the carrier, with mail, payment and a refusal on the way. Answers the
 * organization.
 */
async function live(): Promise<string> {
  const orgId = bodyOf(await platform.machine.post('/v1/organizations', { name: 'Personal Data' }), 201).id;
  const client = await platform.as({ role: 'org_admin', org: orgId });
  const { street, reference, ...insured } = PERSONAL;
  const effectiveDate = addDays(testToday(), 10);
  const insuredAddress = { line1: street, city: 'Austin', state: 'TX', postalCode: '78701' };
  const submission = { ...risk(), ...insured, insuredAddress, effectiveDate };
  const { id } = bodyOf(await client.post('/v1/submissions', submission), 201);
  const twin = bodyOf(await client.post('/v1/submissions', submission), 201);
  bodyOf(await client.post(`/v1/submissions/${twin.id}/decline`, { reason: PERSONAL.description }));
  await client.post(`/v1/submissions/${twin.id}/quote`);
  const quote = bodyOf(await client.post(`/v1/submissions/${id}/quote`), 201);
  if (!quote.bindable) throw new Error(`the quote cannot be bound: ${JSON.stringify(quote)}`);
  const { policyId, invoices } = bodyOf(
    await client.post(`/v1/submissions/${id}/bind`, { installmentPlan: 'QUARTERLY_4' }),
    201,
  );
  const [first] = invoices as { id: string; total: number }[];
  const payment = { amount: first?.total, method: 'check', reference };
  bodyOf(await client.post(`/v1/invoices/${first?.id}/pay`, payment), 201);
  await client.post(`/v1/invoices/${first?.id}/pay`, { ...payment, reference: `${reference} again` });
  await client.post('/v1/test-clock', { advanceTo: addDays(effectiveDate, 5) });
  const loss = { ...LOSS, policyId, lossDate: effectiveDate, containsPhi: true };
  const claim = bodyOf(await client.post('/v1/claims', loss), 201);
  bodyOf(await client.post(`/v1/claims/${claim.id}/deny`, { reason: LOSS.description }));
  const cancellation = { effectiveDate: addDays(effectiveDate, 60), reason: 'underwriting' };
  bodyOf(await client.post(`/v1/policies/${policyId}/cancel`, cancellation), 201);
  await eventually(async () => mails().some((mail) => mail.includes(PERSONAL.insuredEmail)), { what: 'the mail' });
  await client.post('/v1/test-clock', { advanceTo: addDays(effectiveDate, 61) });
  await eventually(() => isCancelled(client, policyId), { what: 'the cancellation' });
  return orgId;
}

async function isCancelled(client: TestClient, policyId: string): Promise<boolean> {
  return bodyOf(await client.get(`/v1/policies/${policyId}`)).status === 'cancelled';
}

function mails(): string[] {
  try {
    return readdirSync(join(folder, 'mail')).map((name) => readFileSync(join(folder, 'mail', name), 'utf8'));
  } catch {
    return [];
  }
}

/** Every text in a message of the protocol, bytes read as text. */
function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (value instanceof Uint8Array) return [Buffer.from(value).toString('utf8')];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [key, ...textsOf(inner)]);
}

const foundIn = (texts: readonly string[]) => {
  const all = texts.join('\n');
  return SEEDS.filter((seed) => all.includes(seed));
};

test('a story leaves nothing about its people in histories, lists, logs and events', async (t) => {
  const orgId = await live();
  const query = `OrgId = '${orgId}'`;
  const types = new Set<string>();
  const stored: string[] = [];
  const readable: string[] = [];
  const expected = [
    WORKFLOW_TYPES.submission,
    WORKFLOW_TYPES.policy,
    WORKFLOW_TYPES.payment,
    WORKFLOW_TYPES.notice,
    WORKFLOW_TYPES.claim,
  ];
  await eventually(
    async () => {
      for await (const { type } of temporal.workflow.list({ query })) types.add(type);
      return expected.every((type) => types.has(type));
    },
    { what: 'the list of workflows' },
  );
  for await (const info of temporal.workflow.list({ query })) {
    const handle = temporal.workflow.getHandle(info.workflowId, info.runId);
    const history = await handle.fetchHistory();
    const described = await handle.describe();
    // Without the key this fails unless it is readable.
    const metadata = await handle.query('__temporal_workflow_metadata');
    stored.push(...textsOf(history), ...textsOf(info.raw), ...textsOf(described.raw), ...textsOf(metadata));
    for (const payload of payloadsIn(await readableHistory(JSON.parse(historyToJSON(history))))) readable.push(payload);
  }
  t.deepEqual(foundIn(stored), []);
  t.deepEqual(
    foundIn(readable).filter((seed) => LOSS_SEEDS.includes(seed)),
    [],
  );
  t.true(
    foundIn(readable).includes(PERSONAL.insuredName),
    'with the key it is there, so the search would have found it',
  );

  await platform.stop();
  for (const said of ['"listening"', '"worker ready"', '"request"'])
    t.true(
      logs.some((line) => line.includes(said)),
      said,
    );
  t.deepEqual(foundIn(logs), []);

  const events = await rows.query<{ type: string; data: string }>(
    'select type, data::text from events where org_id = $1',
    [orgId],
  );
  t.true(events.some(({ type }) => type === 'policy.cancelled'));
  // What the biller has written on a payment tells the receiver which one it is.
  const sent = events.map(({ data }) => data.replaceAll(PERSONAL.reference, ''));
  t.deepEqual(foundIn(sent), []);
});

/** The data of all payloads in a readable history. */
function payloadsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const { data, metadata } = value as { data?: unknown; metadata?: unknown };
  if (typeof data === 'string' && metadata) return [Buffer.from(data, 'base64').toString()];
  return Object.values(value).flatMap(payloadsIn);
}
