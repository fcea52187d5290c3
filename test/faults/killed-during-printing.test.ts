// The worker and its Chromium are killed in turn while a hundred pages are printed. Each document exists once, with
// the bytes that its row names, and a repeated call returns the same one. Requires Linux.
import { createHash } from 'node:crypto';
import test from 'ava';
import type { TestClient } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { answerForGood } from '../support/for-good.ts';
import { allPages } from '../support/house.ts';
import { killBrowsers } from '../support/printing/browsers.ts';
import { createTestDatabase } from '../support/servers/database.ts';
import { TEMPORAL_VARIABLE } from '../support/servers/servers.ts';
import { type Platform, startPlatform } from './platform.ts';

interface DocumentRow {
  id: string;
  sha256: string;
  downloadUrl: string;
}

const PAGES = 100;
/** Each prints one page at a time: an organization has no more turns. */
const ORGANIZATIONS = 4;
const IN_FLIGHT = 12;
/** The number of documents at which the worker is killed, and at which its browsers are. */
const WORKER_DIES_AT = [10, 60];
const BROWSER_DIES_AT = [35, 85];

let platform: Platform;

test.before('a platform whose worker is a process of its own', async (t) => {
  platform = await startPlatform({
    database: await createTestDatabase(t),
    temporalAddress: process.env[TEMPORAL_VARIABLE] ?? '',
    taskQueuePrefix: 'printing',
  });
});

test.after.always(() => platform?.stop());

/** Sends a page until the platform has a turn, a worker and time for it; returns its document's id. */
async function printed(client: TestClient, page: string, key = page): Promise<string> {
  const options = { headers: { 'idempotency-key': key } };
  const { status, body } = await answerForGood(() =>
    client.post('/v1/documents/render-pdf', { html: `<p>${page}</p>` }, options),
  );
  // A page that was too slow on a busy machine is refused for good under its key.
  if (body.details?.reason === 'too_slow') return printed(client, page, `${key} again`);
  return status === 201 ? body.id : `${key} was refused with ${status} ${body.error}`;
}

async function newClient(): Promise<TestClient> {
  const { id: org } = (await platform.machine.post('/v1/organizations', { name: 'Printing', tier: 'enterprise' })).body;
  return platform.as({ role: 'org_admin', org });
}

test('a hundred pages exist once each when the worker and its browser are killed in the middle of them', async (t) => {
  const clients = await Promise.all(Array.from({ length: ORGANIZATIONS }, newClient));
  const orders = Array.from({ length: PAGES }, (_, place) => {
    return { key: `page ${place}`, client: clients[place % ORGANIZATIONS] as TestClient };
  });
  const ids = new Map<string, string>();
  const queue = orders.values();
  const callers = Array.from({ length: IN_FLIGHT }, async () => {
    for (const { client, key } of queue) ids.set(key, await printed(client, key));
  });
  for (const at of [...WORKER_DIES_AT, ...BROWSER_DIES_AT].sort((one, other) => one - other)) {
    await eventually(() => ids.size >= at, { what: `${at} documents` });
    // Between one browser and the next there is briefly none.
    if (BROWSER_DIES_AT.includes(at))
      await eventually(() => killBrowsers(platform.worker.pid()) > 0, { what: 'a browser to kill' });
    else await platform.worker.kill().then(platform.worker.start);
  }
  await Promise.all(callers);
  for (const { client, key } of orders) t.is(await printed(client, key), ids.get(key) ?? '', key);
  const lists = await Promise.all(clients.map((client) => allPages(client, '/v1/documents')));
  const listed = lists.flat() as DocumentRow[];
  t.deepEqual(listed.map(({ id }) => id).sort(), [...ids.values()].sort());
  t.is(new Set(listed.map(({ sha256 }) => sha256)).size, PAGES);
  for (const { downloadUrl, sha256 } of listed.slice(0, IN_FLIGHT)) {
    const bytes = await (await fetch(`${platform.baseUrl}${new URL(downloadUrl).pathname}`)).bytes();
    t.is(createHash('sha256').update(bytes).digest('hex'), sha256);
  }
});
