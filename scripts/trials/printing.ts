// npm run printing [-- --documents 100] [--kills 6]: prints documents of several organizations while the worker and
// its Chromium are killed in turn. Each document must exist once, twenty of each organization are read and must match
// the hashes in their rows, and the worker's memory must stay flat after the first half; exits with 1 otherwise.
// Requires Linux.
// `npm run printing -- --documents 2000 --kills 0` checks the memory of one worker.
import '../help/show-help.ts';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { WorkerMemory } from '../../test/deliveries/memory.ts';
import { type Platform, startPlatform } from '../../test/faults/platform.ts';
import type { TestClient } from '../../test/support/client.ts';
import { eventually } from '../../test/support/eventually.ts';
import { allPages } from '../../test/support/house.ts';
import { killBrowsers } from '../../test/support/printing/browsers.ts';
import { createTestDatabase } from '../../test/support/servers/database.ts';
import { CARD_PROCESSOR_VARIABLES, startProviders } from '../../test/support/servers/providers.ts';
import { TEMPORAL_VARIABLE } from '../../test/support/servers/servers.ts';
import { startSurroundings } from '../../test/support/servers/surroundings.ts';

const ORGANIZATIONS = 5;
const REPEAT_AFTER_MS = 500;
const LONGEST_MS = 3_600_000;
/** Callers waiting for documents at a time. */
const IN_FLIGHT = 20;
/** With 2,000 documents: by then browser and threads have been replaced several times, and the heap has settled. */
const WARM_AFTER = 0.5;
const GROWTH_MIB = 128;
/** Per organization. */
const FILES_READ = 20;

interface Printed {
  client: TestClient;
  key: string;
  id: string | null;
}

interface DocumentRow {
  id: string;
  sha256: string;
  downloadUrl: string;
}

const { values } = parseArgs({ options: { documents: { type: 'string' }, kills: { type: 'string' } } });
const [documents, kills] = [Number(values.documents ?? 100), Number(values.kills ?? 6)];
if (!(documents > 0 && kills >= 0)) throw new Error('npm run printing -- --documents 100 --kills 6');

const startedAt = Date.now();
const report = (line: string) => console.log(`${((Date.now() - startedAt) / 1_000).toFixed(0).padStart(5)} s  ${line}`);
const folder = mkdtempSync(join(tmpdir(), 'bindery-printing-'));
const surroundings = await startSurroundings(folder);
Object.assign(process.env, surroundings.variables);
const providers = await startProviders();
try {
  const platform = await startPlatform({
    database: await createTestDatabase({ title: 'printing' }),
    temporalAddress: surroundings.variables[TEMPORAL_VARIABLE] ?? '',
    taskQueuePrefix: 'printing',
    variables: { ...CARD_PROCESSOR_VARIABLES, CARD_PROCESSOR_BASE_URL: providers.processor.url, DATA_DIR: folder },
    onLine: () => {},
  });
  try {
    const findings = await printedThroughDeaths(platform);
    report(`${documents} documents, ${kills} deaths, ${findings.length} findings`);
    for (const finding of findings) report(finding);
    process.exitCode = findings.length === 0 ? 0 : 1;
  } finally {
    await platform.stop();
  }
} finally {
  await providers.close();
  await surroundings.stop();
  rmSync(folder, { recursive: true, force: true });
}

