// Delegated authority lent to a deputy: on which days, and how far authority lent by others reaches, compared with a
// slow model.
import test from 'ava';
import { delegationStatus, ensureEndable, ensurePeriod } from '../../../domain/authority/delegation.ts';
import { DomainError } from '../../../domain/errors.ts';
import { ACTIONS, type Actor, type Lender, lenderOf, may, mayCoarse } from '../../../domain/permissions.ts';
import { fc } from '../../support/fixed/chance.ts';
import { anyActor, anyRow } from '../any-permission.ts';

const NEVER_ENDED = { startsOn: '2026-03-02', endsOn: '2026-03-05', endedAt: null };

test('a delegation holds from its first day to its last, both included, unless it is ended', (t) => {
  const days = ['2026-03-01', '2026-03-02', '2026-03-05', '2026-03-06'];
  t.deepEqual(
    days.map((day) => delegationStatus(NEVER_ENDED, day)),
    ['planned', 'active', 'active', 'ended'],
  );
  const ended = { ...NEVER_ENDED, endedAt: new Date(0) };
  t.deepEqual(new Set(days.map((day) => delegationStatus(ended, day))), new Set(['ended']));
  t.notThrows(() => ensureEndable(NEVER_ENDED, '2026-03-05'));
  for (const [over, day] of [
    [ended, '2026-03-02'],
    [NEVER_ENDED, '2026-03-06'],
  ] as const) {
    const error = t.throws(() => ensureEndable(over, day), { instanceOf: DomainError });
    t.is(error?.code, 'invalid_state_transition');
  }
});

test('a period begins today or later, ends on or after its first day, and has 92 days at most', (t) => {
  const today = '2026-03-01';
  t.notThrows(() => ensurePeriod({ from: today, to: today }, today));
  // March has 31 days, April 30, May 31: together 92.
  t.notThrows(() => ensurePeriod({ from: today, to: '2026-05-31' }, today));
  for (const [from, to, field, rule] of [
    ['2026-02-28', '2026-03-02', 'from', 'min'],
    ['2026-03-02', '2026-03-01', 'to', 'min'],
    ['2026-03-01', '2026-06-01', 'to', 'max'],
  ] as const) {
    const error = t.throws(() => ensurePeriod({ from, to }, today), { instanceOf: DomainError });
    t.like(error?.details, { field, rule });
  }
});

const anyLender: fc.Arbitrary<Lender> = anyActor.map(({ id, role, authority }) => ({
  id: `${id}_away`,
  role,
  authority,
}));
const LENT = ['referral:decide', 'policy:endorse', 'policy:renew'];

/** What a deputy may do with their own and others' authority, one question after another. */
function slowMay(deputy: Actor, lenders: readonly Lender[], action: (typeof ACTIONS)[number], row: object): boolean {
  const facts = row as Parameters<typeof may>[2];
  if (may(deputy, action, facts)) return true;
  if (!LENT.includes(action) || !mayCoarse(deputy, action)) return false;
  if (action === 'referral:decide' && [facts.requestedBy].flat().includes(deputy.id)) return false;
  return lenders.some((lender) => may({ ...deputy, ...lender }, action, facts));
}

test('a deputy may decide only what they or a lender may decide, and nothing that either requested', (t) => {
  const requested = fc.record({
    requestedBy: fc.constantFrom('usr_1', 'usr_1_away', 'usr_2', ['usr_2', 'usr_2_away']),
  });
  let lent = 0;
  fc.assert(
    fc.property(anyActor, fc.array(anyLender, { maxLength: 3 }), anyRow, requested, (actor, lenders, risk, by) => {
      const deputy = { ...actor, kind: 'user' as const };
      const { alsoNeeds: _, ...facts } = risk;
      const row = { ...facts, ...by, containsPhi: false };
      return ACTIONS.every((action) => {
        const used = lenderOf({ ...deputy, lenders }, action, row);
        const allowed = may({ ...deputy, lenders }, action, row);
        if (used !== null && allowed) lent += 1;
        return allowed === slowMay(deputy, lenders, action, row) && (used === null || lenders.includes(used));
      });
    }),
    { numRuns: 3_000 },
  );
  t.true(lent > 0);
});
