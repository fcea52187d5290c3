// A change on top of a single row that replaces all endorsements, next to the same change on top of the whole stack.
import test from 'ava';
import { addDays } from '../../../domain/dates.ts';
import { type Endorsement, priceEndorsement } from '../../../domain/policy/endorsement.ts';
import { priceReversal } from '../../../domain/policy/reversal.ts';
import { projectPolicy } from '../../../domain/policy/segments.ts';
import {
  broughtForward,
  coverageGaps,
  nextSequence,
  type StackedTransaction,
  standingCancellation,
  standingRows,
} from '../../../domain/policy/stack.ts';
import { type PolicyTerms, type PricedTerms, termsIn } from '../../../domain/policy/transaction.ts';
import { fc } from '../../support/fixed/chance.ts';
import { type Given, newBusiness, row, TERM, TEXAS } from './rows.ts';

type Deed =
  | { kind: 'endorse'; day: number; changes: Partial<PolicyTerms> }
  | { kind: 'void'; which: number }
  | { kind: 'cancel'; day: number }
  | { kind: 'reinstate'; days: number }
  | { kind: 'withdraw' };

const FIRST = { annualRevenueCents: 100_000_000, limitCents: 100_000_000 } as PolicyTerms;
/** 0.3 percent of revenue, plus a quarter for a higher limit. */
const rate = ({ annualRevenueCents, limitCents }: PolicyTerms) =>
  Math.round((annualRevenueCents * 3 * (limitCents > 100_000_000 ? 5 : 4)) / 4000);
/** For a cancellation rescinded before its date, which therefore moved no money. */
const WITHDRAWN = { withdrawal: true };
/** Everything has taken effect by then. */
const FACTS = { term: TERM, basis: TEXAS, renewalPolicyId: null, today: TERM.expirationDate };

const day = fc.integer({ min: 0, max: 364 });
const changes = fc.oneof(
  fc.record({ annualRevenueCents: fc.integer({ min: 1, max: 300 }).map((hundreds) => hundreds * 1_000_100) }),
  fc.record({ limitCents: fc.constantFrom(100_000_000, 200_000_000) }),
);
/** Most deeds are endorsements, usually later than the ones before. */
const DEED: fc.Arbitrary<Deed> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('endorse' as const), day, changes }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('void' as const), which: fc.nat(20) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('cancel' as const), day }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('reinstate' as const), days: fc.integer({ min: 0, max: 60 }) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('withdraw' as const) }) },
);

/** What the policy row holds: the whole stack replayed. */
function rowOf(stack: readonly StackedTransaction[]): PricedTerms {
  const { terms, status: _status, cancellation: _cancellation, ...money } = projectPolicy(stack, FACTS);
  return { ...(terms as PolicyTerms), ...money };
}

function rated(stack: readonly StackedTransaction[]) {
  const endorsements = standingRows(stack)
    .filter(({ type }) => type === 'endorsement')
    .map((each): Endorsement<PolicyTerms> => ({ ...each, transactionId: each.id, changes: termsIn(each) }));
  return { term: TERM, gaps: coverageGaps(stack), firstTerms: FIRST, endorsements, rate };
}

/** The rows that the database loads for an in-sequence change. */
function presentRows(stack: readonly StackedTransaction[]): StackedTransaction[] {
  const endorsements = stack.filter(({ type }) => type === 'endorsement');
  const lastInEffect = endorsements.toSorted((a, b) => (a.effectiveDate < b.effectiveDate ? 1 : -1))[0];
  const kept = new Set([endorsements.at(-1), lastInEffect]);
  return stack.filter((each) => each.type !== 'endorsement' || kept.has(each));
}

function issued<Type extends StackedTransaction['type']>(stack: readonly StackedTransaction[], given: Given<Type>) {
  return row({ ...given, sequence: nextSequence(stack) });
}

function endorsed(stack: readonly StackedTransaction[], from: string, changed: Partial<PolicyTerms>) {
  const added = { transactionId: 'added', sequence: nextSequence(stack), effectiveDate: from, changes: changed };
  return priceEndorsement({ ...rated(stack), added });
}

