import test from 'ava';
import {
  clearingRoles,
  ensureClearable,
  ensureUnheld,
  isSamePayee,
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
  t.false(isSamePayee('Ada Guest', 'Ada Guests'));
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
