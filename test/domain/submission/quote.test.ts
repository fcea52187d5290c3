// Installments, a quote's total and how long it is valid.
import test from 'ava';
import { DEFAULT_RATE_TABLES } from '../../../db/defaults/rate-tables.ts';
import { installmentSchedule } from '../../../domain/billing/installments.ts';
import { addDays } from '../../../domain/dates.ts';
import { INSTALLMENT_PLANS, STATES } from '../../../domain/lines.ts';
import { sumCents } from '../../../domain/money.ts';
import { isQuoteExpired, priceQuote, quoteExpiry } from '../../../domain/submission/quote.ts';
import { fc } from '../../support/fixed/chance.ts';
import { surplusLinesRates } from './surplus-lines-rates.ts';

const amounts = (schedule: { amountCents: number }[]) => schedule.map((installment) => installment.amountCents);
const dates = (schedule: { dueDate: string }[]) => schedule.map((installment) => installment.dueDate);

function price(
  state: string,
  effectiveDate = '2026-12-01',
  issuedOn = '2026-11-21',
  table = DEFAULT_RATE_TABLES[0]?.table,
) {
  const rates = surplusLinesRates(state, effectiveDate);
  if (table === undefined) throw new Error('no rates');
  const input = {
    naicsCode: '722511',
    annualRevenueCents: 100_000_000,
    requestedLimitCents: 100_000_000,
    deductibleCents: 0,
    lossesLast5Years: 1,
    state,
  };
  return priceQuote({ input, table, rates, issuedOn, effectiveDate });
}

test('The check of the contract: 3,990.00 + 195.00 + 202.97 + 1.67 = 4,389.64', (t) => {
  const quote = price('TX');
  t.is(quote.premiumCents, 399_000);
  t.deepEqual(quote.fees, [{ code: 'POLICY_FEE', amountCents: 19_500 }]);
  t.deepEqual(quote.taxes, [
    { code: 'SL_TAX', rate: 0.0485, amountCents: 20_297 },
    { code: 'STAMPING_FEE', rate: 0.0004, amountCents: 167 },
  ]);
  t.is(quote.totalDueCents, 438_964);
  t.is(quote.expiresOn, '2026-12-01');
});

test('Its ten monthly installments are 798.64 and nine times 399.00', (t) => {
  const option = price('TX').installmentOptions.find(({ plan }) => plan === 'MONTHLY_10');
  t.deepEqual(amounts(option?.schedule ?? []), [79_864, ...Array(9).fill(39_900)]);
  t.deepEqual(dates(option?.schedule ?? []), [
    ...['2026-12-01', '2027-01-01', '2027-02-01', '2027-03-01', '2027-04-01'],
    ...['2027-05-01', '2027-06-01', '2027-07-01', '2027-08-01', '2027-09-01'],
  ]);
});

test('A quote offers every plan', (t) => {
  t.deepEqual(
    price('TX').installmentOptions.map(({ plan, schedule }) => [plan, schedule.length]),
    [
      ['PAY_IN_FULL', 1],
      ['SEMI_ANNUAL_2', 2],
      ['QUARTERLY_4', 4],
      ['MONTHLY_10', 10],
      ['MONTHLY_12', 12],
    ],
  );
});

test('The premium 12,000.05 in ten parts is 1,200.05 and nine times 1,200.00', (t) => {
  const order = {
    plan: 'MONTHLY_10',
    premiumCents: 1_200_005,
    feeCents: 0,
    taxCents: 0,
    anchorDate: '2026-01-15',
  } as const;
  t.deepEqual(amounts(installmentSchedule(order)), [120_005, ...Array(9).fill(120_000)]);
});

test('Fee and taxes are on the first installment alone', (t) => {
  const schedule = installmentSchedule({
    plan: 'QUARTERLY_4',
    premiumCents: 100_001,
    feeCents: 19_500,
    taxCents: 5_000,
    anchorDate: '2026-01-15',
  });
  t.deepEqual(schedule, [
    { number: 1, dueDate: '2026-01-15', premiumCents: 25_001, feeCents: 19_500, taxCents: 5_000, amountCents: 49_501 },
    { number: 2, dueDate: '2026-04-15', premiumCents: 25_000, feeCents: 0, taxCents: 0, amountCents: 25_000 },
    { number: 3, dueDate: '2026-07-15', premiumCents: 25_000, feeCents: 0, taxCents: 0, amountCents: 25_000 },
    { number: 4, dueDate: '2026-10-15', premiumCents: 25_000, feeCents: 0, taxCents: 0, amountCents: 25_000 },
  ]);
});

