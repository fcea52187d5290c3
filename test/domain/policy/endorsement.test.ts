// The price of a midterm change, in sequence and out of sequence.
import test from 'ava';
import { addDays } from '../../../domain/dates.ts';
import { DomainError } from '../../../domain/errors.ts';
import { type Endorsement, priceEndorsement, proRataChange } from '../../../domain/policy/endorsement.ts';
import { fc } from '../../support/fixed/chance.ts';
import { TERM } from './rows.ts';

interface Terms {
  revenueCents: number;
  factor: number;
}

/** 1 percent of revenue times the factor: changes to both do not simply add up. */
const rate = ({ revenueCents, factor }: Terms) => (revenueCents / 100) * factor;
const FIRST: Terms = { revenueCents: 100_000_000, factor: 1 };

const endorsement = (sequence: number, effectiveDate: string, changes: Partial<Terms>): Endorsement<Terms> => ({
  transactionId: `ptx_${sequence}`,
  sequence,
  effectiveDate,
  changes,
});

test('1,200.00 more a year on day 100 of 365 costs 871.23, and 1,200.00 less returns as much', (t) => {
  t.is(proRataChange(120_000, { term: TERM, from: '2025-04-11' }), 87_123);
  t.is(proRataChange(-120_000, { term: TERM, from: '2025-04-11' }), -87_123);
});

test('An endorsement in sequence is priced on top of those before it and reapplies none', (t) => {
  const price = priceEndorsement({
    term: TERM,
    firstTerms: FIRST,
    endorsements: [endorsement(2, '2025-04-11', { revenueCents: 112_000_000 })],
    added: endorsement(3, '2025-05-27', { factor: 2 }),
    rate,
  });
  t.is(price.annualBeforeCents, 1_120_000);
  t.is(price.annualAfterCents, 2_240_000);
  // 11,200.00 × 219 / 365.
  t.is(price.premiumChangeCents, 672_000);
  t.deepEqual(price.reapplied, []);
  t.deepEqual(price.termsBefore, { revenueCents: 112_000_000, factor: 1 });
  t.deepEqual(price.lastTerms, { revenueCents: 112_000_000, factor: 2 });
});

test('The later endorsements are applied again after one out of sequence, and the sum is the same as in sequence', (t) => {
  const price = priceEndorsement({
    term: TERM,
    firstTerms: FIRST,
    endorsements: [endorsement(2, '2025-05-27', { factor: 2 })],
    added: endorsement(3, '2025-04-11', { revenueCents: 112_000_000 }),
    rate,
  });
  // Alone 1,200.00 × 265 / 365 = 871.23; doubling it from day 146 on costs another 1,200.00 × 219 / 365 = 720.00.
  t.is(price.ownPremiumChangeCents, 87_123);
  t.deepEqual(price.reapplied, [{ transactionId: 'ptx_2', premiumChangeCents: 72_000 }]);
  t.is(price.premiumChangeCents, 159_123);
  t.is(600_000 + price.premiumChangeCents, 87_123 + 672_000);
  t.deepEqual(price.termsAfter, { revenueCents: 112_000_000, factor: 1 });
  t.deepEqual(price.lastTerms, { revenueCents: 112_000_000, factor: 2 });
});

test('A later endorsement of the same field stays in force, and offsets the cost of the earlier day', (t) => {
  const price = priceEndorsement({
    term: TERM,
    firstTerms: FIRST,
    endorsements: [endorsement(2, '2025-05-27', { revenueCents: 112_000_000 })],
    added: endorsement(3, '2025-04-11', { revenueCents: 150_000_000 }),
    rate,
  });
  // 5,000.00 × 265 / 365 for the days from day 100 on; reversed from day 146 on: −5,000.00 × 219 / 365.
  t.is(price.ownPremiumChangeCents, 363_014);
  t.deepEqual(price.reapplied, [{ transactionId: 'ptx_2', premiumChangeCents: -300_000 }]);
  t.deepEqual(price.lastTerms, { revenueCents: 112_000_000, factor: 1 });
});

test('The later issued of two endorsements of one day comes on top', (t) => {
  const price = priceEndorsement({
    term: TERM,
    firstTerms: FIRST,
    endorsements: [endorsement(2, '2025-05-27', { revenueCents: 112_000_000 })],
    added: endorsement(3, '2025-05-27', { revenueCents: 90_000_000 }),
    rate,
  });
  t.is(price.annualBeforeCents, 1_120_000);
  t.deepEqual(price.reapplied, []);
  t.deepEqual(price.lastTerms, { revenueCents: 90_000_000, factor: 1 });
});

test('The days of a gap in coverage are not charged', (t) => {
  const gaps = [{ from: '2025-05-27', to: '2025-06-26', premiumCents: 82_192, cancellationId: 'ptx_2', sequence: 3 }];
  // 235 of 365 days: 772.60.
  t.is(proRataChange(120_000, { term: TERM, gaps, from: '2025-04-11' }), 77_260);
});

test('An endorsement outside the term is refused', (t) => {
  for (const day of ['2024-12-31', '2026-01-01']) {
    const order = { term: TERM, firstTerms: FIRST, endorsements: [], added: endorsement(2, day, { factor: 2 }), rate };
    const error = t.throws(() => priceEndorsement(order), { instanceOf: DomainError });
    t.is(error?.code, 'outside_policy_term');
    t.deepEqual(error?.details, TERM);
  }
});

const STACK = fc.array(
  fc.record({
    day: fc.integer({ min: 0, max: 364 }),
    changes: fc.oneof(
      fc.record({ revenueCents: fc.integer({ min: 1, max: 300 }).map((hundreds) => hundreds * 1_000_100) }),
      fc.record({ factor: fc.integer({ min: 1, max: 4 }) }),
    ),
  }),
  { minLength: 1, maxLength: 40 },
);

/** What all endorsements together are worth: each rated, in date order, on top of those before it. */
function worthOfAll(stack: readonly Endorsement<Terms>[]): number {
  const inOrder = stack.toSorted((a, b) => a.effectiveDate.localeCompare(b.effectiveDate) || a.sequence - b.sequence);
  let [terms, cents] = [FIRST, 0];
  for (const { changes, effectiveDate: from } of inOrder) {
    const next = { ...terms, ...changes };
    cents += proRataChange(rate(next) - rate(terms), { term: TERM, from });
    terms = next;
  }
  return cents;
}

test('a change costs the difference of rating the whole stack, whatever came before, and rates no more than it moves', (t) => {
  fc.assert(
    fc.property(STACK, (drawn) => {
      const all = drawn.map(({ day, changes }, i) => endorsement(i + 2, addDays(TERM.effectiveDate, day), changes));
      const [added, endorsements] = [all.at(-1), all.slice(0, -1)];
      if (added === undefined) return;
      let ratings = 0;
      const counted = (terms: Terms) => {
        ratings += 1;
        return rate(terms);
      };
      const price = priceEndorsement({ term: TERM, firstTerms: FIRST, endorsements, added, rate: counted });
      t.is(price.premiumChangeCents, worthOfAll(all) - worthOfAll(endorsements));
      const later = endorsements.filter(({ effectiveDate }) => effectiveDate > added.effectiveDate);
      t.deepEqual(
        price.reapplied.map(({ transactionId }) => transactionId).sort(),
        later.map((each) => each.transactionId).sort(),
      );
      t.true(ratings <= 3 + 2 * later.length, `${ratings} ratings for ${later.length} later changes`);
    }),
  );
});
