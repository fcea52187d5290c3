// Policyholders' one-time codes: no oracle, no guessing, one use.
import { createHash } from 'node:crypto';
import test from 'ava';
import { jwtVerify } from 'jose';
import { newId } from '../../db/ids.ts';
import { eventually } from '../support/eventually.ts';
import { startPlatform } from '../support/platform.ts';
import type { Platform } from '../support/run-platform.ts';
import { runPostgres, type Sql } from './sql.ts';

let platform: Platform;
let sql: Sql;
let count = 0;

test.before(async (t) => {
  platform = await startPlatform(t, { worker: false, variables: { TRUST_PROXY: 'true' } });
  sql = runPostgres(platform.testDatabase);
});
test.after.always(() => sql?.end());

/** Adds a policy with an address on file. */
async function policy(email: string | null = 'insured@example.test') {
  count += 1;
  const number = `GL-TX-2026-${String(count).padStart(6, '0')}`;
  const id = newId('policy');
  const insured = newId('insured');
  await sql.query('insert into insureds (id, org_id, name, name_normalized) values ($1, $2, $3, $3)', [
    insured,
    platform.orgId,
    'acme',
  ]);
  await sql.query(
    `insert into policies (id, org_id, policy_number, status, insured_id, insured_name, insured_email, naics_code, state,
       line_of_business, limit_cents, aggregate_limit_cents, deductible_cents, annual_revenue_cents, effective_date,
       expiration_date, gross_premium_cents, fees, taxes, total_due_cents, installment_plan, rating_inputs,
       surplus_lines_rates, bound_at)
     values ($1, $2, $3, 'active', $4, 'Acme', $5, '722511', 'TX', 'GL', 100, 200, 0, 100, '2026-01-01', '2027-01-01', 100,
       '[]', '[]', 100, 'PAY_IN_FULL', '{}', '[]', now())`,
    [id, platform.orgId, number, insured, email],
  );
  return { id, number };
}

let address = 0;
const fromElsewhere = () => {
  address += 1;
  return { headers: { 'x-forwarded-for': `10.9.${address >> 8}.${address & 255}` } };
};
const ask = (policyNumber: string, options = fromElsewhere()) =>
  platform.anonymous.post('/auth/policyholder-otp-request', { policyNumber }, options);
const redeem = (policyNumber: string, otp: string, options = fromElsewhere()) =>
  platform.anonymous.post('/auth/policyholder-token', { policyNumber, otp }, options);
const codesFor = (number: string) =>
  platform.mails.flatMap(({ text }) => (text.includes(number) ? [/ is (\d{6})\.$/m.exec(text)?.[1] ?? ''] : []));
const codeFor = (number: string, after = 0) => eventually(() => codesFor(number)[after], { what: 'the code' });
const wrong = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0');

test('a code from the mail gives a token of the policy, once', async (t) => {
  const { id, number } = await policy();
  const sent = await ask(number.toLowerCase());
  t.is(sent.status, 200);
  t.deepEqual(sent.body, { sent: true, expiresInSeconds: 600 });
  const code = await codeFor(number);
  t.like(
    platform.mails.find(({ text }) => text.includes(number)),
    { to: 'insured@example.test' },
  );
  const { status, body } = await redeem(number, code);
  t.is(status, 200);
  const facts = { role: 'policyholder', orgId: platform.orgId, sub: id, policyNumber: number, insuredName: 'Acme' };
  t.deepEqual({ ...body, token: '' }, { ...facts, token: '' });
  const { payload } = await jwtVerify(body.token, new TextEncoder().encode(platform.config.policyholderJwtSecret));
  t.like(payload, { sub: id, org: platform.orgId, role: 'policyholder', typ: 'insured', policyNumber: number });
  t.is((payload.exp ?? 0) - (payload.iat ?? 0), 28_800);
  t.is((await redeem(number, code)).status, 401);
});

test('the API accepts the token as an insured, who has no permissions there', async (t) => {
  const { number } = await policy();
  await ask(number);
  const { body } = await redeem(number, await codeFor(number));
  t.is((await platform.as({ credential: body.token }).get('/v1/policies')).status, 403);
});

test('exactly one of several simultaneous right codes wins', async (t) => {
  const { number } = await policy();
  await ask(number);
  const code = await codeFor(number);
  const answers = await Promise.all([1, 2, 3, 4].map(() => redeem(number, code)));
  t.deepEqual(answers.map(({ status }) => status).sort(), [200, 401, 401, 401]);
});

