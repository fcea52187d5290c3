// The delinquency calendar, by hand: contract 3.2 (11 days to the notice) and the table in domain facts 6.1.
import test from 'ava';
import { NEVER_BEHIND, nextClockStep, type PolicyClock } from '../../../domain/billing/delinquency-clock.ts';

const POLICY: PolicyClock = {
  state: 'TX',
  status: 'active',
  effectiveDate: '2027-01-31',
  expirationDate: '2028-01-31',
  cancellationDate: null,
  delinquency: null,
  unpaid: [{ id: 'inv_1', dueDate: '2027-01-31' }],
  holds: [],
};

const alerted = { ...NEVER_BEHIND, remindedUntil: '2027-02-01' };
const noticed = (noticeOn: string, cancellationDate: string, changes: Partial<PolicyClock> = {}): PolicyClock => ({
  ...{ ...POLICY, status: 'pending_cancellation', cancellationDate },
  delinquency: { ...alerted, noticeOn },
  ...changes,
});

test('past due is the day after the due date, notice the 11th, and the lapse the days of the state later', (t) => {
  t.like(nextClockStep(POLICY, '2027-01-31'), { step: 'past_due', on: '2027-02-01', invoiceIds: ['inv_1'] });
  const behind = { ...POLICY, delinquency: alerted };
  const lapses: Record<string, string> = { TX: '2027-02-21', CA: '2027-02-21', NY: '2027-02-26', WY: '2027-02-21' };
  for (const [state, lapsesOn] of Object.entries(lapses)) {
    const notice = { step: 'notice', on: '2027-02-11', lapsesOn } as const;
    t.deepEqual(nextClockStep({ ...behind, state }, '2027-02-01'), notice, state);
  }
});

test('29 February and the end of a year are days like others', (t) => {
  const leap = { ...POLICY, delinquency: { ...NEVER_BEHIND, remindedUntil: '2028-02-21' } };
  const due = { unpaid: [{ id: 'inv_1', dueDate: '2028-02-20' }], expirationDate: '2029-01-31' };
  const notice = { step: 'notice', on: '2028-03-02', lapsesOn: '2028-03-12' } as const;
  t.deepEqual(nextClockStep({ ...leap, ...due }, '2028-02-21'), notice);
  const december = { ...POLICY, delinquency: { ...NEVER_BEHIND, remindedUntil: '2027-12-26' } };
  const late = { unpaid: [{ id: 'inv_1', dueDate: '2027-12-25' }] };
  t.like(nextClockStep({ ...december, ...late }, '2027-12-26'), { step: 'notice', on: '2028-01-05' });
});

test('a hold moves a pending notice to a later day, and never to an earlier one', (t) => {
  const holds = [{ state: 'TX', from: '2027-02-13', to: '2027-02-15' }];
  const before = noticed('2027-02-11', '2027-02-21', { holds });
  t.deepEqual(nextClockStep(before, '2027-02-12'), { step: 'move', on: '2027-02-12', lapsesOn: '2027-02-24' });
  const after = noticed('2027-02-11', '2027-02-24', { holds });
  t.deepEqual(nextClockStep(after, '2027-02-12'), { step: 'lapse', on: '2027-02-24' });
  const lifted = noticed('2027-02-11', '2027-02-24');
  t.deepEqual(nextClockStep(lifted, '2027-02-12'), { step: 'lapse', on: '2027-02-24' });
});

test('a notice whose day would come after coverage has ended anyway is rescinded', (t) => {
  const holds = [{ state: 'TX', from: '2027-02-13', to: '2028-03-01' }];
  t.deepEqual(nextClockStep(noticed('2027-02-11', '2027-02-21', { holds }), '2027-02-12'), {
    step: 'withdraw',
    on: '2027-02-12',
  });
});

