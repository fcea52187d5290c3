// A browser that dies while it prints: every document is made all the same, and once.
import test from 'ava';
import type { TestClient } from '../../support/client.ts';
import { eventually } from '../../support/eventually.ts';
import { allPages, newHouse } from '../../support/house.ts';
import { startCheckedPlatform } from '../../support/openapi-check.ts';
import { killBrowsers } from '../../support/printing/browsers.ts';
import { startPress } from '../../support/printing/press.ts';

const PAGES = 20;
/** So many documents are there when the browser is killed. */
const KILLED_AFTER = [3, 10];

/** Sends a page until the platform has a turn for it; answers the id of its document. */
async function printed(client: TestClient, key: string): Promise<string> {
  const headers = { 'idempotency-key': key };
  const { status, body } = await client.post('/v1/documents/render-pdf', { html: `<p>${key}</p>` }, { headers });
  if (status === 429 || status === 503) return printed(client, key);
  return status === 201 ? body.id : `${key} was refused with ${status} ${body.details?.reason}`;
}

test('a browser that is killed in the middle of its work leaves each document once', async (t) => {
  const platform = await startCheckedPlatform(t, { pdf: startPress() });
  const client = (await newHouse(platform)).as('org_admin');
  const keys = Array.from({ length: PAGES }, (_, place) => `page ${place}`);
  let made = 0;
  const answers = keys.map(async (key) => {
    const id = await printed(client, key);
    made += 1;
    return id;
  });
  for (const before of KILLED_AFTER) {
    await eventually(() => made >= before, { what: `${before} documents` });
    killBrowsers();
  }
  const first = await Promise.all(answers);
  t.deepEqual(await Promise.all(keys.map((key) => printed(client, key))), first);
  const listed = (await allPages(client, '/v1/documents', { kind: 'rendered' })) as { id: string; sha256: string }[];
  t.deepEqual(listed.map(({ id }) => id).sort(), first.toSorted());
  t.is(new Set(listed.map(({ sha256 }) => sha256)).size, PAGES);
});
