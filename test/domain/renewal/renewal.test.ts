// The next term: window, dates, notice, batch.
import test from 'ava';
import { DomainError } from '../../../domain/errors.ts';
import { ensureNonRenewable } from '../../../domain/renewal/non-renewal.ts';
import { ensureRenewable, nextTerm } from '../../../domain/renewal/renewal.ts';

test('A policy can be renewed from 90 days before expiry to 30 days after, both included', (t) => {
  for (const today of ['2025-10-03', '2026-01-01', '2026-01-31'])
    t.notThrows(() => ensureRenewable('2026-01-01', today));
  for (const today of ['2025-10-02', '2026-02-01']) {
    const error = t.throws(() => ensureRenewable('2026-01-01', today), { instanceOf: DomainError });
    t.is(error?.code, 'not_ready');
    t.deepEqual(error?.details, { earliestDate: '2025-10-03', latestDate: '2026-01-31' });
  }
});

test('The next term begins when the old one ends and lasts a year', (t) => {
  const term = { effectiveDate: '2025-01-01', expirationDate: '2026-01-01' };
  t.deepEqual(nextTerm(term), { effectiveDate: '2026-01-01', expirationDate: '2027-01-01' });
  const leap = { effectiveDate: '2023-03-01', expirationDate: '2024-03-01' };
  t.deepEqual(nextTerm(leap), { effectiveDate: '2024-03-01', expirationDate: '2025-03-01' });
});

test('A policy of 29 February ends on 28 February in common years and comes back to the 29th in leap years', (t) => {
  let term = { effectiveDate: '2024-02-29', expirationDate: '2025-02-28' };
  const ends: string[] = [];
  for (let renewals = 0; renewals < 4; renewals += 1) {
    term = nextTerm(term, { anchorDate: '2024-02-29' });
    ends.push(term.expirationDate);
  }
  t.deepEqual(ends, ['2026-02-28', '2027-02-28', '2028-02-29', '2029-02-28']);
});

test('A later start moves the term, up to 30 days after expiry; an earlier one is refused', (t) => {
  const term = { effectiveDate: '2025-01-01', expirationDate: '2026-01-01' };
  t.deepEqual(nextTerm(term, { effectiveDate: '2026-01-31' }), {
    effectiveDate: '2026-01-31',
    expirationDate: '2027-01-31',
  });
  for (const effectiveDate of ['2025-12-31', '2026-02-01']) {
    const error = t.throws(() => nextTerm(term, { effectiveDate }), { instanceOf: DomainError });
    t.is(error?.code, 'outside_policy_term');
  }
});

test('A non-renewal needs the notice of the state', (t) => {
  const policy = { state: 'TX', expirationDate: '2026-01-01' };
  t.notThrows(() => ensureNonRenewable({ ...policy, today: '2025-11-02' }));
  const error = t.throws(() => ensureNonRenewable({ ...policy, today: '2025-11-03' }), { instanceOf: DomainError });
  t.is(error?.code, 'notice_period_not_met');
  t.deepEqual(error?.details, { earliestDate: '2026-01-02' });
  t.regex(error?.message ?? '', /at least 60 days .* could expire is 2026-01-02, but it expires on 2026-01-01\./);
  t.regex(error?.message ?? '', /can still be renewed/);
  t.notThrows(() => ensureNonRenewable({ state: 'FL', expirationDate: '2026-01-01', today: '2025-11-17' }));
});