test('Due dates keep the day of the anchor where the month has it: 31 January, 28 February, 31 March', (t) => {
  const order = { premiumCents: 120_000, feeCents: 0, taxCents: 0, anchorDate: '2026-01-31' } as const;
  t.deepEqual(dates(installmentSchedule({ ...order, plan: 'MONTHLY_12' })), [
    ...['2026-01-31', '2026-02-28', '2026-03-31', '2026-04-30', '2026-05-31', '2026-06-30'],
    ...['2026-07-31', '2026-08-31', '2026-09-30', '2026-10-31', '2026-11-30', '2026-12-31'],
  ]);
  t.deepEqual(dates(installmentSchedule({ ...order, plan: 'SEMI_ANNUAL_2' })), ['2026-01-31', '2026-07-31']);
});

test('No installment falls due before the bind: the first due date is the later of effective date and bind', (t) => {
  const order = {
    plan: 'QUARTERLY_4',
    premiumCents: 120_000,
    feeCents: 0,
    taxCents: 0,
    anchorDate: '2026-01-31',
  } as const;
  t.deepEqual(dates(installmentSchedule({ ...order, notBefore: '2026-02-10' })), [
    '2026-02-10',
    '2026-04-30',
    '2026-07-31',
    '2026-10-31',
  ]);
  t.deepEqual(dates(installmentSchedule({ ...order, notBefore: '2026-05-01' })), [
    '2026-05-01',
    '2026-05-01',
    '2026-07-31',
    '2026-10-31',
  ]);
  t.deepEqual(dates(installmentSchedule({ ...order, notBefore: '2025-12-01' }))[0], '2026-01-31');
});

const cents = fc.integer({ min: 0, max: 100_000_000_000 });

test('Every schedule sums to premium, fee and tax, part by part, in whole cents and in order of date', (t) => {
  fc.assert(
    fc.property(
      fc.constantFrom(...INSTALLMENT_PLANS),
      cents,
      cents,
      cents,
      fc.nat(3000),
      fc.nat(400),
      (plan, premiumCents, feeCents, taxCents, days, later) => {
        const anchorDate = addDays('2024-01-01', days);
        const schedule = installmentSchedule({
          ...{ plan, premiumCents, feeCents, taxCents, anchorDate },
          notBefore: addDays(anchorDate, later - 200),
        });
        return (
          sumCents(amounts(schedule)) === premiumCents + feeCents + taxCents &&
          sumCents(schedule.map((each) => each.premiumCents)) === premiumCents &&
          amounts(schedule).every(Number.isSafeInteger) &&
          dates(schedule).every((date, index, all) => index === 0 || (all[index - 1] ?? '') <= date)
        );
      },
    ),
  );
  t.pass();
});

test('The total is the sum of its parts in every state and line, and every plan sums to the total', (t) => {
  for (const { table } of DEFAULT_RATE_TABLES) {
    for (const state of STATES) {
      const quote = price(state, '2026-12-01', '2026-11-21', table);
      const parts = [quote.premiumCents, ...amounts(quote.fees), ...amounts(quote.taxes)];
      t.is(sumCents(parts), quote.totalDueCents);
      for (const option of quote.installmentOptions) t.is(sumCents(amounts(option.schedule)), quote.totalDueCents);
    }
  }
});

test('A quote is open for 30 days, or until an earlier effective date, but at least on the day of its issue', (t) => {
  t.is(quoteExpiry('2026-11-21', '2027-03-01'), '2026-12-21');
  t.is(quoteExpiry('2026-11-21', '2026-12-21'), '2026-12-21');
  t.is(quoteExpiry('2026-11-21', '2026-12-01'), '2026-12-01');
  t.is(quoteExpiry('2026-11-21', '2026-11-21'), '2026-11-21');
  t.is(quoteExpiry('2026-11-21', '2026-10-01'), '2026-11-21');
});

test('A quote can be bound on its last day and not on the next', (t) => {
  t.false(isQuoteExpired('2026-12-21', '2026-12-21'));
  t.true(isQuoteExpired('2026-12-21', '2026-12-22'));
});
