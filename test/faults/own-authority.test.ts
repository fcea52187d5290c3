// The step judges what a caller may do, under the row's lock: a command that waits its turn is checked against the row
// and relations as they are then, not as they were when the API let it through. Contract 2 "Permissions".
import test from 'ava';
import { newId } from '../../db/ids.ts';
import { putRelation } from '../../db/queries/access/relations.ts';
import { addDays } from '../../domain/dates.ts';
import type { UserAuthority } from '../../domain/permissions.ts';
import { type Insured, insured, pay } from '../api/policy/policy-calls.ts';
import type { TestClient } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { holdRow, overtaken } from '../support/held-row.ts';
import { bodyOf, type House, newHouse, quoted, submit } from '../support/house.ts';
import { startPlatform } from '../support/platform.ts';
import type { Platform } from '../support/run-platform.ts';
import { Rows } from './bind.ts';
import { forbidden, written } from './overtaken.ts';

const TRIES = 12;
/** Allows a premium of 3,990.00 (Contract 3.1), and 5,187.00 for 1.3 times the revenue. */
const WIDE: UserAuthority = { maxLimitCents: 100_000_000, maxPremiumCents: 600_000, linesOfBusiness: null };
const MORE_REVENUE = { annualRevenue: 1_300_000 };
const PAY_IN_FULL = { installmentPlan: 'PAY_IN_FULL' };
const RAISE_LIMIT = 'update submissions set requested_limit_cents = 150000000 where id = $1';

let platform: Platform;

test.before('a platform', async (t) => {
  platform = await startPlatform(t);
});

const hold = (table: string, id: string) => holdRow(platform.testDatabase.ownerUrl, table, 'id = $1', id);
const rows = () => new Rows(platform.testDatabase.ownerUrl);
const holdUse = (orgId: string) => holdRow(platform.testDatabase.ownerUrl, 'da_usage', 'org_id = $1', orgId);

interface Limited {
  client: TestClient;
  /** Changes the underwriter's authority immediately. */
  limit: (limits: Partial<UserAuthority>) => Promise<unknown>;
}

async function limitedUnderwriter({ orgId, as }: House): Promise<Limited> {
  const userId = newId('user');
  const tuple = { objectType: 'organization', objectId: orgId, relation: 'authority' };
  const limit = (limits: Partial<UserAuthority>) =>
    platform.database.transaction(orgId, (em) =>
      putRelation(em, { ...tuple, subjectType: 'user', subjectId: userId, limits: { ...WIDE, ...limits } }),
    );
  await limit(WIDE);
  return { client: as('underwriter', userId), limit };
}

test('a quote is checked against the risk under the lock: a limit raised meanwhile is refused, and nothing is written', async (t) => {
  const house = await newHouse(platform);
  const { client } = await limitedUnderwriter(house);
  const { id } = await submit(client);
  const before = await written(rows(), house.orgId);
  const answer = await overtaken(
    await hold('submissions', id),
    () => client.post(`/v1/submissions/${id}/quote`),
    (held) => held.change(RAISE_LIMIT, [id]),
  );
  forbidden(t, answer, { permission: 'submission:quote', limit: 1_000_000, actual: 1_500_000 });
  t.deepEqual(await written(rows(), house.orgId), before);
});

test('the premium of a quote is checked against the authority under the lock', async (t) => {
  const house = await newHouse(platform);
  const { client, limit } = await limitedUnderwriter(house);
  const { id } = await submit(client);
  const answer = await overtaken(
    await hold('submissions', id),
    () => client.post(`/v1/submissions/${id}/quote`),
    () => limit({ maxPremiumCents: 300_000 }),
  );
  forbidden(t, answer, { permission: 'submission:quote', limit: 3_000, actual: 3_990 });
});

