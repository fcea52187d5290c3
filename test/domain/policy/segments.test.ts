// What a policy said on any day, and the policy as it is now.
import test from 'ava';
import { policySegments, projectPolicy, segmentOn } from '../../../domain/policy/segments.ts';
import {
  coverageGaps,
  type StackedTransaction,
  standingCancellation,
  transactionStatuses,
  waitingCancellation,
  writtenPremium,
} from '../../../domain/policy/stack.ts';
import { newBusiness, row, TERM, TEXAS } from './rows.ts';

const facts = (today: string) => ({ term: TERM, basis: TEXAS, renewalPolicyId: null, today });
const FIRST = newBusiness(1_000_000, { limitCents: 100, deductibleCents: 5 });
const LATER = row({
  type: 'endorsement',
  sequence: 2,
  effectiveDate: '2025-06-01',
  issuedOn: '2025-03-01',
  premiumChangeCents: 50_000,
  after: { limitCents: 200 },
});
const EARLIER = row({
  type: 'endorsement',
  sequence: 3,
  effectiveDate: '2025-04-01',
  issuedOn: '2025-03-10',
  premiumChangeCents: 30_000,
  after: { limitCents: 150, deductibleCents: 9 },
  reapplied: [{ transactionId: 'ptx_2', premiumChangeCents: 10_000 }],
});

test('The terms of a day are those that took effect by then, in the order of effect and not of issue', (t) => {
  const segments = policySegments([FIRST, LATER, EARLIER], facts('2025-03-10'));
  t.deepEqual(
    segments.map(({ from, to, terms }) => [from, to, terms.limitCents, terms.deductibleCents]),
    [
      ['2025-01-01', '2025-04-01', 100, 5],
      ['2025-04-01', '2025-06-01', 150, 9],
      ['2025-06-01', '2026-01-01', 200, 9],
    ],
  );
  t.is(segmentOn(segments, '2025-05-31')?.terms.limitCents, 150);
  t.is(segmentOn(segments, '2025-06-01')?.terms.limitCents, 200);
  t.is(segmentOn(segments, '2024-12-31'), null);
  t.is(segmentOn(segments, '2026-01-01'), null);
});

function lived(...rest: StackedTransaction[]) {
  return [FIRST, ...rest];
}

const CANCELLED = row({
  type: 'cancellation',
  sequence: 2,
  effectiveDate: '2025-05-27',
  issuedOn: '2025-05-01',
  premiumChangeCents: -600_000,
  taxChangeCents: -29_340,
  changes: { reason: 'underwriting', source: 'carrier', method: 'pro_rata' },
});
const REINSTATED = row({
  type: 'reinstatement',
  sequence: 3,
  effectiveDate: '2025-06-26',
  issuedOn: '2025-06-20',
  premiumChangeCents: 517_808,
});

function statuses(stack: StackedTransaction[], today: string) {
  const days = policySegments(stack, facts(today)).map(({ from, status }) => [from, status]);
  // Another cancellation may take over while the status stays the same.
  return days.filter(([, status], index) => status !== days[index - 1]?.[1]);
}

test('A cancellation is scheduled until its day, and moves money from then on', (t) => {
  const stack = lived(CANCELLED);
  t.is(transactionStatuses(stack, TERM, '2025-05-26').get('ptx_2'), 'scheduled');
  t.is(transactionStatuses(stack, TERM, '2025-05-27').get('ptx_2'), 'issued');
  t.is(writtenPremium(stack, TERM, '2025-05-26'), 1_000_000);
  t.is(writtenPremium(stack, TERM, '2025-05-27'), 400_000);
  t.like(projectPolicy(stack, facts('2025-05-26')), {
    status: 'pending_cancellation',
    grossPremiumCents: 1_000_000,
    cancellation: { effectiveDate: '2025-05-27', reason: 'underwriting', source: 'carrier', method: 'pro_rata' },
  });
  // 4,000.00 + 250.00 + 206.13 + 1.70.
  t.like(projectPolicy(stack, facts('2025-05-27')), { status: 'cancelled', totalDueCents: 445_783 });
  t.deepEqual(statuses(stack, '2025-05-27'), [
    ['2025-01-01', 'active'],
    ['2025-05-01', 'pending_cancellation'],
    ['2025-05-27', 'cancelled'],
  ]);
});

