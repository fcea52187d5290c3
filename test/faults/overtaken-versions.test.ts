// `If-Match` names the version that the caller has seen: a money command that waits its turn is compared with the row
// as it is then, no matter how the API's own comparison came out. Contract 1 "ETag / If-Match".
import test from 'ava';
import { insured, pay } from '../api/policy/policy-calls.ts';
import type { TestClient, TestResponse } from '../support/client.ts';
import { holdRow, overtaken } from '../support/held-row.ts';
import { bodyOf, newHouse } from '../support/house.ts';
import { startPlatform } from '../support/platform.ts';
import type { Platform } from '../support/run-platform.ts';

const CHANGED = (table: string) => `update ${table} set version = version + 1 where id = $1`;

let platform: Platform;

test.before('a platform', async (t) => {
  platform = await startPlatform(t);
});

/** Sends a command with a version that changes while the command waits for the row. */
async function outdated(
  table: string,
  id: string,
  etag: string,
  send: (headers: Record<string, string>) => Promise<TestResponse>,
) {
  const held = await holdRow(platform.testDatabase.ownerUrl, table, 'id = $1', id);
  return overtaken(
    held,
    () => send({ 'If-Match': etag }),
    () => held.change(CHANGED(table), [id]),
  );
}

const etagOf = async (client: TestClient, path: string) => (await client.get(path)).headers.get('etag') ?? '';

const CALLS = {
  pay: { amount: 100, method: 'check', reference: 'Check 1' },
  refund: { amount: 100, reason: 'Too much.' },
  'payment-intent': {},
};

for (const [call, body] of Object.entries(CALLS)) {
  test(`${call} on an invoice that has changed meanwhile is 412, and no money is moved`, async (t) => {
    const policy = await insured(platform);
    if (call === 'refund') await pay(policy);
    const billing = policy.house.as('billing_admin');
    const id = policy.invoices[0]?.id ?? '';
    const path = `/v1/invoices/${id}`;
    const before = bodyOf(await billing.get(path));
    const answer = await outdated('invoices', id, await etagOf(billing, path), (headers) =>
      billing.post(`${path}/${call}`, body, { headers }),
    );
    t.like(answer, { status: 412, body: { error: 'precondition_failed' } }, answer.text);
    const after = bodyOf(await billing.get(path));
    t.deepEqual(after.payments, before.payments);
    t.is(after.balance, before.balance);
  });
}

test('a billing hold that has changed meanwhile is not lifted', async (t) => {
  const house = await newHouse(platform);
  const admin = house.as('org_admin');
  const placed = await admin.post('/v1/billing-holds', { state: 'TX', from: '2026-01-01', to: '2099-12-31' });
  const { id } = bodyOf(placed, 201);
  const etag = `"${id}.1"`;
  const answer = await outdated('billing_holds', id, etag, (headers) =>
    admin.del(`/v1/billing-holds/${id}`, { headers }),
  );
  t.like(answer, { status: 412, body: { error: 'precondition_failed' } }, answer.text);
  t.is(bodyOf(await admin.get('/v1/billing-holds')).data.length, 1);
});
