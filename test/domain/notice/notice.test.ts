// Days of notice by state.
import test from 'ava';
import { cancellationNoticeDays, earliestCarrierDate, noticeRule } from '../../../domain/notice/notice.ts';

/** Nonpayment, other while new, other later, non-renewal, number of days a policy counts as new. */
const TABLE: [state: string, ...days: number[]][] = [
  ['WA', 10, 30, 30, 60, 60],
  ['CA', 10, 30, 30, 60, 60],
  ['NY', 15, 20, 15, 60, 60],
  ['FL', 10, 20, 45, 45, 90],
  ['TX', 10, 10, 10, 60, 60],
  ['IL', 10, 30, 60, 60, 60],
  ['AL', 10, 30, 30, 60, 60],
  ['constructor', 10, 30, 30, 60, 60],
];

for (const [state, ...days] of TABLE) {
  test(`The notices of ${state} are ${days.join(', ')}`, (t) => {
    const rule = noticeRule(state);
    t.deepEqual([rule.nonPayment, rule.otherWhenNew, rule.otherLater, rule.nonRenewal, rule.newBusinessDays], days);
  });
}

test('A policy is new up to its 60th day of coverage, in Florida up to its 90th, and before it begins', (t) => {
  const days = (state: string, today: string) =>
    cancellationNoticeDays({ state, reason: 'underwriting', inForceSince: '2025-01-01', today });
  t.is(days('IL', '2024-12-15'), 30);
  t.is(days('IL', '2025-03-02'), 30);
  t.is(days('IL', '2025-03-03'), 60);
  t.is(days('FL', '2025-04-01'), 20);
  t.is(days('FL', '2025-04-02'), 45);
});

test('Fraud needs no more notice than non-payment in California, and elsewhere the notice of other reasons', (t) => {
  const earliest = (state: string, reason: string) =>
    earliestCarrierDate({ state, reason, inForceSince: '2025-01-01', today: '2025-06-01' });
  t.is(earliest('CA', 'fraud'), '2025-06-11');
  t.is(earliest('CA', 'underwriting'), '2025-07-01');
  t.is(earliest('WA', 'fraud'), '2025-07-01');
  t.is(earliest('NY', 'non_payment'), '2025-06-16');
});