test('A reinstatement with a gap leaves the days between without coverage', (t) => {
  const stack = lived(CANCELLED, REINSTATED);
  t.is(transactionStatuses(stack, TERM, '2025-07-01').get('ptx_2'), 'reversed');
  t.deepEqual(statuses(stack, '2025-07-01'), [
    ['2025-01-01', 'active'],
    ['2025-05-01', 'pending_cancellation'],
    ['2025-05-27', 'cancelled'],
    ['2025-06-26', 'active'],
  ]);
  const { reason, method, source } = CANCELLED.changes;
  const shown = { effectiveDate: '2025-05-27', reason, method, source };
  const segments = policySegments(stack, facts('2025-07-01'));
  t.deepEqual(
    segments.map(({ cancellation }) => cancellation),
    [null, shown, shown, null],
  );
  t.like(projectPolicy(stack, facts('2025-07-01')), {
    status: 'active',
    grossPremiumCents: 917_808,
    cancellation: null,
  });
});

test('A reinstatement without a gap leaves no day without coverage', (t) => {
  const stack = lived(CANCELLED, { ...REINSTATED, effectiveDate: '2025-05-27', premiumChangeCents: 600_000 });
  t.deepEqual(statuses(stack, '2025-07-01').at(-1), ['2025-05-27', 'active']);
  t.is(projectPolicy(stack, facts('2025-07-01')).grossPremiumCents, 1_000_000);
});

test('A cancellation that was withdrawn before its day never moved money, and was pending until then', (t) => {
  const stack = lived(CANCELLED, {
    ...REINSTATED,
    effectiveDate: '2025-05-27',
    issuedOn: '2025-05-10',
    premiumChangeCents: 0,
    changes: { withdrawal: true },
  });
  t.is(transactionStatuses(stack, TERM, '2025-07-01').get('ptx_2'), 'reversed');
  t.is(writtenPremium(stack, TERM, '2025-07-01'), 1_000_000);
  t.deepEqual(statuses(stack, '2025-07-01'), [
    ['2025-01-01', 'active'],
    ['2025-05-01', 'pending_cancellation'],
    ['2025-05-10', 'active'],
  ]);
});

const LAPSE = row({
  type: 'cancellation',
  sequence: 3,
  effectiveDate: '2025-05-20',
  issuedOn: '2025-05-10',
  premiumChangeCents: -619_178,
  changes: { reason: 'non_payment', source: 'carrier', method: 'pro_rata', lapse: true },
});
const rescinded = (sequence: number, changes: object = { withdrawal: true, rescission: true }) =>
  row({ type: 'reinstatement', sequence, effectiveDate: '2025-05-20', issuedOn: '2025-05-12', changes });
const standing = (...stack: StackedTransaction[]) => standingCancellation(lived(...stack))?.id ?? null;
const waiting = (...stack: StackedTransaction[]) => waitingCancellation(lived(...stack))?.id ?? null;

test('A notice for non-payment goes before a cancellation of a later day, which stands again when it is rescinded', (t) => {
  const stack = lived(CANCELLED, LAPSE);
  t.deepEqual([standing(CANCELLED, LAPSE), waiting(CANCELLED, LAPSE)], ['ptx_3', 'ptx_2']);
  t.is(transactionStatuses(stack, TERM, '2025-05-12').get('ptx_2'), 'scheduled');
  t.is(transactionStatuses(stack, TERM, '2025-05-20').get('ptx_2'), 'reversed');
  t.is(writtenPremium(stack, TERM, '2025-05-27'), 1_000_000 - 619_178);

  const paid = lived(CANCELLED, LAPSE, rescinded(4));
  t.deepEqual([...transactionStatuses(paid, TERM, '2025-05-12').values()].slice(1), [
    'scheduled',
    'reversed',
    'issued',
  ]);
  t.like(projectPolicy(paid, facts('2025-05-12')), {
    status: 'pending_cancellation',
    cancellation: { effectiveDate: '2025-05-27', reason: 'underwriting' },
  });
  t.is(writtenPremium(paid, TERM, '2025-05-27'), 400_000);
  t.deepEqual(statuses(paid, '2025-05-27'), [
    ['2025-01-01', 'active'],
    ['2025-05-01', 'pending_cancellation'],
    ['2025-05-27', 'cancelled'],
  ]);
});

