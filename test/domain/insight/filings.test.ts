// The filings that a surplus-lines policy requires, worked out by hand from the calendar.
import test from 'ava';
import type { FilingKind } from '../../../domain/insight/filing-rules.ts';
import { filingsAtBind, rulesInForce } from '../../../domain/insight/filings.ts';
import { STATES } from '../../../domain/lines.ts';

const filings = (state: string, effectiveDate: string, issuedOn: string) =>
  filingsAtBind({ state, effectiveDate, issuedOn, environmentIsSandbox: false }).map(
    ({ kind, dueDate }) => `${kind} ${dueDate}`,
  );

const CASES: [what: string, state: string, effectiveDate: string, issuedOn: string, expected: string[]][] = [
  [
    'Florida, first quarter',
    'FL',
    '2026-01-10',
    '2026-01-05',
    ['sl_policy_filing 2026-02-08', 'sl_tax_payment 2026-05-15', 'stamping_fee 2026-05-15'],
  ],
  [
    'Florida, second quarter',
    'FL',
    '2026-06-30',
    '2026-06-01',
    ['sl_policy_filing 2026-07-29', 'sl_tax_payment 2026-08-14', 'stamping_fee 2026-08-14'],
  ],
  [
    'Florida, last quarter',
    'FL',
    '2026-12-01',
    '2026-11-21',
    ['sl_policy_filing 2026-12-30', 'sl_tax_payment 2027-02-14', 'stamping_fee 2027-02-14'],
  ],
  [
    'Texas, issued before it starts',
    'TX',
    '2026-12-01',
    '2026-11-21',
    ['sl_policy_filing 2027-01-30', 'stamping_fee 2027-01-30', 'sl_tax_payment 2027-03-01'],
  ],
  [
    'Texas, issued after it starts',
    'TX',
    '2026-11-01',
    '2026-11-21',
    ['stamping_fee 2026-12-30', 'sl_policy_filing 2027-01-20', 'sl_tax_payment 2027-03-01'],
  ],
  [
    'Texas, invoiced for January of a leap year',
    'TX',
    '2028-01-31',
    '2028-01-02',
    ['stamping_fee 2028-03-01', 'sl_policy_filing 2028-03-31', 'sl_tax_payment 2029-03-01'],
  ],
  [
    'Texas, on a leap day and issued the day after',
    'TX',
    '2028-02-29',
    '2028-03-01',
    ['sl_policy_filing 2028-04-30', 'stamping_fee 2028-04-30', 'sl_tax_payment 2029-03-01'],
  ],
  ['California', 'CA', '2026-12-01', '2026-11-21', ['sl_policy_filing 2027-01-30', 'sl_tax_payment 2027-03-01']],
  ['New York', 'NY', '2026-12-01', '2026-11-21', ['sl_policy_filing 2027-01-15', 'sl_tax_payment 2027-03-15']],
  ['Arizona, first half', 'AZ', '2026-06-30', '2026-06-01', ['sl_tax_payment 2026-08-15']],
  ['Arizona, second half', 'AZ', '2026-07-01', '2026-06-01', ['sl_tax_payment 2027-02-15']],
  ['Arkansas', 'AR', '2026-02-01', '2026-01-15', ['sl_tax_payment 2026-05-30']],
  ['Alaska, first quarter', 'AK', '2026-02-01', '2026-01-15', ['sl_tax_payment 2026-06-01']],
  ['Alaska, last quarter', 'AK', '2026-11-01', '2026-10-15', ['sl_tax_payment 2027-03-01']],
  ['Alabama', 'AL', '2026-12-01', '2026-11-21', ['diligent_search_report 2026-12-31', 'sl_tax_payment 2027-03-01']],
  ['Maine', 'ME', '2026-02-01', '2026-01-15', ['sl_tax_payment 2026-05-15']],
  ['Illinois', 'IL', '2026-02-01', '2026-01-15', ['sl_tax_payment 2026-08-14']],
  ['Iowa', 'IA', '2026-12-31', '2026-11-21', ['sl_tax_payment 2027-03-01']],
  ['Nevada, of which no deadline is known', 'NV', '2026-12-01', '2026-11-21', []],
];

for (const [what, state, effectiveDate, issuedOn, expected] of CASES) {
  test(`Filings of ${what}`, (t) => t.deepEqual(filings(state, effectiveDate, issuedOn), expected));
}

test('Sandbox policies are never reported', (t) => {
  for (const state of STATES) {
    t.deepEqual(
      filingsAtBind({ state, effectiveDate: '2026-12-01', issuedOn: '2026-11-21', environmentIsSandbox: true }),
      [],
    );
  }
});

test('No filing is due before the policy is issued, whatever the day', (t) => {
  for (const state of STATES) {
    for (const date of [
      '2026-01-01',
      '2026-02-28',
      '2026-03-31',
      '2026-06-30',
      '2026-07-01',
      '2026-12-31',
      '2028-02-29',
    ]) {
      for (const filing of filingsAtBind({ state, effectiveDate: date, issuedOn: date, environmentIsSandbox: false })) {
        t.true(filing.dueDate > date, `${state} ${date} ${filing.dueDate}`);
      }
    }
  }
});

test('the newer of two rules of a state and a kind applies from its day on, and the other kinds stay', (t) => {
  const rule = (effectiveFrom: string, days: number, kind: FilingKind = 'sl_policy_filing') => ({
    ...{ state: 'FL', kind, effectiveFrom, due: { type: 'days_from_effective' as const, days } },
  });
  const [before, tax, after] = [
    rule('1900-01-01', 29),
    rule('1900-01-01', 45, 'sl_tax_payment'),
    rule('2027-07-01', 20),
  ];
  const inForce = (effectiveDate: string) => rulesInForce([after, before, tax], { state: 'FL', effectiveDate });
  t.deepEqual(new Set(inForce('2027-06-30')), new Set([before, tax]));
  t.deepEqual(new Set(inForce('2027-07-01')), new Set([after, tax]));
});
