// The grounds on which a carrier may cancel a policy that is no longer new: NY Ins. Law 3426, TX Ins. Code 551.052.
import test from 'ava';
import { DomainError } from '../../../domain/errors.ts';
import { CANCELLATION_REASONS, type CancellationReason } from '../../../domain/policy/cancellation-words.ts';
import { ensureListedGround } from '../../../domain/policy/listed-grounds.ts';

const POLICY = {
  state: 'NY',
  term: { effectiveDate: '2027-01-01' },
  inForceSince: '2027-01-01',
  isRenewal: false,
  // The 61st day after the first.
  today: '2027-03-03',
};
const byCarrier = (reason: CancellationReason) => ({ reason, source: 'carrier' }) as const;
const allowed = (policy: typeof POLICY) =>
  CANCELLATION_REASONS.filter((reason) => {
    try {
      ensureListedGround(byCarrier(reason), policy);
      return true;
    } catch {
      return false;
    }
  });

test('a carrier cancels in New York and Texas after 60 days for the listed grounds only, elsewhere for any', (t) => {
  const listed = ['non_payment', 'misrepresentation', 'fraud', 'increase_in_hazard'];
  t.deepEqual(allowed(POLICY), listed as CancellationReason[]);
  t.deepEqual(allowed({ ...POLICY, state: 'TX' }), [...listed, 'loss_of_reinsurance'] as CancellationReason[]);
  t.deepEqual(allowed({ ...POLICY, state: 'CA' }), [...CANCELLATION_REASONS]);
});

test('the 60th day in force is the last one for any reason', (t) => {
  t.deepEqual(allowed({ ...POLICY, today: '2027-03-02' }), [...CANCELLATION_REASONS]);
  t.not(allowed(POLICY).length, CANCELLATION_REASONS.length);
});

test('a renewal term is beyond the first 60 days from its first day, not before it', (t) => {
  const renewal = { ...POLICY, isRenewal: true, today: '2027-01-01' };
  t.false(allowed(renewal).includes('underwriting'));
  t.true(allowed({ ...renewal, inForceSince: '2026-01-01', today: '2026-12-31' }).includes('underwriting'));
});

test('an insured cancels for any reason on any day', (t) => {
  for (const reason of CANCELLATION_REASONS) {
    t.notThrows(() => ensureListedGround({ reason, source: 'insured' }, POLICY), reason);
  }
});

test('the refusal names the reason and those that are allowed', (t) => {
  const error = t.throws(() => ensureListedGround(byCarrier('underwriting'), POLICY), { instanceOf: DomainError });
  t.is(error?.code, 'not_ready');
  t.deepEqual(error?.details, {
    missing: [],
    blockers: ['REASON_NOT_LISTED'],
    state: 'NY',
    reason: 'underwriting',
    allowedReasons: ['non_payment', 'misrepresentation', 'fraud', 'increase_in_hazard'],
  });
});