test('the fifth wrong attempt burns the code, in sequence and simultaneously', async (t) => {
  const [slow, fast] = [await policy(), await policy()];
  await ask(slow.number);
  await ask(fast.number);
  const [first, second] = [await codeFor(slow.number), await codeFor(fast.number)];
  for (let i = 0; i < 4; i += 1) t.is((await redeem(slow.number, wrong(first))).status, 401);
  await Promise.all([1, 2, 3, 4, 5].map(() => redeem(fast.number, wrong(second))));
  t.is((await redeem(slow.number, first)).status, 200);
  t.is((await redeem(fast.number, second)).status, 401);
});

test('a new code replaces the old one, and an expired one is refused', async (t) => {
  const { number } = await policy();
  await ask(number);
  const first = await codeFor(number);
  await ask(number);
  const second = await codeFor(number, 1);
  if (first !== second) t.is((await redeem(number, first)).status, 401);
  const name = createHash('sha256').update(number).digest('hex');
  await sql.query(`update kv_entries set expires_at = now() - interval '1 second' where key = $1`, [`code:${name}`]);
  t.is((await redeem(number, second)).status, 401);
});

test('an unknown number gets the response of a known one: on request, on redemption and when limited', async (t) => {
  const known = (await policy()).number;
  for (const number of [known, 'GL-TX-2026-999999', 'not a number at all']) {
    for (let i = 0; i < 3; i += 1) t.deepEqual((await ask(number)).body, { sent: true, expiresInSeconds: 600 });
    const limited = await ask(number);
    t.is(limited.status, 429);
    t.true(Number(limited.headers.get('retry-after')) > 800);
    const refused = await redeem(number, '000000');
    t.is(refused.status, 401);
    t.is(refused.body.error, 'unauthenticated');
  }
  t.deepEqual(codesFor('GL-TX-2026-999999'), []);
});

test('a policy without an address on file gets the same response, and no e-mail is sent', async (t) => {
  const { number } = await policy(null);
  const other = await policy();
  t.is((await ask(number)).status, 200);
  await ask(other.number);
  await codeFor(other.number);
  t.deepEqual(codesFor(number), []);
});

const UNKNOWN = 'CA-TX-2026-777777';
type Place = ReturnType<typeof fromElsewhere>;

/** Makes that many attempts, one after another, and returns their statuses. */
async function attempts(number: string, otp: string, howMany: number, place?: Place): Promise<number[]> {
  const statuses: number[] = [];
  for (let i = 0; i < howMany; i += 1) statuses.push((await redeem(number, otp, place)).status);
  return statuses;
}

/** Forgets the code requests counted against a number, as after a day. */
async function forgetRequests(number: string): Promise<void> {
  const name = createHash('sha256').update(number).digest('hex');
  await sql.query(`delete from kv_entries where key like 'code-requests%' and key like '%' || $1 || '%'`, [name]);
}

const times = (status: number, howMany: number) => Array.from({ length: howMany }, () => status);

test('a number with a code outstanding takes twenty attempts a day, known or not, from any address', async (t) => {
  for (const number of [(await policy()).number, (await policy(null)).number, UNKNOWN]) {
    await ask(number);
    t.deepEqual(await attempts(number, '123456', 20), times(401, 20), number);
    const limited = await redeem(number, '123456');
    t.is(limited.status, 429);
    t.true(Number(limited.headers.get('retry-after')) > 80_000);
  }
});

test('attempts made while no code is outstanding never count against the number, known or not', async (t) => {
  const { number } = await policy();
  for (const each of [number, 'CA-TX-2026-777778']) t.deepEqual(await attempts(each, '123456', 60), times(401, 60));
  await ask(number);
  t.is((await redeem(number, await codeFor(number))).status, 200);
});

test('a client is counted first: its attempts beyond thirty an hour are refused and count against no number', async (t) => {
  const { number } = await policy();
  const client = fromElsewhere();
  t.deepEqual(await attempts('CA-TX-2025-1', '123456', 30, client), times(401, 30));
  await ask(number);
  const code = await codeFor(number);
  t.deepEqual(await attempts(number, wrong(code), 40, client), times(429, 40));
  t.is((await redeem(number, code, client)).status, 429, 'the right code too');
  t.deepEqual(await attempts(number, wrong(code), 4), times(401, 4));
  t.is((await redeem(number, code)).status, 200);
});

test('a right and fresh code works from another address while one client goes on guessing', async (t) => {
  const { number } = await policy();
  const guesser = fromElsewhere();
  await ask(number);
  const first = await codeFor(number);
  t.deepEqual(await attempts(number, wrong(first), 40, guesser), [...times(401, 20), ...times(429, 20)]);
  await ask(number);
  const fresh = await codeFor(number, 1);
  t.is((await redeem(number, wrong(fresh), guesser)).status, 429);
  t.is((await redeem(number, fresh, guesser)).status, 429, 'the guesser has no more tries, with the right code either');
  t.is((await redeem(number, fresh)).status, 200);
});