test('corrections that race with quotes let no underwriter quote above their own limit', async (t) => {
  const house = await newHouse(platform);
  const { client } = await limitedUnderwriter(house);
  const admin = house.as('org_admin');
  for (let i = 0; i < TRIES; i += 1) {
    const { id } = await submit(client);
    const [corrected, quote] = await Promise.all([
      admin.patch(`/v1/submissions/${id}`, { requestedLimit: 1_500_000 }),
      client.post(`/v1/submissions/${id}/quote`),
    ]);
    t.is(corrected.status, 200, corrected.text);
    t.true([201, 403].includes(quote.status), quote.text);
  }
  const sql = `select (inputs->'rating'->>'requestedLimitCents')::int as cents from quotes where org_id = $1`;
  const quotes = await rows().query<{ cents: number }>(sql, [house.orgId]);
  t.deepEqual(
    quotes.filter(({ cents }) => cents > WIDE.maxLimitCents),
    [],
  );
});

test('corrections that race with binds let none be bound on other terms than those of its quote', async (t) => {
  const house = await newHouse(platform);
  const { client } = await limitedUnderwriter(house);
  const admin = house.as('org_admin');
  for (let i = 0; i < TRIES; i += 1) {
    const { submissionId: id } = await quoted(client);
    const [, bind] = await Promise.all([
      admin.patch(`/v1/submissions/${id}`, { requestedLimit: 1_500_000 }),
      client.post(`/v1/submissions/${id}/bind`, PAY_IN_FULL),
    ]);
    t.true([201, 403, 422].includes(bind.status), bind.text);
    if (bind.status === 201) t.is(bind.body.grossPremium, 3_990);
  }
  const sql = 'select id from policies where org_id = $1 and (limit_cents > $2 or gross_premium_cents <> 399000)';
  t.deepEqual(await rows().query(sql, [house.orgId, WIDE.maxLimitCents]), []);
});

for (const wait of ['submission', 'use of the contract'] as const) {
  test(`a bind that waits for the ${wait} is checked against the authority of that moment`, async (t) => {
    const house = await newHouse(platform);
    const { client, limit } = await limitedUnderwriter(house);
    const { submissionId: earlier } = await quoted(client);
    bodyOf(await client.post(`/v1/submissions/${earlier}/bind`, PAY_IN_FULL), 201);
    const { submissionId: id } = await quoted(client);
    const before = await written(rows(), house.orgId);
    const answer = await overtaken(
      await (wait === 'submission' ? hold('submissions', id) : holdUse(house.orgId)),
      () => client.post(`/v1/submissions/${id}/bind`, PAY_IN_FULL),
      () => limit({ maxPremiumCents: 300_000 }),
    );
    forbidden(t, answer, { permission: 'submission:bind', limit: 3_000, actual: 3_990 });
    t.deepEqual(await written(rows(), house.orgId), before);
  });
}

interface Change {
  /** Brings the policy to a state that allows the change. */
  reach?: (policy: Insured) => Promise<unknown>;
  body: (policy: Insured) => object;
  /** The premium that exceeds the authority. */
  actual: number;
}

const CHANGES: Record<string, Change> = {
  endorse: { body: ({ effectiveDate }) => ({ effectiveDate, changes: MORE_REVENUE }), actual: 5_187 },
  cancel: { body: ({ effectiveDate }) => ({ effectiveDate, reason: 'flat_not_taken' }), actual: 3_990 },
  reinstate: {
    reach: async (policy) => {
      const { effectiveDate } = policy;
      bodyOf(
        await policy.change('cancel', { effectiveDate: addDays(effectiveDate, 30), reason: 'insured_request' }),
        201,
      );
    },
    body: () => ({}),
    actual: 3_990,
  },
  renew: {
    reach: async (policy) => {
      await pay(policy);
      // What the payment writes later must not count as written by the refused command.
      const waiting = 'select id from payments where org_id = $1 and saga_ended_at is null';
      const isDone = async () => (await rows().query(waiting, [policy.house.orgId])).length === 0;
      await eventually(isDone, { what: 'the saga of the payment to end' });
      await policy.advance(addDays(policy.expirationDate, -30));
    },
    body: () => ({ changes: MORE_REVENUE }),
    actual: 5_187,
  },
};

