// The premium audit, by hand: a year of 365 days, 4.00 per thousand of revenue.
import test from 'ava';
import { DomainError } from '../../../domain/errors.ts';
import { type AuditedSegment, auditPremium, ensureAuditable, ensureNotAudited } from '../../../domain/policy/audit.ts';
import type { PolicyStatus } from '../../../domain/policy/policy.ts';
import { policySegments, projectPolicy } from '../../../domain/policy/segments.ts';
import type { StackedTransaction } from '../../../domain/policy/stack.ts';
import { earnedPremium } from '../../../domain/policy/term.ts';
import { newBusiness, row, TERM, TEXAS } from './rows.ts';

interface Terms {
  revenueCents: number;
  factor: number;
}
const rateOf = ({ revenueCents, factor }: Terms) => Math.round((revenueCents * 4 * factor) / 1000);
const rates = (revenueCents: number) => ({
  charged: rateOf,
  actual: (terms: Terms) => rateOf({ ...terms, revenueCents }),
});
const MILLION = 100_000_000;
const audited = (segments: AuditedSegment<Terms>[], actualCents: number) =>
  auditPremium(TERM, segments, rates(actualCents));
const segment = (
  from: string,
  to: string,
  { status = 'active' as PolicyStatus, revenueCents = MILLION, factor = 1 } = {},
): AuditedSegment<Terms> => ({ from, to, status, terms: { revenueCents, factor } });

test('a whole year with a quarter more revenue costs a quarter more, with less it returns the difference', (t) => {
  const year = [segment('2025-01-01', '2026-01-01')];
  // 1,250,000 at 4.00 per thousand is 5,000.00, against 4,000.00 estimated; 900,000 is 3,600.00.
  t.is(audited(year, 125_000_000), 100_000);
  t.is(audited(year, 90_000_000), -40_000);
  t.is(audited(year, MILLION), 0);
});

test('each segment is rated with its own terms for its own days, and the term is rounded once', (t) => {
  // 181 days at 1.0 and 184 at 1.3, of 1,000,000 estimated and then 1,200,000: the actual figure is 1,250,000.
  const segments = [
    segment('2025-01-01', '2025-07-01'),
    segment('2025-07-01', '2026-01-01', { revenueCents: 120_000_000, factor: 1.3 }),
  ];
  // 1,000.00 × 181 / 365 = 495.8904 and (6,500.00 − 6,240.00) × 184 / 365 = 131.0685, together 626.9589.
  t.is(audited(segments, 125_000_000), 62_696);
});

test('only days in force count: not those after a cancellation, nor those of a gap', (t) => {
  const cancelled = [
    segment('2025-01-01', '2025-05-27', { status: 'pending_cancellation' }),
    segment('2025-05-27', '2026-01-01', { status: 'cancelled' }),
  ];
  // 146 of 365 days is 0.4.
  t.is(audited(cancelled, 125_000_000), 40_000);
  const gap = [
    segment('2025-01-01', '2025-03-15'),
    segment('2025-03-15', '2025-05-27', { status: 'lapsed' }),
    segment('2025-05-27', '2026-01-01'),
  ];
  // A gap of 73 days is 0.2 of the year.
  t.is(audited(gap, 90_000_000), -32_000);
});

test('a term is audited from its expiration date on, however its policy ended, and once', (t) => {
  const refusal = (status: PolicyStatus, today: string, stack: StackedTransaction[] = [], isFlat = false) => {
    const facts = { status, expirationDate: '2026-01-01', isFlat };
    const error = t.throws(() => ensureAuditable(facts, stack, today), { instanceOf: DomainError });
    return [error?.code, error?.details];
  };
  for (const status of ['expired', 'renewed', 'cancelled', 'lapsed'] as const) {
    const facts = { status, expirationDate: '2026-01-01', isFlat: false };
    t.notThrows(() => ensureAuditable(facts, [newBusiness(1)], '2026-01-01'), status);
  }
  const early = { missing: [], blockers: ['TERM_NOT_ENDED'], earliestDate: '2026-01-01' };
  for (const status of ['active', 'cancelled', 'pending_cancellation'] as const) {
    t.deepEqual(refusal(status, '2025-12-31'), ['not_ready', early]);
  }
  t.deepEqual(refusal('active', '2026-01-01'), ['not_ready', early]);
  const audit = row({ type: 'audit', sequence: 2 });
  t.deepEqual(refusal('expired', '2026-01-02', [newBusiness(1), audit]), [
    'already_exists',
    { transactionId: 'ptx_2' },
  ]);
  const never = { missing: [], blockers: ['NEVER_IN_FORCE'] };
  t.deepEqual(refusal('cancelled', '2026-01-02', [newBusiness(1)], true), ['not_ready', never]);
});

test('an audited term is not reinstated', (t) => {
  t.notThrows(() => ensureNotAudited([newBusiness(1)]));
  const error = t.throws(() => ensureNotAudited([newBusiness(1), row({ type: 'audit', sequence: 2 })]), {
    instanceOf: DomainError,
  });
  t.like(error, { code: 'not_ready', details: { missing: [], blockers: ['AUDITED'] } });
});

test('audit premium is written and earned with the term, and leaves its terms as they were', (t) => {
  const stack = [
    newBusiness(400_000, { annualRevenueCents: MILLION }),
    row({
      type: 'audit',
      sequence: 2,
      issuedOn: '2026-01-20',
      premiumChangeCents: 100_000,
      changes: { actualRevenueCents: 125_000_000 },
    }),
  ];
  const today = '2026-01-20';
  t.deepEqual(earnedPremium(stack, TERM, { on: today, today }), {
    writtenCents: 500_000,
    earnedCents: 500_000,
    unearnedCents: 0,
  });
  const [whole, ...more] = policySegments(stack, { term: TERM, renewalPolicyId: null });
  t.deepEqual(more, []);
  t.like(whole, { terms: { annualRevenueCents: MILLION } });
  const facts = { term: TERM, basis: TEXAS, renewalPolicyId: null, today };
  t.is(projectPolicy(stack, facts).grossPremiumCents, 500_000);
});
