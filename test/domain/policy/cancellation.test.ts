// Who may cancel as of which date, and how much premium is returned.
import test from 'ava';
import { DomainError } from '../../../domain/errors.ts';
import {
  cancellationTerms,
  defaultSource,
  ensureCancellable,
  ensurePastDue,
  pastDueOn,
  premiumReturn,
  takesEffectAtOnce,
} from '../../../domain/policy/cancellation.ts';
import {
  CANCELLATION_REASONS,
  type CancellationMethod,
  type CancellationSource,
} from '../../../domain/policy/cancellation-words.ts';
import { newBusiness, row, TERM } from './rows.ts';

const TODAY = { term: TERM, today: '2025-03-01' };

function returned(
  premiumCents: number,
  day: string,
  method: CancellationMethod,
  source: CancellationSource = 'carrier',
) {
  return premiumReturn([newBusiness(premiumCents)], { effectiveDate: day, method, source }, TODAY);
}

test('10,000.00 cancelled on day 146 of 365 returns 6,000.00 pro rata and 5,400.00 at short rate', (t) => {
  t.is(returned(1_000_000, '2025-05-27', 'pro_rata'), 600_000);
  t.is(returned(1_000_000, '2025-05-27', 'short_rate', 'insured'), 540_000);
});

test('500.00 cancelled on day 150 of 365 returns 265.07 at short rate', (t) => {
  t.is(returned(50_000, '2025-05-31', 'pro_rata'), 29_452);
  t.is(returned(50_000, '2025-05-31', 'short_rate', 'insured'), 26_507);
});

test('When the insured cancels, 25 percent of the written premium is earned at least; never for the carrier, never flat', (t) => {
  // Day 10: with 355 of 365 days left, 9,726.03, and 8,753.43 at short rate.
  t.is(returned(1_000_000, '2025-01-11', 'pro_rata', 'carrier'), 972_603);
  t.is(returned(1_000_000, '2025-01-11', 'short_rate', 'carrier'), 875_343);
  t.is(returned(1_000_000, '2025-01-11', 'pro_rata', 'insured'), 750_000);
  t.is(returned(1_000_000, '2025-01-11', 'short_rate', 'insured'), 750_000);
  t.is(returned(1_000_000, '2025-01-01', 'flat', 'insured'), 1_000_000);
  // A quarter of 100.01 is 25.00.
  t.is(returned(10_001, '2025-01-02', 'pro_rata', 'insured'), 7501);
});

const PRO_RATA = { method: 'pro_rata', source: 'carrier' } as const;

test('Each transaction returns the days left of its own days, and one that has not begun all of it', (t) => {
  const stack = [
    newBusiness(1_000_000),
    // 265 days; 365 − 100.
    row({ type: 'endorsement', sequence: 2, effectiveDate: '2025-04-11', premiumChangeCents: 87_123 }),
    row({ type: 'endorsement', sequence: 3, effectiveDate: '2025-10-23', premiumChangeCents: -36_500 }),
  ];
  // 6,000.00, 871.23 × 219 / 265 = 720.00 (719.9976), and −365.00.
  t.is(premiumReturn(stack, { effectiveDate: '2025-05-27', ...PRO_RATA }, TODAY), 600_000 + 72_000 - 36_500);
});

test('3,990.00 and an endorsement of 2,000.47 on day 182, cancelled pro rata that day, return 4,000.94', (t) => {
  const stack = [
    newBusiness(399_000),
    row({ type: 'endorsement', sequence: 2, effectiveDate: '2025-07-02', premiumChangeCents: 200_047 }),
  ];
  // 3,990.00 × 183 / 365 = 2,000.47 (2,000.4657), plus all of the endorsement.
  t.is(premiumReturn(stack, { effectiveDate: '2025-07-02', ...PRO_RATA }, TODAY), 400_094);
});

