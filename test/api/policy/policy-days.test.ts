// What a policy shows on a day, and what moves the date on which it ends. Contract 3.2.
import test from 'ava';
import { addDays } from '../../../domain/dates.ts';
import { eventually } from '../../support/eventually.ts';
import { bodyOf } from '../../support/house.ts';
import { startCheckedPlatform } from '../../support/openapi-check.ts';
import type { Platform } from '../../support/run-platform.ts';
import { cents, figures, insured, pay, proRata } from './policy-calls.ts';

let platform: Platform;

test.before('a platform', async (t) => {
  platform = await startCheckedPlatform(t);
});

const MORE_REVENUE = { annualRevenue: 1_300_000 };

test('terms are those of today, or of the day of asOf, with later ones listed beside them; money is that of the whole term', async (t) => {
  const policy = await insured(platform);
  await pay(policy);
  const day = addDays(policy.effectiveDate, 100);
  const issued = bodyOf(await policy.change('endorse', { effectiveDate: day, changes: MORE_REVENUE }), 201);
  const { premiumChange, id: transactionId } = issued;
  t.is(premiumChange, proRata(1197, policy, day));
  const grossPremium = cents(3990 + premiumChange);
  const scheduledChanges = [{ transactionId, effectiveDate: day, changes: { annualRevenue: 1_300_000 } }];
  const before = { annualRevenue: 1_000_000, grossPremium, scheduledChanges };
  const after = { annualRevenue: 1_300_000, grossPremium, scheduledChanges: [] };
  t.like(await policy.read({ asOf: addDays(day, -1) }), { ...before, status: 'active' });
  t.like(await policy.read({ asOf: day }), { ...after, status: 'active' });
  t.like(await policy.read(), { ...before, status: 'pending' });
  const [listed] = bodyOf(await policy.client.get('/v1/policies')).data;
  t.deepEqual(listed, await policy.read());
  await policy.advance(day);
  t.like(await policy.read(), after);
});

test('an endorsement that changes nothing on its day is refused, in the preview too', async (t) => {
  const policy = await insured(platform);
  const { effectiveDate } = policy;
  const none = { status: 400, body: { error: 'validation_failed', details: { field: 'changes', rule: 'no_change' } } };
  const same = { annualRevenue: 1_000_000, requestedLimit: 1_000_000, additionalInsureds: [] };
  for (const changes of [same, {}]) {
    t.like(await policy.change('endorse', { effectiveDate, changes }), none);
    t.like(await policy.change('endorse', { effectiveDate, changes }, { preview: 'true' }), none);
  }
  const day = addDays(effectiveDate, 100);
  bodyOf(await policy.change('endorse', { effectiveDate: day, changes: MORE_REVENUE }), 201);
  // Before that day the revenue is unchanged, and the later endorsement stays on top of it.
  t.like(await policy.change('endorse', { effectiveDate, changes: { annualRevenue: 1_000_000 } }), none);
  bodyOf(await policy.change('endorse', { effectiveDate: day, changes: { annualRevenue: 1_000_000 } }), 201);
  t.is((await policy.timeline()).length, 3);
});

test('a second cancellation moves the day of a scheduled one, earlier or later, under the same notice rules', async (t) => {
  const policy = await insured(platform);
  await pay(policy);
  await policy.advance(addDays(policy.effectiveDate, 10));
  const day = (days: number) => addDays(policy.effectiveDate, days);
  const cancel = (days: number, reason: string, query = {}) =>
    policy.change('cancel', { effectiveDate: day(days), reason }, query);
  const first = bodyOf(await cancel(60, 'underwriting'), 201);
  const tooSoon = { status: 422, body: { error: 'notice_period_not_met', details: { earliestDate: day(20) } } };
  t.like(await cancel(19, 'underwriting'), tooSoon);

  const preview = bodyOf(await cancel(30, 'underwriting', { preview: 'true' }), 200);
  t.like(await policy.read(), { cancellation: { effectiveDate: day(60) } });
  const second = bodyOf(await cancel(30, 'underwriting'), 201);
  t.deepEqual(figures(second), figures(preview));
  t.like(second, { status: 'scheduled', premiumChange: -proRata(3990, policy, day(30)) });
  t.like(await policy.read(), { status: 'pending_cancellation', cancellation: { effectiveDate: day(30) } });

  const third = bodyOf(await cancel(80, 'insured_request'), 201);
  const states = async () =>
    new Map((await policy.timeline()).map((each: { id: string; status: string }) => [each.id, each.status]));
  t.deepEqual(
    [first, second, third].map(({ id }) => id),
    [...(await states()).keys()].slice(1),
  );
  t.deepEqual([...(await states()).values()].slice(1), ['reversed', 'reversed', 'scheduled']);

  // The dates of the replaced ones trigger nothing.
  await policy.advance(day(79));
  t.like(await policy.read(), { status: 'pending_cancellation', grossPremium: 3990 });
  await policy.advance(day(80));
  t.like(await policy.read(), { status: 'cancelled', grossPremium: cents(3990 + third.premiumChange) });
  t.is((await states()).get(third.id), 'issued');
});

test('a policy that is behind lapses before the day of a scheduled cancellation, which stands again once it is paid', async (t) => {
  const policy = await insured(platform);
  const day = (days: number) => addDays(policy.effectiveDate, days);
  const request = { effectiveDate: day(60), reason: 'insured_request' };
  const { id } = bodyOf(await policy.change('cancel', request), 201);
  await policy.advance(day(12));
  const notice = { effectiveDate: day(21), reason: 'non_payment' };
  t.like(await policy.read(), { statuses: ['pending_cancellation', 'delinquent'], cancellation: notice });
  const statusOf = async () =>
    (await policy.timeline()).find((each: { id: string; status: string }) => each.id === id).status;
  t.is(await statusOf(), 'scheduled');
  await pay(policy);
  const isBack = async () => (await policy.read()).cancellation.effectiveDate === day(60);
  await eventually(isBack, { what: 'the first cancellation to stand again' });
  t.like(await policy.read(), { statuses: ['pending_cancellation'], cancellation: request });
  t.is(await statusOf(), 'scheduled');
  await policy.advance(day(60));
  t.like(await policy.read(), { status: 'cancelled', cancellation: request });
  t.is(await statusOf(), 'issued');
});

test('after 60 days in force a carrier cancels in Texas for a listed ground only, in the preview too', async (t) => {
  const policy = await insured(platform);
  await pay(policy);
  const cancel = (days: number, reason: string, query = {}) =>
    policy.change('cancel', { effectiveDate: addDays(policy.effectiveDate, days), reason, source: 'carrier' }, query);
  await policy.advance(addDays(policy.effectiveDate, 60));
  t.is((await cancel(100, 'underwriting', { preview: 'true' })).status, 200);
  await policy.advance(addDays(policy.effectiveDate, 61));
  const details = { blockers: ['REASON_NOT_LISTED'], state: 'TX', reason: 'underwriting' };
  for (const query of [{ preview: 'true' }, {}]) {
    t.like(await cancel(100, 'underwriting', query), { status: 422, body: { error: 'not_ready', details } });
  }
  bodyOf(await cancel(100, 'increase_in_hazard'), 201);
});
