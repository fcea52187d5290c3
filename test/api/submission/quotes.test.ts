import test from 'ava';
import { newId } from '../../../db/ids.ts';
import { addDays } from '../../../domain/dates.ts';
import { allPages, bodyOf, bound, EFFECTIVE_DATE, newHouse, quoted, submit } from '../../support/house.ts';
import { startCheckedPlatform } from '../../support/openapi-check.ts';
import type { Platform } from '../../support/run-platform.ts';

let platform: Platform;

test.before('a platform', async (t) => {
  platform = await startCheckedPlatform(t);
});

test('the worked example of the contract is quoted to the cent', async (t) => {
  const client = (await newHouse(platform)).as('underwriter');
  const quote = await quoted(client);
  // 1,000 × 4.20 × 0.95 = 3,990.00; (3,990 + 195) × 0.0485 = 202.9725; × 0.0004 = 1.674.
  t.like(quote, { version: 1, status: 'quoted', grossPremium: 3990, totalDue: 4389.64, bindable: true });
  t.deepEqual(quote.fees, [{ code: 'POLICY_FEE', amount: 195 }]);
  t.deepEqual(quote.taxes, [
    { code: 'SL_TAX', rate: 0.0485, amount: 202.97 },
    { code: 'STAMPING_FEE', rate: 0.0004, amount: 1.67 },
  ]);
  t.deepEqual(quote.daFlags, []);
  t.is(quote.ratingWorksheet.at(-1).amount, 3990);
  t.is(quote.expiresOn, EFFECTIVE_DATE);
  t.is(quote.expiresAt, `${EFFECTIVE_DATE}T23:59:59.999Z`);
  const monthly = quote.installmentOptions.find(({ plan }: { plan: string }) => plan === 'MONTHLY_10').schedule;
  t.deepEqual(
    monthly.map(({ amount }: { amount: number }) => amount),
    [798.64, ...Array(9).fill(399)],
  );
  t.is(monthly[0].dueDate, EFFECTIVE_DATE);
  for (const { plan, schedule } of quote.installmentOptions) t.is(sumOf(schedule, 'amount'), 4389.64, plan);
});

test('a preview shows the figures of the quote and writes nothing', async (t) => {
  const house = await newHouse(platform);
  const client = house.as('underwriter');
  const submission = await submit(client);
  const path = `/v1/submissions/${submission.id}`;
  const before = (await client.get(path)).body;
  const preview = await client.post(`${path}/quote`, undefined, { query: { preview: true } });
  t.is(preview.status, 200);
  t.like(preview.body, { preview: true, id: null, version: 1, totalDue: 4389.64, bindable: true });
  t.deepEqual((await client.get(path)).body, before);
  t.deepEqual(bodyOf(await house.as('org_admin').get('/v1/events')).data, []);
  const quote = bodyOf(await client.post(`${path}/quote`), 201);
  const { id, createdAt, updatedAt, ...said } = quote;
  const { id: none, preview: flag, ...previewed } = preview.body;
  t.deepEqual(said, previewed);
  t.is((await client.post(`${path}/quote`, undefined, { query: { preview: 'perhaps' } })).status, 400);
});

test('a new quote supersedes the one before and is the one that binds', async (t) => {
  const client = (await newHouse(platform)).as('underwriter');
  const first = await quoted(client);
  const path = `/v1/submissions/${first.submissionId}`;
  const second = bodyOf(await client.post(`${path}/quote`), 201);
  t.is(second.version, 2);
  t.is(bodyOf(await client.get(path)).quote.id, second.id);
  const plan = { installmentPlan: 'PAY_IN_FULL' };
  const outdated = await client.post(`${path}/bind`, { ...plan, quoteId: first.id });
  t.like(outdated, { status: 422, body: { error: 'quote_expired' } });
  const unknown = await client.post(`${path}/bind`, { ...plan, quoteId: newId('quote') });
  t.like(unknown, { status: 400, body: { details: { field: 'quoteId', rule: 'unknown_reference' } } });
  t.is(bodyOf(await client.post(`${path}/bind`, { ...plan, quoteId: second.id }), 201).quoteId, second.id);
});

