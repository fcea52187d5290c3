// Documents are made once: even when a browser dies while printing, and when the step that makes them runs again.
import test from 'ava';
import { SYSTEM } from '../../../activities/audit.ts';
import { addDays } from '../../../domain/dates.ts';
import type { TestClient } from '../../support/client.ts';
import { eventually } from '../../support/eventually.ts';
import { answerForGood } from '../../support/for-good.ts';
import { allPages, bodyOf, newHouse } from '../../support/house.ts';
import { startCheckedPlatform } from '../../support/openapi-check.ts';
import { killBrowsers } from '../../support/printing/browsers.ts';
import { startPress } from '../../support/printing/press.ts';
import { textOf } from '../../support/printing/text-of.ts';
import type { Platform } from '../../support/run-platform.ts';
import { insured, pay } from '../policy/policy-calls.ts';

const PAGES = 20;
/** The number of documents at which the browser is killed. */
const KILLED_AFTER = [3, 10];
/** Callers that wait for documents at the same time. */
const IN_FLIGHT = 6;

let platform: Platform;

test.before('a platform that prints', async (t) => {
  platform = await startCheckedPlatform(t, { pdf: startPress() });
});

/** Sends a page until the platform has a turn and time for it; returns its document's id. */
async function printed(client: TestClient, page: string, key = page): Promise<string> {
  const headers = { 'idempotency-key': key };
  const { status, body } = await answerForGood(() =>
    client.post('/v1/documents/render-pdf', { html: `<p>${page}</p>` }, { headers }),
  );
  // A page that was too slow on a busy machine is refused for good under its key.
  if (body.details?.reason === 'too_slow') return printed(client, page, `${key} again`);
  return status === 201 ? body.id : `${key} was refused with ${status} ${body.details?.reason}`;
}

test.serial('a browser that is killed in the middle of its work leaves each document once', async (t) => {
  const client = (await newHouse(platform)).as('org_admin');
  const keys = Array.from({ length: PAGES }, (_, place) => `page ${place}`);
  const ids = new Map<string, string>();
  const queue = keys.values();
  const callers = Array.from({ length: IN_FLIGHT }, async () => {
    for (const key of queue) ids.set(key, await printed(client, key));
  });
  for (const before of KILLED_AFTER) {
    await eventually(() => ids.size >= before, { what: `${before} documents` });
    // Between one browser and the next there is briefly none.
    await eventually(() => killBrowsers() > 0, { what: 'a browser to kill' });
  }
  await Promise.all(callers);
  const first = keys.map((key) => ids.get(key) ?? '');
  t.deepEqual(await Promise.all(keys.map((key) => printed(client, key))), first);
  const listed = (await allPages(client, '/v1/documents', { kind: 'rendered' })) as { id: string; sha256: string }[];
  t.deepEqual(listed.map(({ id }) => id).sort(), first.toSorted());
  t.is(new Set(listed.map(({ sha256 }) => sha256)).size, PAGES);
});

test.serial('a renewal has one document, the declarations of the next term, however often it is made', async (t) => {
  const policy = await insured(platform);
  const { client, house } = policy;
  await pay(policy);
  await policy.advance(addDays(policy.expirationDate, -60));
  const { renewalPolicyId, policyNumber } = bodyOf(await policy.change('renew'), 201);
  const documents = () => allPages(client, '/v1/documents', { entityType: 'policy', entityId: renewalPolicyId });
  await eventually(async () => (await documents()).length > 0, { what: 'the declarations' });
  const [declarations] = (await documents()) as [{ id: string; kind: string; downloadUrl: string }];
  const again = {
    commandId: 'again',
    orgId: house.orgId,
    entityId: declarations.id,
    actor: SYSTEM,
    requestId: 'req_1',
  };
  await platform.lifecycle.makeDocument({ ...again, payload: {} });
  t.deepEqual(
    (await documents()).map(({ id }) => id),
    [declarations.id],
  );
  t.is(declarations.kind, 'declarations');
  const [{ documentId }] = bodyOf(await client.get(`/v1/policies/${renewalPolicyId}/timeline`)).data;
  t.is(documentId, declarations.id);
  const file = await fetch(`${platform.url}${new URL(declarations.downloadUrl).pathname}`);
  t.true((await textOf(Buffer.from(await file.arrayBuffer()))).includes(policyNumber));
});