test('Each part is returned to the cent: 365 days of 100.00 twice on day 1 are 99.73 twice', (t) => {
  const stack = [
    newBusiness(10_000),
    row({ type: 'endorsement', sequence: 2, effectiveDate: '2025-01-01', premiumChangeCents: 10_000 }),
  ];
  // 100.00 × 364 / 365 = 99.726, twice 199.452 if rounded only at the end.
  t.is(premiumReturn(stack, { effectiveDate: '2025-01-02', ...PRO_RATA }, TODAY), 19_946);
});

test('Return premium after a gap leaves out the days that were never charged', (t) => {
  const stack = [
    newBusiness(1_000_000),
    row({ type: 'cancellation', sequence: 2, effectiveDate: '2025-05-27', premiumChangeCents: -540_000 }),
    row({ type: 'reinstatement', sequence: 3, effectiveDate: '2025-06-26', premiumChangeCents: 457_808 }),
  ];
  const back = (effectiveDate: string) =>
    premiumReturn(stack, { effectiveDate, ...PRO_RATA }, { term: TERM, today: '2025-08-01' });
  // 189 days of 10,000.00 are left on the day coverage resumed.
  t.is(back('2025-06-26'), 517_808);
  // 100 days before expiry.
  t.is(back('2025-09-23'), 273_973);
});

test('The source follows from the reason, and the method from the source or the day', (t) => {
  const insured = CANCELLATION_REASONS.filter((reason) => defaultSource(reason) === 'insured');
  t.deepEqual(insured, ['insured_request', 'rewrite', 'flat_not_taken', 'sold_out_of_business']);
  const terms = (reason: (typeof CANCELLATION_REASONS)[number], effectiveDate: string) => {
    const { source, method } = cancellationTerms({ reason, effectiveDate }, TERM, '2025-01-01');
    return [source, method];
  };
  t.deepEqual(terms('insured_request', '2025-05-27'), ['insured', 'short_rate']);
  t.deepEqual(terms('underwriting', '2025-05-27'), ['carrier', 'pro_rata']);
  t.deepEqual(terms('insured_request', '2025-01-01'), ['insured', 'flat']);
  // Once coverage has begun, the carrier can undo it only by rescission.
  t.deepEqual(terms('underwriting', '2025-01-01'), ['carrier', 'pro_rata']);
  t.deepEqual(terms('fraud', '2025-01-01'), ['carrier', 'flat']);
  t.is(
    cancellationTerms({ reason: 'underwriting', effectiveDate: '2025-05-27', source: 'insured' }, TERM, '2025-01-01')
      .method,
    'short_rate',
  );
});

test('Flat is as of inception, and by the carrier after it only to rescind', (t) => {
  const flat = (reason: (typeof CANCELLATION_REASONS)[number], effectiveDate: string, today: string) => () =>
    cancellationTerms({ reason, effectiveDate, method: 'flat' }, TERM, today);
  for (const refused of [
    flat('insured_request', '2025-05-27', '2025-05-27'),
    flat('underwriting', '2025-01-01', '2025-01-01'),
    flat('non_payment', '2025-01-01', '2025-06-01'),
  ]) {
    const error = t.throws(refused, { instanceOf: DomainError });
    t.like(error, { code: 'validation_failed', details: { field: 'method' } });
  }
  t.notThrows(flat('underwriting', '2025-01-01', '2024-12-31'));
  t.notThrows(flat('misrepresentation', '2025-01-01', '2025-06-01'));
});

test('Only a past-due policy is cancelled for non-payment', (t) => {
  const bill = (dueDate: string, paidCents: number, uncollectible = false) => ({
    ...{ dueDate, paidCents, totalCents: 100, refundedCents: 0, refundedBeforePaidCents: 0 },
    ...{ voided: false, uncollectible },
  });
  const ensure =
    (...bills: ReturnType<typeof bill>[]) =>
    () =>
      ensurePastDue(pastDueOn(bills, '2025-05-27'));
  t.notThrows(ensure(bill('2025-05-26', 99)));
  const writtenOff = ensure(bill('2025-05-26', 0, true));
  for (const refused of [ensure(), ensure(bill('2025-05-27', 0)), ensure(bill('2025-05-01', 100)), writtenOff]) {
    t.is(t.throws(refused, { instanceOf: DomainError })?.code, 'not_ready');
  }
});