/** The row that a deed adds, or null where the stack does not allow it. */
function next(stack: readonly StackedTransaction[], deed: Deed): StackedTransaction | null {
  const ending = standingCancellation(stack);
  if (deed.kind === 'withdraw') {
    return ending && issued(stack, { type: 'reinstatement', effectiveDate: ending.effectiveDate, changes: WITHDRAWN });
  }
  if (deed.kind === 'reinstate') {
    if (ending === null) return null;
    const effectiveDate = addDays(ending.effectiveDate, deed.days);
    if (effectiveDate >= TERM.expirationDate) return null;
    // The amount not rebilled is the price of the days without coverage.
    const premiumChangeCents = 0 - ending.premiumChangeCents - deed.days * 100;
    return issued(stack, { type: 'reinstatement', effectiveDate, premiumChangeCents });
  }
  if (deed.kind === 'cancel') {
    const method = 'pro_rata' as const;
    const said = { reason: 'insured_request' as const, source: 'insured' as const, method };
    const effectiveDate = addDays(TERM.effectiveDate, deed.day);
    return issued(stack, { type: 'cancellation', effectiveDate, premiumChangeCents: -50_000, changes: said });
  }
  if (ending !== null) return null;
  if (deed.kind === 'endorse') {
    const effectiveDate = addDays(TERM.effectiveDate, deed.day);
    const { premiumChangeCents, reapplied } = endorsed(stack, effectiveDate, deed.changes);
    return issued(stack, { type: 'endorsement', effectiveDate, premiumChangeCents, reapplied, after: deed.changes });
  }
  const voidable = standingRows(stack).filter(({ type }) => type === 'endorsement');
  const voided = voidable[deed.which % Math.max(voidable.length, 1)];
  if (voided === undefined) return null;
  const { premiumChangeCents, reapplied } = priceReversal({ ...rated(stack), voidedId: voided.id });
  const { id: reverses, effectiveDate } = voided;
  return issued(stack, { type: 'endorsement', effectiveDate, premiumChangeCents, reapplied, reverses });
}

test('a change in sequence costs to the cent the same as on top of the whole stack, whatever came before, and leaves the same policy', (t) => {
  const seen = { inSequence: 0, whole: 0 };
  fc.assert(
    fc.property(fc.array(DEED, { minLength: 1, maxLength: 40 }), day, changes, (deeds, onDay, changed) => {
      let stack: StackedTransaction[] = [newBusiness(rate(FIRST), FIRST)];
      for (const deed of deeds) stack = [...stack, next(stack, deed) ?? []].flat();
      const from = addDays(TERM.effectiveDate, onDay);
      const later = stack.filter(({ type, effectiveDate }) => type === 'endorsement' && effectiveDate > from);
      const present = broughtForward(presentRows(stack), { ...FACTS, present: rowOf(stack) }, from);
      t.is(present === null, later.length > 0 || standingCancellation(stack) !== null);
      seen[present === null ? 'whole' : 'inSequence'] += 1;
      if (present === null) return;
      t.is(nextSequence(present), nextSequence(stack));
      const [price, wanted] = [endorsed(present, from, changed), endorsed(stack, from, changed)];
      t.deepEqual(price, wanted);
      const { premiumChangeCents, reapplied } = price;
      const added = issued(stack, {
        type: 'endorsement',
        effectiveDate: from,
        premiumChangeCents,
        reapplied,
        after: changed,
      });
      // Premium, each fee and each tax, the terms, the status and the cancellation.
      t.deepEqual(projectPolicy([...present, added], FACTS), projectPolicy([...stack, added], FACTS));
    }),
    { numRuns: 1000 },
  );
  t.true(Math.min(seen.inSequence, seen.whole) > 100, JSON.stringify(seen));
});

test('many endorsements are brought forward as one row, and an announced cancellation needs all of them', (t) => {
  const first = newBusiness(rate(FIRST), FIRST);
  const ups = Array.from({ length: 500 }, (_, index) =>
    row({ type: 'endorsement', sequence: index + 2, effectiveDate: '2025-03-01', premiumChangeCents: 100 }),
  );
  const present = rowOf([first, ...ups]);
  t.is(present.grossPremiumCents, 350_000);
  const rows = broughtForward([first, ...ups.slice(-1)], { ...FACTS, present }, '2025-03-01');
  t.deepEqual(
    rows?.map(({ sequence, premiumChangeCents }) => [sequence, premiumChangeCents]),
    [
      [1, 300_000],
      [501, 50_000],
    ],
  );
  const method = 'pro_rata' as const;
  const said = { reason: 'insured_request' as const, source: 'insured' as const, method };
  const announced = row({ type: 'cancellation', sequence: 502, effectiveDate: '2025-06-01', changes: said });
  t.is(broughtForward([first, ...ups.slice(-1), announced], { ...FACTS, present }, '2025-03-01'), null);
});
