// Deadlines at the end of a term: notice of non-renewal, and notice to FMCSA, counted by hand.
import test from 'ava';
import { reopenedDeadline } from '../../../domain/insight/deadlines.ts';
import { fmcsaNoticeDue, motorCoverageEndsOn } from '../../../domain/insight/fmcsa-notice.ts';
import { nonRenewalNoticeDue, nonRenewalNoticeStanding } from '../../../domain/insight/nonrenewal-notice.ts';

const DUE: [state: string, expirationDate: string, lastDay: string][] = [
  ['TX', '2027-03-01', '2026-12-31'],
  // The 60 days include the 29 days of February.
  ['TX', '2028-03-01', '2028-01-01'],
  ['IL', '2028-04-29', '2028-02-29'],
  ['FL', '2027-01-15', '2026-12-01'],
  ['FL', '2028-04-14', '2028-02-29'],
  // No row for this state: 60 days.
  ['NV', '2027-04-30', '2027-03-01'],
];

for (const [state, expirationDate, lastDay] of DUE) {
  test(`notice that a term in ${state} to ${expirationDate} is not renewed is in time up to ${lastDay}`, (t) => {
    t.is(nonRenewalNoticeDue({ state, expirationDate }), lastDay);
  });
}

test('notice meets its deadline, and a term that has ended or is renewed needs none; one that only may end does', (t) => {
  const standing = (status: Parameters<typeof nonRenewalNoticeStanding>[0]['status'], next: string | null = null) =>
    nonRenewalNoticeStanding({ status, renewalPolicyId: next, nonRenewal: null });
  for (const status of ['pending', 'active', 'pending_cancellation', 'expired'] as const)
    t.is(standing(status), 'open');
  for (const status of ['cancelled', 'lapsed', 'renewed'] as const) t.is(standing(status), 'withdrawn');
  t.is(standing('active', 'pol_2'), 'withdrawn');
  const given = { renewalPolicyId: null, nonRenewal: { reason: 'The line is given up.' } };
  t.is(nonRenewalNoticeStanding({ status: 'active', ...given }), 'filed');
});

test('FMCSA has the notice 30 days before coverage ends, today where that is too late, and none of a term that never began', (t) => {
  const due = (endsOn: string, today: string, effectiveDate = '2027-06-01') =>
    fmcsaNoticeDue({ endsOn, effectiveDate }, today);
  t.is(due('2028-03-30', '2028-01-15'), '2028-02-29');
  t.is(due('2027-12-31', '2027-12-01'), '2027-12-01');
  t.is(due('2027-12-31', '2027-12-02'), '2027-12-02');
  t.is(due('2027-12-31', '2028-01-05'), '2028-01-05');
  t.is(due('2027-06-01', '2027-05-31'), null);
  t.is(due('2027-06-01', '2027-06-01'), '2027-06-01');
});

test('coverage of a motor carrier ends by a cancellation, else by notice of non-renewal; that of nobody else counts', (t) => {
  const expirationDate = '2028-01-01';
  const carrier = { lineOfBusiness: 'CA', usdotNumber: '1234567', expirationDate };
  const cancellation = { effectiveDate: '2027-09-09' };
  const nonRenewal = { reason: 'The line is given up.' };
  t.is(motorCoverageEndsOn({ ...carrier, cancellation: null, nonRenewal: null }), null);
  t.is(motorCoverageEndsOn({ ...carrier, cancellation: null, nonRenewal }), expirationDate);
  t.is(motorCoverageEndsOn({ ...carrier, cancellation, nonRenewal }), '2027-09-09');
  t.is(motorCoverageEndsOn({ ...carrier, usdotNumber: null, cancellation, nonRenewal }), null);
  t.is(motorCoverageEndsOn({ ...carrier, lineOfBusiness: 'GL', cancellation, nonRenewal }), null);
});

test('a deadline that is open again for the same day is not announced twice; for another day it is announced again', (t) => {
  const former = { dueDate: '2027-03-31', announcedDays: [30], missedOn: null };
  t.deepEqual(reopenedDeadline(former, '2027-03-31'), { ...former, nextStepOn: '2027-03-24' });
  const moved = { dueDate: '2027-04-30', announcedDays: [], missedOn: null, nextStepOn: '2027-03-31' };
  t.deepEqual(reopenedDeadline(former, '2027-04-30'), moved);
});