async function printedThroughDeaths(platform: Platform): Promise<string[]> {
  const clients = await Promise.all(Array.from({ length: ORGANIZATIONS }, (_, number) => clientOf(platform, number)));
  const orders = Array.from({ length: documents }, (_, number): Printed => {
    return { client: clients[number % ORGANIZATIONS] as TestClient, key: `page ${number}`, id: null };
  });
  let made = 0;
  const queue = orders.values();
  const printing = Array.from({ length: IN_FLIGHT }, async () => {
    for (const order of queue) {
      order.id = await printed(order);
      made += 1;
    }
  });
  const watching = memoryFindings(platform, () => made);
  const patience = { withinMs: LONGEST_MS };
  for (let death = 1; death <= kills; death++) {
    const before = Math.floor((documents * death) / (kills + 2));
    await eventually(async () => made >= before, { what: `${before} documents`, ...patience });
    const isWorker = death % 2 === 1;
    if (isWorker) {
      await platform.worker.kill();
      await platform.worker.start();
    }
    const browsers = isWorker ? 0 : killBrowsers(platform.worker.pid());
    report(`${made} documents are there: ${isWorker ? 'the worker is killed' : `${browsers} browsers are killed`}`);
  }
  await Promise.all(printing);
  report('every call is answered');
  const findings = await watching;
  for (const order of orders) {
    if ((await printed(order)) !== order.id) findings.push(`${order.key} is another one when repeated`);
  }
  for (const client of clients) findings.push(...(await findingsOf(client, orders, platform)));
  return findings;
}

/** Watches the worker's memory until every document is made. */
async function memoryFindings(platform: Platform, made: () => number): Promise<string[]> {
  const isWarm = () => made() >= documents * WARM_AFTER;
  await eventually(isWarm, { what: 'the first documents', withinMs: LONGEST_MS });
  const memory = await WorkerMemory.of(platform);
  for (let tenth = 1; made() < documents; ) {
    await pause(REPEAT_AFTER_MS);
    await memory.look();
    if (made() < (documents * tenth) / 10) continue;
    report(`${made()} documents are there: the worker has grown by ${memory.grownMiB} MiB`);
    tenth = Math.floor((made() * 10) / documents) + 1;
  }
  return memory.grownMiB > GROWTH_MIB ? [`the worker has grown by ${memory.grownMiB} MiB`] : [];
}

async function clientOf(platform: Platform, number: number): Promise<TestClient> {
  const { body } = await platform.machine.post('/v1/organizations', { name: `Printing ${number}`, tier: 'enterprise' });
  return platform.as({ role: 'org_admin', org: body.id, sub: `usr_printing_${number}` });
}

/** Sends a page until it is printed, as a patient caller would; returns the document's id. */
async function printed({ client, key }: Printed): Promise<string> {
  const body = { html: `<h1>{{ key }}</h1>${'<p>Coverage</p>'.repeat(200)}`, data: { key } };
  for (;;) {
    const answer = await client
      .post('/v1/documents/render-pdf', body, { headers: { 'idempotency-key': key } })
      .catch(() => null);
    if (answer?.status === 201) return answer.body.id;
    if (answer && answer.status < 500 && ![409, 429].includes(answer.status)) {
      throw new Error(`${key} was refused: ${answer.status} ${answer.text}`);
    }
    await pause(REPEAT_AFTER_MS);
  }
}

/** Compares an organization's documents with the answered calls, and the files with their rows. */
async function findingsOf(client: TestClient, orders: readonly Printed[], { baseUrl }: Platform): Promise<string[]> {
  const expected = orders.filter((order) => order.client === client).map(({ id }) => id);
  const listed = (await allPages(client, '/v1/documents', { kind: 'rendered' })) as unknown as DocumentRow[];
  const findings: string[] = [];
  if (listed.length !== expected.length) findings.push(`${listed.length} documents and not ${expected.length}`);
  for (const id of expected) {
    const count = listed.filter((row) => row.id === id).length;
    if (count !== 1) findings.push(`${id} is there ${count} times`);
  }
  // Not all of thousands: downloads per IP address are limited per minute.
  for (const { id, sha256, downloadUrl } of listed.slice(0, FILES_READ)) {
    const answer = await fetch(`${baseUrl}${new URL(downloadUrl).pathname}`);
    const bytes = Buffer.from(await answer.arrayBuffer());
    const isSame = answer.ok && createHash('sha256').update(bytes).digest('hex') === sha256;
    if (!isSame) findings.push(`${id} is answered ${answer.status} or has other bytes than its row`);
  }
  return findings;
}