test('a notice is rescinded when nothing is past due, even on the day of the lapse', (t) => {
  const paid = noticed('2027-02-11', '2027-02-21', { unpaid: [{ id: 'inv_2', dueDate: '2027-04-30' }] });
  t.deepEqual(nextClockStep(paid, '2027-02-21'), { step: 'rescind', on: '2027-02-21' });
});

test('no notice is sent before coverage begins or after it has ended', (t) => {
  const behind = { ...POLICY, delinquency: alerted };
  const today = '2027-02-20';
  t.is(nextClockStep({ ...behind, status: 'pending', effectiveDate: '2027-03-01' }, today), null);
  for (const status of ['cancelled', 'lapsed', 'expired', 'renewed'] as const) {
    t.is(nextClockStep({ ...behind, status }, today), null, status);
  }
});

test('a scheduled cancellation pauses delinquency only when it takes effect before the lapse would', (t) => {
  const scheduled = (cancellationDate: string, status = 'pending_cancellation' as const) =>
    nextClockStep({ ...POLICY, delinquency: alerted, status, cancellationDate }, '2027-02-02');
  const notice = { step: 'notice', on: '2027-02-11', lapsesOn: '2027-02-21' } as const;
  t.deepEqual(scheduled('2027-12-01'), notice);
  t.deepEqual(scheduled('2027-02-22'), notice);
  t.is(scheduled('2027-02-21'), null);
  t.is(scheduled('2027-02-10'), null);
});

test('a notice that a hold moves to the day of a cancellation behind it, or later, is withdrawn', (t) => {
  const held = (to: string) => {
    const policy = noticed('2027-02-11', '2027-02-21', { holds: [{ state: 'TX', from: '2027-02-13', to }] });
    const delinquency = { ...policy.delinquency!, endsAnywayOn: '2027-02-24' };
    return nextClockStep({ ...policy, delinquency }, '2027-02-12');
  };
  t.deepEqual(held('2027-02-14'), { step: 'move', on: '2027-02-12', lapsesOn: '2027-02-23' });
  t.deepEqual(held('2027-02-15'), { step: 'withdraw', on: '2027-02-12' });
});

test('a rescinded notice gives eleven days of grace from then on', (t) => {
  const delinquency = { ...alerted, graceFrom: '2027-02-15' };
  t.like(nextClockStep({ ...POLICY, delinquency }, '2027-02-15'), { step: 'notice', on: '2027-02-26' });
});

test('an unpaid renewal offer ends 11 days after the due date, without a notice before', (t) => {
  const offer = { ...POLICY, isOffer: true };
  t.like(nextClockStep(offer, '2027-01-31'), { step: 'past_due', on: '2027-02-01' });
  const behind = { ...offer, delinquency: alerted };
  t.deepEqual(nextClockStep(behind, '2027-02-01'), { step: 'not_taken', on: '2027-02-11' });
  t.deepEqual(nextClockStep({ ...behind, isOffer: false }, '2027-02-01')?.step, 'notice');
  t.is(nextClockStep({ ...behind, unpaid: [] }, '2027-02-11'), null);
});

test('a billing hold stops the clock of a renewal offer', (t) => {
  const holds = [{ state: 'TX', from: '2027-02-05', to: '2027-02-07' }];
  const behind = { ...POLICY, isOffer: true, delinquency: alerted, holds };
  t.deepEqual(nextClockStep(behind, '2027-02-01'), { step: 'not_taken', on: '2027-02-14' });
  const late = { ...behind, holds: [{ state: 'TX', from: '2027-02-11', to: '2027-02-28' }] };
  t.deepEqual(nextClockStep(late, '2027-02-12'), { step: 'not_taken', on: '2027-03-01' });
});

test('a notice that is out when an offer would end goes its own way', (t) => {
  const out = noticed('2027-02-11', '2027-02-21', { isOffer: true });
  t.deepEqual(nextClockStep(out, '2027-02-12'), { step: 'lapse', on: '2027-02-21' });
});