const REFERRED = ['endorse', 'renew'];

for (const [name, { reach, body, actual }] of Object.entries(CHANGES)) {
  test(`a policy is not changed by ${name} beyond the authority under the lock of the policy`, async (t) => {
    const policy = await insured(platform);
    await reach?.(policy);
    const { house, path, policyId } = policy;
    const { client, limit } = await limitedUnderwriter(house);
    const before = await written(rows(), house.orgId);
    const answer = await overtaken(
      await hold('policies', policyId),
      () => client.post(`${path}/${name}`, body(policy)),
      () => limit({ maxPremiumCents: (actual - 1) * 100 }),
    );
    const { referralId, ...details } = answer.body.details;
    t.like(answer, { status: 403, body: { error: 'forbidden' } });
    t.deepEqual(details, { permission: `policy:${name}`, limit: actual - 1, actual });
    // Anything that someone with more authority can approve is referred to them, and that goes on record (decision
    // 0185).
    const isReferred = REFERRED.includes(name);
    t.is(referralId !== undefined, isReferred);
    const more = isReferred ? 1 : 0;
    const expected = before.map((counts) => ({
      ...counts,
      audit_entries: counts.audit_entries + more,
      referrals: counts.referrals + more,
    }));
    t.deepEqual(await written(rows(), house.orgId), expected);
  });
}

test('a cancellation that takes the next term with it, now or announced, is checked against the authority for that term', async (t) => {
  const policy = await insured(platform);
  const { house, path, expirationDate } = policy;
  await pay(policy);
  const today = addDays(expirationDate, -30);
  await policy.advance(today);
  const { client, limit } = await limitedUnderwriter(house);
  // The current term costs 3,990.00 and the next one 5,187.00.
  bodyOf(await client.post(`${path}/renew`, { changes: MORE_REVENUE }), 201);
  await limit({ maxPremiumCents: 518_699 });
  const before = await written(rows(), house.orgId);
  for (const effectiveDate of [today, addDays(today, 10)]) {
    for (const preview of ['true', 'false']) {
      const body = { effectiveDate, reason: 'insured_request' };
      const answer = await client.post(`${path}/cancel`, body, { query: { preview } });
      forbidden(t, answer, { permission: 'policy:cancel', limit: 5_186.99, actual: 5_187 });
    }
  }
  t.deepEqual(await written(rows(), house.orgId), before);
  await limit({ maxPremiumCents: 518_700 });
  bodyOf(await client.post(`${path}/cancel`, { effectiveDate: today, reason: 'insured_request' }), 201);
});

test('an endorsement that waits for the use of the contract is checked against the authority of that moment', async (t) => {
  const { house, path, effectiveDate } = await insured(platform);
  const { client, limit } = await limitedUnderwriter(house);
  const answer = await overtaken(
    await holdUse(house.orgId),
    () => client.post(`${path}/endorse`, { effectiveDate, changes: MORE_REVENUE }),
    () => limit({ linesOfBusiness: ['CYBER'] }),
  );
  forbidden(t, answer, { permission: 'policy:endorse' });
});

test('one of two simultaneous endorsements, each within the authority and together above it, is issued', async (t) => {
  const policy = await insured(platform);
  const { house, path, effectiveDate } = policy;
  const { client, limit } = await limitedUnderwriter(house);
  // Each alone makes 5,187.00: 3,990.00 × 1.3, for the revenue or for the limit. Together they make 6,743.10.
  await limit({ maxPremiumCents: 550_000, maxLimitCents: 200_000_000 });
  const changes = [MORE_REVENUE, { requestedLimit: 2_000_000 }];
  const answers = await Promise.all(
    changes.map((change) => client.post(`${path}/endorse`, { effectiveDate, changes: change })),
  );
  t.deepEqual(answers.map(({ status }) => status).sort(), [201, 403], answers.map(({ text }) => text).join());
  const refused = answers.find(({ status }) => status === 403);
  t.like(refused?.body.details, { permission: 'policy:endorse', limit: 5_500, actual: 6_743.1 });
  t.is((await policy.read()).grossPremium, 5_187);
});

