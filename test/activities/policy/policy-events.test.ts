// The events of a policy's life: each is raised once, in its change's transaction, and says what it concerns. Contract
// 3.2, 3.6.
import test from 'ava';
import { Event } from '../../../db/entities/platform/event.ts';
import { InsuredLife, revenueFor } from './insured-life.ts';

/** The names of the policy's events after its bind, in order, each with the day of the term that it names. */
async function raised(life: InsuredLife): Promise<[string, number][]> {
  const found = await life.read((em) => em.find(Event, {}, { orderBy: { position: 'asc' } }));
  return found
    .filter(({ type }) => type.startsWith('policy.') && type !== 'policy.bound')
    .map(({ type, data }) => [type, life.dayOf(String(data.effectiveDate))]);
}

test('a replaced cancellation is withdrawn and the new one scheduled; taken back, it is withdrawn once', async (t) => {
  const life = await InsuredLife.begin(t);
  await life.pay(1);
  life.passTo(100);
  await life.cancel(150, { reason: 'increase_in_hazard' }, 'first');
  await life.cancel(150, { reason: 'increase_in_hazard' }, 'first');
  await life.endorse(100, { annualRevenueCents: revenueFor(1_120_000) });
  await life.reinstate();
  t.deepEqual(await raised(life), [
    ['policy.cancellation_scheduled', 150],
    ['policy.endorsed', 100],
    ['policy.cancellation_withdrawn', 150],
    ['policy.cancellation_scheduled', 150],
    ['policy.cancellation_withdrawn', 150],
  ]);
  const [, first, , second] = await life.stack();
  const events = await life.read((em) => em.find(Event, {}, { orderBy: { position: 'asc' } }));
  const withdrawn = events.filter(({ type }) => type === 'policy.cancellation_withdrawn').map(({ data }) => data);
  t.like(withdrawn, [
    { transactionId: first?.id, replacedBy: second?.id, cancellation: { reason: 'increase_in_hazard' } },
    { transactionId: second?.id, replacedBy: null },
  ]);
});

test('a cancellation is announced, happens and is reinstated, each once', async (t) => {
  const life = await InsuredLife.begin(t);
  await life.pay(1);
  life.passTo(100);
  await life.cancel(150, { reason: 'increase_in_hazard' });
  life.passTo(150);
  await life.takeEffect();
  await life.takeEffect();
  await life.reinstate(null, 'back');
  await life.reinstate(null, 'back');
  t.deepEqual(await raised(life), [
    ['policy.cancellation_scheduled', 150],
    ['policy.cancelled', 150],
    ['policy.reinstated', 150],
  ]);
  const [back] = await life.read((em) => em.find(Event, { type: 'policy.reinstated' }));
  // 215 of 365 days of 10,000.00.
  t.like(back?.data, { policyId: life.policyId, grossPremium: 10_000, premiumChange: 5890.41 });
});

test('a term that ends without a next one expires, with one event', async (t) => {
  const life = await InsuredLife.begin(t);
  await life.pay(1);
  life.passTo(365);
  await life.expire();
  await life.expire();
  t.deepEqual(await raised(life), [['policy.expired', 0]]);
  const [expired] = await life.read((em) => em.find(Event, { type: 'policy.expired' }));
  t.like(expired?.data, { expirationDate: life.end, grossPremium: 10_000 });
});

test('a term that is reinstated after its last day expires, with one event', async (t) => {
  const life = await InsuredLife.begin(t);
  await life.pay(1);
  life.passTo(100);
  await life.cancel(100);
  life.passTo(400);
  await life.reinstate(null, 'late');
  await life.reinstate(null, 'late');
  await life.expire();
  t.deepEqual(await raised(life), [
    ['policy.cancelled', 100],
    ['policy.reinstated', 100],
    ['policy.expired', 0],
  ]);
});
