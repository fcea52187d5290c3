// When the people who may decide a referral are reminded, and when it expires.
import test from 'ava';
import { newReferralCalendar, turnReferral } from '../../../domain/authority/referral-calendar.ts';

test('a referral is recalled after 3, 7 and 12 days and ends after 14, each once', (t) => {
  let calendar = newReferralCalendar('2026-03-01');
  t.deepEqual(calendar, { expiresOn: '2026-03-15', nextStepOn: '2026-03-04' });
  t.is(turnReferral(calendar, '2026-03-03'), null);
  for (const [day, daysLeft, nextStepOn] of [
    ['2026-03-04', 11, '2026-03-08'],
    ['2026-03-08', 7, '2026-03-13'],
    ['2026-03-13', 2, '2026-03-15'],
  ] as const) {
    t.deepEqual(turnReferral(calendar, day), { kind: 'reminded', daysLeft, nextStepOn });
    calendar = { ...calendar, nextStepOn };
    t.is(turnReferral(calendar, day), null);
  }
  t.is(turnReferral(calendar, '2026-03-14'), null);
  t.deepEqual(turnReferral(calendar, '2026-03-15'), { kind: 'expired', daysLeft: 0 });
});

test('days that were missed make one reminder, and a late end is an end', (t) => {
  const calendar = newReferralCalendar('2026-03-01');
  t.deepEqual(turnReferral(calendar, '2026-03-10'), { kind: 'reminded', daysLeft: 5, nextStepOn: '2026-03-13' });
  t.deepEqual(turnReferral(calendar, '2026-04-01'), { kind: 'expired', daysLeft: -17 });
});
