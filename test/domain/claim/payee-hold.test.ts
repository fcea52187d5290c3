import test from 'ava';
import { clearingRoles, ensureClearable, ensureUnheld, standingMatches } from '../../../domain/claim/payee-hold.ts';
import { DomainError } from '../../../domain/errors.ts';

const VOLKOV = { entryId: 'snc_1', name: 'Volkov Trading House', program: 'SDN', score: 100 };

test('an entry off the list is still to be cleared; a clearance covers the entries it has seen, listed or not', (t) => {
  const moved = { ...VOLKOV, entryId: 'snc_2' };
  const held = { matches: [VOLKOV], clearedOn: null };
  t.deepEqual(standingMatches([], []), []);
  t.deepEqual(standingMatches([], [held, held]), [VOLKOV]);
  t.deepEqual(standingMatches([moved, VOLKOV], [held]), [moved, VOLKOV]);
  const cleared = { ...held, clearedOn: '2026-03-02' };
  t.deepEqual(standingMatches([moved, VOLKOV], [held, cleared]), [moved]);
});

test('a payee on a list is not paid; the refusal gives the reason', (t) => {
  t.notThrows(() => ensureUnheld([]));
  const error = t.throws(() => ensureUnheld([VOLKOV]), { instanceOf: DomainError }) as DomainError;
  t.is(error.code, 'not_ready');
  t.deepEqual(error.details, { missing: [], blockers: ['SANCTIONS_REVIEW'] });
});

test('compliance clears a payee, except where the name is protected; nobody clears one twice', (t) => {
  t.deepEqual(clearingRoles(false), ['org_admin', 'compliance_officer']);
  t.deepEqual(clearingRoles(true), ['org_admin']);
  t.notThrows(() => ensureClearable(null));
  t.like(
    t.throws(() => ensureClearable('2026-03-02')),
    { code: 'invalid_state_transition' },
  );
});