for (const [plan, amounts] of Object.entries({
  PAY_IN_FULL: [4389.64],
  // Fee and taxes (399.64) on the first; premium in equal parts, with the remainder on the first.
  SEMI_ANNUAL_2: [2394.64, 1995],
  QUARTERLY_4: [1397.14, 997.5, 997.5, 997.5],
  MONTHLY_10: [798.64, ...Array(9).fill(399)],
  MONTHLY_12: [732.14, ...Array(11).fill(332.5)],
})) {
  test(`a bind with ${plan} makes the policy and invoices that sum to the amount due`, async (t) => {
    const house = await newHouse(platform);
    const client = house.as('underwriter');
    const bind = await bound(client, {}, plan);
    t.regex(bind.policyNumber, new RegExp(`^GL-TX-${EFFECTIVE_DATE.slice(0, 4)}-\\d{6}$`));
    t.like(bind, { grossPremium: 3990, totalDue: 4389.64, installmentPlan: plan, status: 'pending' });
    t.is(bind.effectiveDate, EFFECTIVE_DATE);
    t.is(bind.expirationDate.slice(5), EFFECTIVE_DATE.slice(5));
    t.deepEqual(
      bind.invoices.map(({ total }: { total: number }) => total),
      amounts,
    );
    t.is(sumOf(bind.invoices, 'total'), 4389.64);
    t.is(bind.invoices[0].dueDate, EFFECTIVE_DATE);
    const submission = bodyOf(await client.get(`/v1/submissions/${bind.submissionId}`));
    t.like(submission, { status: 'bound', policyId: bind.policyId, quote: { id: bind.quoteId, status: 'accepted' } });
    const events = bodyOf(await house.as('org_admin').get('/v1/events')).data;
    t.is(events.length, 1);
    const { policyId, policyNumber, grossPremium, effectiveDate } = bind;
    t.like(events[0], { type: 'policy.bound', orgId: house.orgId });
    t.deepEqual(events[0].data, { policyId, policyNumber, grossPremium, effectiveDate });
  });
}

test('a second bind is refused, and with the same Idempotency-Key returns the first response again', async (t) => {
  const client = (await newHouse(platform)).as('underwriter');
  const { submissionId } = await quoted(client);
  const path = `/v1/submissions/${submissionId}/bind`;
  const body = { installmentPlan: 'MONTHLY_10' };
  const headers = { 'Idempotency-Key': 'bind once' };
  const first = await client.post(path, body, { headers });
  const again = await client.post(path, body, { headers });
  t.deepEqual([first.status, again.status], [201, 201]);
  t.deepEqual(again.body, first.body);
  const second = await client.post(path, body);
  t.is(second.status, 422);
  t.like(second.body, { error: 'invalid_state_transition', details: { from: 'bound', action: 'bind' } });
  t.is((await allPages(client, '/v1/policies')).length, 1);
});

test('a submission without a quote is not ready to be bound', async (t) => {
  const client = (await newHouse(platform)).as('underwriter');
  const { id } = await submit(client);
  const refused = await client.post(`/v1/submissions/${id}/bind`, { installmentPlan: 'PAY_IN_FULL' });
  t.is(refused.status, 422);
  t.like(refused.body, { error: 'not_ready', details: { missing: [], blockers: ['NO_QUOTE'] } });
});

test('a risk above the authority is referred: a referral is opened and the bind refused', async (t) => {
  const client = (await newHouse(platform)).as('underwriter');
  const quote = await quoted(client, { requestedLimit: 3_000_000 });
  t.like(quote, { status: 'referred', bindable: false });
  t.is(quote.daFlags.length, 1);
  const [flag] = quote.daFlags;
  t.like(flag, { code: 'DA_LIMIT_EXCEEDED', severity: 'refer', limit: 2_000_000, actual: 3_000_000 });
  const submission = bodyOf(await client.get(`/v1/submissions/${quote.submissionId}`));
  t.is(submission.status, 'referred');
  t.deepEqual(submission.referralIds, [flag.referralId]);
  const refused = await client.post(`/v1/submissions/${quote.submissionId}/bind`, { installmentPlan: 'PAY_IN_FULL' });
  t.like(refused, { status: 422, body: { error: 'delegated_authority_exceeded' } });
  t.is(refused.body.details.daFlags[0].code, 'DA_LIMIT_EXCEEDED');
});