type Refusal = [
  what: string,
  request: Parameters<typeof cancellationTerms>[0],
  today: string,
  code: string | null,
  details?: object,
];
const REFUSALS: Refusal[] = [
  [
    'before the term',
    { reason: 'insured_request', effectiveDate: '2024-12-31' },
    '2025-01-05',
    'outside_policy_term',
    TERM,
  ],
  [
    'on the expiration date',
    { reason: 'insured_request', effectiveDate: '2026-01-01' },
    '2025-06-01',
    'outside_policy_term',
    TERM,
  ],
  ['by the insured today', { reason: 'insured_request', effectiveDate: '2025-06-01' }, '2025-06-01', null],
  ['by the insured 30 days back', { reason: 'insured_request', effectiveDate: '2025-05-02' }, '2025-06-01', null],
  [
    'by the insured 31 days back',
    { reason: 'insured_request', effectiveDate: '2025-05-01' },
    '2025-06-01',
    'outside_policy_term',
    { ...TERM, earliestDate: '2025-05-02' },
  ],
  [
    'by the carrier one day short of its notice',
    { reason: 'underwriting', effectiveDate: '2025-06-30' },
    '2025-06-01',
    'notice_period_not_met',
    { earliestDate: '2025-07-01' },
  ],
  ['by the carrier with its notice', { reason: 'underwriting', effectiveDate: '2025-07-01' }, '2025-06-01', null],
  ['by the carrier for non-payment', { reason: 'non_payment', effectiveDate: '2025-06-11' }, '2025-06-01', null],
  ['by the carrier, flat', { reason: 'misrepresentation', effectiveDate: '2025-01-01' }, '2025-06-01', null],
  [
    'by the carrier as of inception, but not flat',
    { reason: 'misrepresentation', effectiveDate: '2025-01-01', method: 'pro_rata' },
    '2025-06-01',
    'notice_period_not_met',
    { earliestDate: '2025-07-01' },
  ],
];

for (const [what, request, today, code, details] of REFUSALS) {
  test(`A cancellation ${what} is ${code === null ? 'allowed' : `refused: ${code}`}`, (t) => {
    const policy = { term: TERM, state: 'WA', inForceSince: TERM.effectiveDate, today };
    const cancel = () => ensureCancellable(cancellationTerms(request, TERM, today), policy);
    if (code === null) {
      t.notThrows(cancel);
      return;
    }
    const error = t.throws(cancel, { instanceOf: DomainError });
    t.is(error?.code, code as DomainError['code']);
    t.deepEqual(error?.details, details as Record<string, unknown>);
  });
}

test('Coverage that began again after a gap cannot end before it began again', (t) => {
  const gaps = [{ from: '2025-05-27', to: '2025-06-26', premiumCents: 82_192, cancellationId: 'ptx_2', sequence: 3 }];
  const policy = { term: TERM, gaps, state: 'TX', inForceSince: TERM.effectiveDate, today: '2025-07-01' };
  const cancel = (effectiveDate: string) => () =>
    ensureCancellable(cancellationTerms({ reason: 'insured_request', effectiveDate }, TERM, policy.today), policy);
  t.notThrows(cancel('2025-06-26'));
  const error = t.throws(cancel('2025-06-25'), { instanceOf: DomainError });
  t.deepEqual(error?.details, { ...TERM, earliestDate: '2025-06-26' });
});

test('A cancellation waits for its day, save one as of inception', (t) => {
  t.true(takesEffectAtOnce({ effectiveDate: '2025-05-27' }, TERM, '2025-05-27'));
  t.true(takesEffectAtOnce({ effectiveDate: '2025-05-01' }, TERM, '2025-05-27'));
  t.false(takesEffectAtOnce({ effectiveDate: '2025-05-28' }, TERM, '2025-05-27'));
  t.true(takesEffectAtOnce({ effectiveDate: '2025-01-01' }, TERM, '2024-12-01'));
});