test('the client that requested a code has five attempts that nobody else can use up', async (t) => {
  const { number } = await policy();
  const insured = fromElsewhere();
  await ask(number, insured);
  const code = await codeFor(number);
  t.deepEqual(await attempts(number, wrong(code), 8), times(401, 8));
  t.is((await redeem(number, code)).status, 401, 'it is burnt for everybody else');
  t.deepEqual(await attempts(number, wrong(code), 4, insured), times(401, 4));
  t.is((await redeem(number, code, insured)).status, 200);
});

test('the five attempts of the requesting client also burn the code, for that client alone', async (t) => {
  const { number } = await policy();
  const insured = fromElsewhere();
  await ask(number, insured);
  const code = await codeFor(number);
  t.deepEqual(await attempts(number, wrong(code), 5, insured), times(401, 5));
  t.is((await redeem(number, code, insured)).status, 401);
});

test('a number gets at most fifty codes a day compared, from however many addresses', async (t) => {
  const { number } = await policy();
  for (let sent = 0; sent < 5; sent += 1) {
    await forgetRequests(number);
    await ask(number);
    const code = await codeFor(number, sent);
    const statuses = await attempts(number, wrong(code), 10);
    t.deepEqual(statuses, times(sent < 2 ? 401 : 429, 10));
  }
  await forgetRequests(number);
  await ask(number);
  t.is((await redeem(number, await codeFor(number, 5))).status, 429);
});

test('one client may request five codes for a number a day, and leaves the rest of the day to others', async (t) => {
  const { number } = await policy();
  const client = fromElsewhere();
  const quarterHour = async (place: Place) => {
    const name = createHash('sha256').update(number).digest('hex');
    const statuses: number[] = [];
    for (let i = 0; i < 4; i += 1) statuses.push((await ask(number, place)).status);
    await sql.query('delete from kv_entries where key = $1', [`code-requests:${name}`]);
    return statuses;
  };
  t.deepEqual(await quarterHour(client), [200, 200, 200, 429]);
  t.deepEqual(await quarterHour(client), [200, 200, 429, 429]);
  t.deepEqual(await quarterHour(client), [429, 429, 429, 429]);
  t.deepEqual(await quarterHour(fromElsewhere()), [200, 200, 200, 429]);
  t.deepEqual(await quarterHour(fromElsewhere()), [200, 200, 429, 429], 'ten a day in all');
});

test('one client may request a hundred codes an hour, whatever the numbers', async (t) => {
  const client = fromElsewhere();
  const statuses = new Set<number>();
  for (let i = 0; i < 100; i += 1) statuses.add((await ask(`CA-TX-2024-${i}`, client)).status);
  t.deepEqual([...statuses], [200]);
  const refused = await ask('CA-TX-2024-100', client);
  t.is(refused.status, 429);
  t.true(Number(refused.headers.get('retry-after')) > 3_000);
});

test('simultaneous attempts are counted before they are compared: of thirty from one client twenty are compared', async (t) => {
  const { number } = await policy();
  await ask(number);
  const code = await codeFor(number);
  const client = fromElsewhere();
  const answers = await Promise.all(Array.from({ length: 30 }, () => redeem(number, wrong(code), client)));
  const limited = answers.filter(({ status }) => status === 429).length;
  t.is(answers.length - limited, 20);
});

test('the addresses of one IPv6 network are one client', async (t) => {
  const statuses: number[] = [];
  for (let i = 0; i < 31; i += 1) {
    const from = { headers: { 'x-forwarded-for': `2001:db8:5:5::${i + 1}` } };
    statuses.push((await redeem(`CA-TX-2024-${i}`, '123456', from)).status);
  }
  t.deepEqual([...new Set(statuses.slice(0, 30))], [401]);
  t.is(statuses[30], 429);
});

test('a malformed code returns 400, and stored codes reveal neither policy nor code', async (t) => {
  const { number } = await policy();
  for (const otp of ['12345', '1234567', 'abcdef', '', 123456, null]) {
    const { status, body } = await platform.anonymous.post('/auth/policyholder-token', { policyNumber: number, otp });
    t.is(status, 400);
    t.is(body.details.field, 'otp');
  }
  await ask(number);
  const code = await codeFor(number);
  const { rows } = await sql.query('select key, value from kv_entries');
  t.notRegex(JSON.stringify(rows), new RegExp(`${number}|"${code}"`));
});

test('every attempt is audited in the organization of the policy', async (t) => {
  const { id, number } = await policy();
  await ask(number);
  const code = await codeFor(number);
  await redeem(number, wrong(code));
  await redeem(number, code);
  const { rows } = await sql.query('select action, org_id from audit_entries where entity_id = $1 order by id', [id]);
  t.deepEqual(rows, [
    { action: 'code:refused', org_id: platform.orgId },
    { action: 'code:accepted', org_id: platform.orgId },
  ]);
});