test('A withdrawal by hand rescinds the notice and the cancellation that waits behind it', (t) => {
  const stack = [CANCELLED, LAPSE, rescinded(4, { withdrawal: true })];
  t.deepEqual([standing(...stack), waiting(...stack)], [null, null]);
  t.is(projectPolicy(lived(...stack), facts('2025-06-01')).status, 'active');
});

test('A cancellation dated after a standing notice waits behind it, and one dated earlier replaces it', (t) => {
  const later = { ...CANCELLED, id: 'ptx_4', sequence: 4, effectiveDate: '2025-06-10' };
  t.deepEqual([standing(LAPSE, later), waiting(LAPSE, later)], ['ptx_3', 'ptx_4']);
  t.deepEqual([standing(CANCELLED, LAPSE, later), waiting(CANCELLED, LAPSE, later)], ['ptx_3', 'ptx_4']);
  t.is(standing(CANCELLED, LAPSE, later, rescinded(5)), 'ptx_4');
  const earlier = { ...later, effectiveDate: '2025-05-19' };
  t.deepEqual([standing(CANCELLED, LAPSE, earlier), waiting(CANCELLED, LAPSE, earlier)], ['ptx_4', null]);
  t.is(transactionStatuses(lived(CANCELLED, LAPSE, earlier), TERM, '2025-05-12').get('ptx_2'), 'reversed');
});

test('A policy that lapsed before a scheduled cancellation and is reinstated later has one gap, from the lapse on', (t) => {
  const reinstated = { ...REINSTATED, id: 'ptx_4', sequence: 4, issuedOn: '2025-06-26', premiumChangeCents: 517_808 };
  const stack = lived(CANCELLED, LAPSE, reinstated);
  t.deepEqual(
    coverageGaps(stack).map(({ from, to }) => [from, to]),
    [['2025-05-20', '2025-06-26']],
  );
  t.is(writtenPremium(stack, TERM, '2025-07-01'), 1_000_000 - 619_178 + 517_808);
});

test('A second cancellation replaces the one that is scheduled, for an earlier day or a later one', (t) => {
  for (const effectiveDate of ['2025-05-20', '2025-08-01']) {
    const second = { ...CANCELLED, id: 'ptx_3', sequence: 3, effectiveDate, premiumChangeCents: -100 };
    t.deepEqual([standing(CANCELLED, second), waiting(CANCELLED, second)], ['ptx_3', null]);
    const shown = transactionStatuses(lived(CANCELLED, second), TERM, '2025-05-10');
    t.deepEqual([shown.get('ptx_2'), shown.get('ptx_3')], ['reversed', 'scheduled']);
    t.is(writtenPremium(lived(CANCELLED, second), TERM, '2025-08-01'), 999_900);
  }
});

test('A lapse takes the place of a cancellation that was still to come', (t) => {
  const lapse = row({
    type: 'cancellation',
    sequence: 3,
    effectiveDate: '2025-05-15',
    issuedOn: '2025-05-15',
    premiumChangeCents: -632_877,
    changes: { reason: 'non_payment', source: 'carrier', method: 'pro_rata', lapse: true },
  });
  const stack = lived(CANCELLED, lapse);
  t.is(transactionStatuses(stack, TERM, '2025-06-01').get('ptx_2'), 'reversed');
  t.like(projectPolicy(stack, facts('2025-06-01')), { status: 'lapsed', grossPremiumCents: 367_123 });
  t.deepEqual(statuses(stack, '2025-06-01').at(-1), ['2025-05-15', 'lapsed']);
});

test('A flat cancellation leaves no premium, fee or tax, and takes effect immediately', (t) => {
  const flat = row({
    type: 'cancellation',
    sequence: 2,
    issuedOn: '2024-12-01',
    premiumChangeCents: -1_000_000,
    feeChangeCents: -25_000,
    taxChangeCents: -50_123,
    changes: { reason: 'flat_not_taken', source: 'insured', method: 'flat' },
  });
  const basis = { ...TEXAS, rates: { ...TEXAS.rates, stampingFlatCents: 2000 } };
  const policy = projectPolicy(lived(flat), { ...facts('2024-12-01'), basis });
  t.like(policy, { status: 'cancelled', grossPremiumCents: 0, totalDueCents: 0 });
  t.deepEqual(policy.fees, []);
});
