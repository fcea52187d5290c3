import test from 'ava';
import {
  clearingRoles,
  ensureClearable,
  ensureUnheld,
  isSamePayee,
  standingMatches,
  unclearedMatches,
} from '../../../domain/claim/payee-hold.ts';
import { DomainError } from '../../../domain/errors.ts';

const VOLKOV = { entryId: 'snc_1', name: 'Volkov Trading House', program: 'SDN', score: 100 };

test('a clearance covers only the entries that were shown: another entry, name or program is not cleared', (t) => {
  t.deepEqual(unclearedMatches([VOLKOV], []), [VOLKOV]);
  t.deepEqual(unclearedMatches([VOLKOV], [{ ...VOLKOV, score: 90 }]), []);
  for (const change of [{ entryId: 'snc_2' }, { name: 'Volkov Trade House' }, { program: 'UKR' }]) {
    const found = { ...VOLKOV, ...change };
    t.deepEqual(unclearedMatches([VOLKOV, found], [VOLKOV]), [found]);
  }
});

test('payees with the same words in their name are the same, whatever the case and punctuation', (t) => {
  t.true(isSamePayee('Ada Guest', 'ADA GUEST.'));
  for (const other of ['Ada Guests', 'Guest Ada', 'Ada Guest LLC', 'Áda Guest']) {
    t.false(isSamePayee('Ada Guest', other), other);
  }
  t.false(isSamePayee('Acme LLC', 'Acme Ltd'));
  t.true(isSamePayee('شركة النور', 'شركة النور.'));
  t.false(isSamePayee('***', '---'), 'without letters only the very same name is the same');
});

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
