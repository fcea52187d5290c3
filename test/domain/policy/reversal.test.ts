// Voiding an endorsement: what it returns, what later ones are worth without it, and that nothing of it remains. The
// figures assume a term of 365 days at 10.00 a day.
import test from 'ava';
import { DomainError } from '../../../domain/errors.ts';
import type { Endorsement } from '../../../domain/policy/endorsement.ts';
import { priceReversal, voidableEndorsement } from '../../../domain/policy/reversal.ts';
import { policySegments, projectPolicy, segmentOn } from '../../../domain/policy/segments.ts';
import { type StackedTransaction, transactionStatuses } from '../../../domain/policy/stack.ts';
import { earnedPremium, premiumParts, unearnedPremium } from '../../../domain/policy/term.ts';
import { newBusiness, row, TERM, TEXAS } from './rows.ts';

interface Terms {
  annualCents: number;
  factor: number;
}

const rate = ({ annualCents, factor }: Terms) => annualCents * factor;
/** Days 100 and 200 of the term. */
const [DAY_100, DAY_200] = ['2025-04-11', '2025-07-20'];

const endorsement = (sequence: number, effectiveDate: string, changes: Partial<Terms>): Endorsement<Terms> => ({
  transactionId: `ptx_${sequence}`,
  sequence,
  effectiveDate,
  changes,
});

test('A void of 730.00 a year from day 100 on returns 530.00, and a later one is worth the same as without it', (t) => {
  const price = priceReversal({
    term: TERM,
    firstTerms: { annualCents: 365_000, factor: 1 },
    endorsements: [endorsement(2, DAY_100, { annualCents: 438_000 }), endorsement(3, DAY_200, { factor: 2 })],
    voidedId: 'ptx_2',
    rate,
  });
  // 2.00 a day for 265 days; doubled for 165 days, an increase of 12.00 a day becomes 10.00.
  t.is(price.ownPremiumChangeCents, -53_000);
  t.deepEqual(price.reapplied, [{ transactionId: 'ptx_3', premiumChangeCents: -33_000 }]);
  t.is(price.premiumChangeCents, -86_000);
  t.deepEqual(price.termsBefore, { annualCents: 438_000, factor: 1 });
  t.deepEqual(price.termsAfter, { annualCents: 365_000, factor: 1 });
  t.deepEqual(price.lastTerms, { annualCents: 365_000, factor: 2 });
});

test('The last endorsement is voided alone', (t) => {
  const price = priceReversal({
    term: TERM,
    firstTerms: { annualCents: 365_000, factor: 1 },
    endorsements: [endorsement(2, DAY_100, { annualCents: 438_000 }), endorsement(3, DAY_200, { factor: 2 })],
    voidedId: 'ptx_3',
    rate,
  });
  t.is(price.premiumChangeCents, -198_000);
  t.deepEqual(price.reapplied, []);
});

/** 530.00 from day 100 on, 1,980.00 from day 200 on, and the void of the first, issued on day 250. */
const [FIRST, LATER]: StackedTransaction[] = [
  row({
    ...{ type: 'endorsement', sequence: 2, effectiveDate: DAY_100, premiumChangeCents: 53_000 },
    after: { annualRevenueCents: 43_800_000 },
  }),
  row({
    ...{ type: 'endorsement', sequence: 3, effectiveDate: DAY_200, premiumChangeCents: 198_000 },
    after: { limitCents: 200_000_000 },
  }),
];
const VOID = row({
  ...{ type: 'endorsement', sequence: 4, effectiveDate: DAY_100, premiumChangeCents: -86_000, reverses: 'ptx_2' },
  reapplied: [{ transactionId: 'ptx_3', premiumChangeCents: -33_000 }],
  after: { annualRevenueCents: 36_500_000 },
});
const BASE = newBusiness(365_000, { annualRevenueCents: 36_500_000, limitCents: 100_000_000 });
const STACK = [BASE, FIRST, LATER, VOID] as StackedTransaction[];
/** The same policy as if the first endorsement had never existed. */
const NEVER = [BASE, row({ ...LATER, type: 'endorsement', sequence: 2, premiumChangeCents: 165_000 })];
const FACTS = { term: TERM, basis: TEXAS, renewalPolicyId: null, today: '2025-09-08' };

test('Every day after a void has the terms, and the policy the premium, that it would have had without the endorsement', (t) => {
  const project = (stack: StackedTransaction[]) => projectPolicy(stack, FACTS);
  t.deepEqual(project(STACK), project(NEVER as StackedTransaction[]));
  t.is(project(STACK).grossPremiumCents, 530_000);
  const [voided, never] = [policySegments(STACK, FACTS), policySegments(NEVER as StackedTransaction[], FACTS)];
  for (const day of ['2025-01-01', '2025-04-10', DAY_100, '2025-07-19', DAY_200, '2025-12-31']) {
    const [one, other] = [segmentOn(voided, day), segmentOn(never, day)];
    t.deepEqual(one?.terms, other?.terms, day);
  }
});

test('Every day after a void has earned, and every cancellation returns, the same as without the endorsement', (t) => {
  for (const on of ['2025-03-01', '2025-05-03', '2025-07-29', '2025-11-11']) {
    const facts = { on, today: FACTS.today };
    t.deepEqual(earnedPremium(STACK, TERM, facts), earnedPremium(NEVER as StackedTransaction[], TERM, facts));
    const back = (stack: StackedTransaction[]) => unearnedPremium(premiumParts(stack), on, { term: TERM, gaps: [] });
    t.is(back(STACK), back(NEVER as StackedTransaction[]));
  }
});

test('A voided endorsement is reversed, and neither it, its void nor any other transaction can be voided', (t) => {
  t.deepEqual(
    [...transactionStatuses(STACK, TERM, FACTS.today).values()],
    [...['issued', 'reversed', 'issued', 'issued']],
  );
  t.is(voidableEndorsement(STACK, 'ptx_3').id, 'ptx_3');
  const refused = (id: string) => t.throws(() => voidableEndorsement(STACK, id), { instanceOf: DomainError });
  t.is(refused('ptx_9')?.code, 'not_found');
  for (const [id, from] of [
    ['ptx_1', 'new_business'],
    ['ptx_2', 'reversed'],
    ['ptx_4', 'reversed'],
  ]) {
    const error = refused(id!);
    t.is(error?.code, 'invalid_state_transition');
    t.deepEqual(error?.details, { resource: 'transaction', from, action: 'void', allowed: [] });
  }
});