test('an underwriter with limits of their own is refused beyond the contract as everybody is, and the referral is opened', async (t) => {
  const { house, path, policyId, effectiveDate } = await insured(platform);
  const { client } = await limitedUnderwriter(house);
  const refused = await client.post(`${path}/endorse`, { effectiveDate, changes: { requestedLimit: 3_000_000 } });
  t.like(refused, { status: 422, body: { error: 'delegated_authority_exceeded' } });
  const { data } = bodyOf(await house.as('org_admin').get('/v1/referrals'));
  t.is(data.length, 1);
  t.like(data[0], { policyId, status: 'pending' });
});

test('a refusal for want of authority is not kept for its key: with more of it, or another body, the same key succeeds', async (t) => {
  const { house, path, effectiveDate } = await insured(platform);
  const { client, limit } = await limitedUnderwriter(house);
  await limit({ maxPremiumCents: 500_000 });
  const endorse = (key: string, annualRevenue: number) =>
    client.post(
      `${path}/endorse`,
      { effectiveDate, changes: { annualRevenue } },
      { headers: { 'Idempotency-Key': key } },
    );
  for (const key of ['more', 'less']) t.is((await endorse(key, 1_300_000)).status, 403);
  // 3,990.00 × 1.2 is 4,788.00.
  t.is(bodyOf(await endorse('less', 1_200_000), 201).grossPremiumAfter, 4_788);
  await limit({});
  const first = bodyOf(await endorse('more', 1_300_000), 201);
  t.is(first.grossPremiumAfter, 5_187);
  t.deepEqual(bodyOf(await endorse('more', 1_300_000), 201), first);
});

test('a preview is judged by the same limits, and one that is refused is not shown', async (t) => {
  const { house, path, effectiveDate } = await insured(platform);
  const { client, limit } = await limitedUnderwriter(house);
  const { id } = await submit(client);
  await limit({ maxPremiumCents: 399_000 });
  const preview = { query: { preview: 'true' } };
  const change = { effectiveDate, changes: MORE_REVENUE };
  const endorsed = await client.post(`${path}/endorse`, change, preview);
  forbidden(t, endorsed, { permission: 'policy:endorse', limit: 3_990, actual: 5_187 });
  bodyOf(await client.post(`/v1/submissions/${id}/quote`, undefined, preview));
  await limit({ maxPremiumCents: 398_999 });
  const quote = await client.post(`/v1/submissions/${id}/quote`, undefined, preview);
  forbidden(t, quote, { permission: 'submission:quote', limit: 3_989.99, actual: 3_990 });
});

test('administrators, keys and the machine have no limits of their own, whatever relation bears their id', async (t) => {
  const { house, path, effectiveDate } = await insured(platform);
  const { orgId } = house;
  const tuple = { objectType: 'organization', objectId: orgId, relation: 'authority', subjectType: 'user' };
  const limits = { maxLimitCents: 0, maxPremiumCents: 0, linesOfBusiness: [] };
  const key = bodyOf(await house.as('org_admin').post('/v1/api-keys', { name: 'k', scopes: ['policies:write'] }), 201);
  const admin = newId('user');
  await platform.database.transaction(orgId, async (em) => {
    for (const subjectId of [admin, key.id, 'machine']) await putRelation(em, { ...tuple, subjectId, limits });
  });
  const callers = [
    house.as('org_admin', admin),
    house.as('superadmin', admin),
    platform.as({ apiKey: key.key }),
    platform.as({ credential: platform.config.apiSecret }),
  ];
  const endorse = (client: TestClient, annualRevenue: number) =>
    client.post(`${path}/endorse`, { effectiveDate, changes: { annualRevenue } }, { headers: { 'X-Org-Id': orgId } });
  for (const [i, client] of callers.entries()) {
    const { status, text } = await endorse(client, 1_100_000 + i);
    t.is(status, 201, text);
  }
});