test('a prohibited class is quoted but not bindable', async (t) => {
  const client = (await newHouse(platform)).as('underwriter');
  const quote = await quoted(client, { naicsCode: '113310' });
  t.like(quote, { status: 'quoted', bindable: false });
  t.like(quote.daFlags[0], { code: 'DA_CLASS_PROHIBITED', severity: 'block' });
  const path = `/v1/submissions/${quote.submissionId}`;
  t.is(bodyOf(await client.get(path)).status, 'quoted');
  const refused = await client.post(`${path}/bind`, { installmentPlan: 'PAY_IN_FULL' });
  t.like(refused, { status: 422, body: { error: 'delegated_authority_exceeded' } });
  const readiness = bodyOf(await client.get(`${path}/quote-readiness`));
  t.deepEqual(readiness.bindingReadiness, { ready: false, missing: [], blockers: ['DA_CLASS_PROHIBITED'] });
  t.true(readiness.triageScore <= 20);
});

test('readiness lists the obstacles to a bind, until the bind', async (t) => {
  const client = (await newHouse(platform)).as('underwriter');
  const submission = await submit(client);
  const path = `/v1/submissions/${submission.id}`;
  const readiness = async () => bodyOf(await client.get(`${path}/quote-readiness`));
  const { triageScore, band, factors, bindingReadiness } = await readiness();
  const { triage } = submission;
  t.deepEqual({ score: triageScore, band, factors }, triage);
  t.deepEqual(bindingReadiness, { ready: false, missing: [], blockers: ['NO_QUOTE'] });
  bodyOf(await client.post(`${path}/quote`), 201);
  t.deepEqual((await readiness()).bindingReadiness, { ready: true, missing: [], blockers: [] });
  bodyOf(await client.post(`${path}/bind`, { installmentPlan: 'PAY_IN_FULL' }), 201);
  t.deepEqual((await readiness()).bindingReadiness, { ready: false, missing: [], blockers: ['SUBMISSION_BOUND'] });
});

test('a quote past its last day is not bound', async (t) => {
  const house = await newHouse(platform);
  const client = house.as('underwriter');
  const { submissionId, expiresOn } = await quoted(client);
  const clock = house.as('org_admin');
  bodyOf(await clock.post('/v1/test-clock', { advanceTo: addDays(expiresOn, 1) }));
  const path = `/v1/submissions/${submissionId}`;
  const refused = await client.post(`${path}/bind`, { installmentPlan: 'PAY_IN_FULL' });
  t.like(refused, { status: 422, body: { error: 'quote_expired', details: { expiresOn } } });
  t.is(bodyOf(await client.get(path)).quote.status, 'expired');
  t.deepEqual(bodyOf(await client.get(`${path}/quote-readiness`)).bindingReadiness.blockers, ['QUOTE_EXPIRED']);
});

test('an underwriter quotes and binds up to the own authority and is refused above it', async (t) => {
  const house = await newHouse(platform);
  const colleague = house.as('underwriter');
  const limits = { maxLimitCents: 100_000_000, maxPremiumCents: 400_000, linesOfBusiness: ['GL'] };
  const client = await house.asUnderwriter(limits);
  t.is((await bound(client)).grossPremium, 3990);

  const dear = await submit(client, { annualRevenue: 1_002_510 });
  const aboveLimit = await submit(client, { requestedLimit: 1_000_001 });
  const otherLine = await submit(client, { lineOfBusiness: 'CYBER' });
  const answers = [dear, aboveLimit, otherLine].map(({ id }) => client.post(`/v1/submissions/${id}/quote`));
  const [dearAnswer, limitAnswer, lineAnswer] = await Promise.all(answers);
  // 1,002.51 × 4.20 × 0.95 = 4,000.0149, which rounds to 4,000.01.
  const premium = { permission: 'submission:quote', limit: 4000, actual: 4000.01 };
  t.like(dearAnswer, { status: 403, body: { error: 'forbidden', details: premium } });
  const limit = { permission: 'submission:quote', limit: 1_000_000, actual: 1_000_001 };
  t.like(limitAnswer, { status: 403, body: { error: 'forbidden', details: limit } });
  t.like(lineAnswer, { status: 403, body: { error: 'forbidden', details: { permission: 'submission:quote' } } });

  bodyOf(await colleague.post(`/v1/submissions/${dear.id}/quote`), 201);
  const bind = await client.post(`/v1/submissions/${dear.id}/bind`, { installmentPlan: 'PAY_IN_FULL' });
  t.like(bind, { status: 403, body: { details: { permission: 'submission:bind', limit: 4000, actual: 4000.01 } } });
});

