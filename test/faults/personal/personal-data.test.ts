// Where personal data must not appear: in what Temporal stores, in the logs, in events sent to others. A whole story
// runs under names that occur nowhere else, and then the test searches for them.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import test from 'ava';
import { WORKFLOW_TYPES } from '../../../contracts/machinery/start.ts';
import { type SigningRoom, startSigningRoom } from '../../../stand-ins/e-signature/server.ts';
import { eventually } from '../../support/eventually.ts';
import { createTestDatabase } from '../../support/servers/database.ts';
import { INBOUND_VARIABLES } from '../../support/servers/providers.ts';
import { TEMPORAL_VARIABLE } from '../../support/servers/servers.ts';
import { readableHistory } from '../../workflows/readable-history.ts';
import { Rows } from '../bind.ts';
import { type Platform, startPlatform } from '../platform.ts';
import { endOf, insuredWithALoss, LOSS_SEEDS, PERSONAL, peopleAround, SEEDS } from './stories.ts';

const PREFIX = 'personal-data';
const ESIGN_KEY = 'boldsign_key-of-personal-data-0123456789';

let platform: Platform;
let rows: Rows;
let temporal: Client;
let connection: Connection;
let room: SigningRoom;
const folder = mkdtempSync(join(tmpdir(), 'bindery-personal-'));
const logs: string[] = [];

test.before('a platform that logs everything', async () => {
  const temporalAddress = process.env[TEMPORAL_VARIABLE] ?? '127.0.0.1:7233';
  const database = await createTestDatabase({ title: 'personal data' });
  rows = new Rows(database.ownerUrl);
  connection = await Connection.connect({ address: temporalAddress });
  room = await startSigningRoom({ apiKey: ESIGN_KEY, webhookSecret: INBOUND_VARIABLES.ESIGN_WEBHOOK_SECRET });
  // Without the key, so it sees what Temporal has.
  temporal = new Client({ connection });
  platform = await startPlatform({
    ...{ database, temporalAddress, taskQueuePrefix: `${PREFIX}-${process.pid}` },
    variables: {
      ...INBOUND_VARIABLES,
      ...{ LOG_LEVEL: 'trace', DATA_DIR: folder, ESIGN_API_KEY: ESIGN_KEY, ESIGN_BASE_URL: room.url },
    },
    onLine: (line) => void logs.push(line),
  });
  room.deliverTo(`${platform.baseUrl}/v1/esign/webhook`);
});

test.after.always(async () => {
  await platform?.stop();
  await Promise.all([connection?.close(), room?.close()]);
  rmSync(folder, { recursive: true, force: true });
});

function mails(): string[] {
  try {
    return readdirSync(join(folder, 'mail')).map((name) => readFileSync(join(folder, 'mail', name), 'utf8'));
  } catch {
    return [];
  }
}

/** Every text in a protocol message, with bytes read as text. */
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
  const story = await insuredWithALoss(platform);
  await peopleAround(story, platform, room);
  await endOf(story, () => mails().some((mail) => mail.includes(PERSONAL.insuredEmail)));
  const { orgId } = story;
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
    WORKFLOW_TYPES.claimPayment,
    WORKFLOW_TYPES.signingEnvelope,
    WORKFLOW_TYPES.signingEvent,
    WORKFLOW_TYPES.identityEvent,
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
  // The biller's reference on a payment identifies it to the receiver.
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