test('a producer quotes what triage allows and never binds', async (t) => {
  const house = await newHouse(platform);
  const producerId = await house.addProducer();
  const producer = await house.asProducer(producerId);
  const good = await quoted(producer);
  t.true(good.bindable);
  const bind = await producer.post(`/v1/submissions/${good.submissionId}/bind`, { installmentPlan: 'PAY_IN_FULL' });
  t.like(bind, { status: 403, body: { details: { permission: 'submission:bind' } } });
  const bad = await submit(producer, { naicsCode: '113310' });
  t.is(bad.triage.band, 'decline_recommended');
  t.is((await producer.post(`/v1/submissions/${bad.id}/quote`)).status, 403);
});

test('a producer learns neither which submission of another one resembles theirs, nor the volume of the organization', async (t) => {
  const house = await newHouse(platform);
  const [mine, theirs] = [await house.addProducer('Mine'), await house.addProducer('Theirs')];
  const [producer, underwriter] = [await house.asProducer(mine), house.as('underwriter')];
  const insuredName = 'Harbor Lights, Inc.';
  const first = await submit(await house.asProducer(theirs), { insuredName });
  const contracts = bodyOf(await underwriter.get('/v1/da-contracts')).data;
  const tight = { maxAnnualPremiumVolume: 1_000 };
  bodyOf(await house.as('org_admin').patch(`/v1/da-contracts/${contracts[0].id}`, tight));

  const second = await submit(producer, { insuredName: 'HARBOR LIGHTS' });
  t.like(second, { clearance: { duplicateOf: null } });
  const path = `/v1/submissions/${second.id}`;
  const preview = bodyOf(await producer.post(`${path}/quote`, undefined, { query: { preview: 'true' } }));
  const quote = bodyOf(await producer.post(`${path}/quote`), 201);
  const detail = bodyOf(await producer.get(path));
  const [listed] = bodyOf(await producer.get('/v1/submissions', { query: { expand: 'quote' } })).data;
  const hidden = { limit: null, actual: null };
  for (const shown of [preview, quote, detail.quote, listed.quote]) {
    t.like(flagOf(shown, 'DA_AGGREGATE_EXCEEDED'), { severity: 'block', ...hidden });
    t.like(flagOf(shown, 'CLEARANCE_DUPLICATE'), { severity: 'info', ...hidden });
    t.false(JSON.stringify(shown).includes(first.id));
  }
  for (const { clearance } of [detail, listed]) t.is(clearance.duplicateOf, null);

  const asStaff = bodyOf(await underwriter.get(path));
  t.is(asStaff.clearance.duplicateOf, first.id);
  t.like(flagOf(asStaff.quote, 'DA_AGGREGATE_EXCEEDED'), { limit: 1_000, actual: quote.grossPremium });
  t.like(flagOf(asStaff.quote, 'CLEARANCE_DUPLICATE'), { actual: first.id });
  const own = await submit(producer, { insuredName, effectiveDate: second.effectiveDate });
  t.is(own.clearance.duplicateOf, null, 'the oldest is of another one');
  const unique = await submit(producer, { insuredName: 'Twice Mine' });
  t.is((await submit(producer, { insuredName: 'Twice Mine' })).clearance.duplicateOf, unique.id);
});

test('a producer does not see which entry of a sanctions list the name of an insured resembles', async (t) => {
  const house = await newHouse(platform);
  const producer = await house.asProducer(await house.addProducer());
  const hidden = await submit(producer, { insuredName: 'Sanctioned Test Company' });
  const path = `/v1/submissions/${hidden.id}`;
  const [listed] = bodyOf(await producer.get('/v1/submissions')).data;
  for (const { clearance } of [hidden, bodyOf(await producer.get(path)), listed]) {
    t.deepEqual(clearance, { duplicateOf: null, sanctionsMatches: null });
  }
  const cleared = await submit(producer, { insuredName: 'Fair Winds Bakery' });
  t.is(cleared.clearance.sanctionsMatches, null, 'nor that it resembles nobody');
  const asStaff = bodyOf(await house.as('underwriter').get(path));
  t.is(asStaff.clearance.sanctionsMatches.length, 1);
});

const flagOf = ({ daFlags }: { daFlags: { code: string }[] }, name: string) =>
  daFlags.find(({ code }) => code === name);

function sumOf<Name extends string>(rows: Record<Name, number>[], name: Name): number {
  return rows.reduce((cents, row) => cents + Math.round(row[name] * 100), 0) / 100;
}
