// An endorsement issued by mistake and voided: policy, invoices, books and commission are as they would be without it.
// Contract 3.2.
import test from 'ava';
import type { Invoice } from '../../../db/entities/billing/invoice.ts';
import { AuditEntry } from '../../../db/entities/platform/audit-entry.ts';
import { invoiceAmounts } from '../../../db/queries/billing/invoices.ts';
import { invoiceBalance } from '../../../domain/billing/invoice.ts';
import { refused } from '../steps.ts';
import { InsuredLife, revenueFor } from './insured-life.ts';

const MORE = { annualRevenueCents: revenueFor(438_000) };
const MOST = { annualRevenueCents: revenueFor(511_000) };
const LESS = { annualRevenueCents: revenueFor(219_000) };

/** 3,650.00 for 365 days: 10.00 a day. */
const begin = (t: { title?: string }, options = {}) => InsuredLife.begin(t, { premiumCents: 365_000, ...options });

const balancesOf = (invoices: readonly Invoice[]) => invoices.map((each) => invoiceBalance(invoiceAmounts(each)));

const balances = async (life: InsuredLife) => balancesOf(await life.invoices());

test('the void of an endorsement restores unpaid installments to the cent and part by part', async (t) => {
  const life = await begin(t, { installmentPlan: 'QUARTERLY_4' });
  await life.pay(1);
  life.passTo(50);
  const before = await balances(life);
  await life.endorse(100, MORE);
  t.is((await life.policy()).grossPremiumCents, 418_000);
  const { refundIds } = await life.voidEndorsement(2);
  t.deepEqual(refundIds, []);
  t.deepEqual(await balances(life), before);
  const [, voided, reversal] = await life.stack();
  t.like(reversal, { type: 'endorsement', reverses: voided?.id, premiumChangeCents: -53_000, reason: 'A mistake' });
  t.is(reversal?.taxChangeCents, -(voided?.taxChangeCents ?? 0));
  t.like(await life.policy(), { annualRevenueCents: revenueFor(365_000), grossPremiumCents: 365_000 });
  t.is(await life.events('policy.endorsed'), 2);
  t.is(await life.read((em) => em.count(AuditEntry, { action: 'policy:void_endorsement' })), 1);
  await life.check(t);
  for (const number of [2, 3, 4]) await life.pay(number);
  await life.check(t);
});

test('the first of two is voided: its own 530.00 go back, and the later one is applied again', async (t) => {
  const life = await begin(t);
  await life.pay(1);
  life.passTo(100);
  await life.endorse(100, MORE);
  await life.pay(2);
  life.passTo(200);
  await life.endorse(200, MOST);
  life.passTo(250);
  // 14.00 a day from day 200 on was 2.00 more than 12.00, and is 4.00 more than 10.00: 330.00 for 165 days.
  const { refundIds } = await life.voidEndorsement(2);
  const [, first, later, reversal] = await life.stack();
  t.deepEqual(reversal?.reapplied, [{ transactionId: later?.id ?? '', premiumChangeCents: 33_000 }]);
  t.is(reversal?.premiumChangeCents, 33_000 - 53_000);
  t.deepEqual(reversal?.commission, first?.commission);
  t.like(await life.policy(), { ...MOST, grossPremiumCents: 365_000 + 66_000 });
  await life.check(t);
  await life.settle(refundIds);
  for (const { number } of await life.open()) await life.pay(number);
  await life.check(t);
});

test('premium paid for a voided endorsement is refunded from its own invoice, with its commission', async (t) => {
  const life = await begin(t);
  await life.pay(1);
  life.passTo(100);
  const books = await life.balances();
  await life.endorse(100, MORE);
  await life.pay(2);
  const { refundIds, transactionId } = await life.voidEndorsement(2, 'once');
  t.deepEqual(await life.voidEndorsement(2, 'once'), { ...(await life.voidEndorsement(2, 'once')), refundIds });
  const [, endorsed] = await life.invoices();
  const totalCents = endorsed?.totalCents ?? 0;
  t.deepEqual<unknown, unknown>(await life.credits(transactionId), [
    { invoiceId: endorsed?.id, kind: 'refunded', amountCents: -totalCents },
  ]);
  await life.settle(refundIds);
  await life.check(t);
  const after = await life.balances();
  for (const account of [2010, 2020, 2030, 2040, 2050, 2090]) t.is(after[account], books[account], String(account));
});

test("a void bills the endorsement's return premium again, and restores the invoices it voided or reduced", async (t) => {
  for (const paid of [[1], [1, 2, 3, 4]]) {
    const life = await begin(t, { installmentPlan: 'QUARTERLY_4' });
    for (const number of paid) await life.pay(number);
    life.passTo(50);
    const before = await balances(life);
    const { refundIds } = await life.endorse(50, LESS);
    await life.settle(refundIds);
    const { transactionId: reversalId } = await life.voidEndorsement(2);
    t.is((await life.policy()).grossPremiumCents, 365_000);
    const again = (await life.invoices()).find(({ transactionId }) => transactionId === reversalId);
    t.deepEqual(balancesOf((await life.invoices()).filter(({ id }) => id !== again?.id)), before);
    if (paid.length === 4) t.like(again, { dueDate: life.date(65) });
    else t.is(again, undefined);
    await life.check(t);
    for (const { number } of await life.open()) await life.pay(number);
    await life.check(t);
  }
});

test('return premium of a voided endorsement on an invoice that a later one voided is billed on a new one', async (t) => {
  const life = await begin(t, { installmentPlan: 'QUARTERLY_4' });
  await life.endorse(0, { annualRevenueCents: revenueFor(300_000) });
  await life.endorse(100, { annualRevenueCents: revenueFor(250_000) });
  const last = (await life.invoices()).at(-1);
  t.truthy(last?.voidedAt, 'the second return leaves nothing of the last installment');
  const { transactionId } = await life.voidEndorsement(2);
  // 650.00 for 100 of 365 days.
  t.is((await life.policy()).grossPremiumCents, 365_000 - 83_493);
  t.is((await life.invoices()).filter((each) => each.transactionId === transactionId).length, 1);
  t.is(await life.unbilledCents(), 0);
  await life.check(t);
});

test('a void is refused twice, of any other transaction, of another policy and after the end, and writes nothing', async (t) => {
  const life = await begin(t);
  life.passTo(100);
  await life.endorse(100, MORE);
  await life.endorse(100, MOST);
  await life.voidEndorsement(2);
  const before = await life.everything();
  for (const sequence of [1, 2, 4]) await refused(t, life.voidEndorsement(sequence), 'invalid_state_transition');
  await refused(t, life.voidEndorsement(9), 'not_found');
  t.deepEqual(await life.everything(), before);
  await life.cancel(100);
  const ended = await refused(t, life.voidEndorsement(3), 'invalid_state_transition');
  t.like(ended, { resource: 'policy', from: 'cancelled', action: 'void', allowed: ['reinstate'] });
  await life.check(t);
});

test('a scheduled cancellation returns the same premium after a void as without the endorsement', async (t) => {
  const life = await begin(t);
  await life.pay(1);
  life.passTo(100);
  await life.endorse(100, MORE);
  await life.cancel(200, { reason: 'increase_in_hazard' });
  await life.voidEndorsement(2);
  // 10.00 a day for 165 days.
  t.like((await life.stack()).at(-1), { type: 'cancellation', premiumChangeCents: -165_000 });
  life.passTo(200);
  await life.settle((await life.takeEffect()).refundIds);
  t.is((await life.policy()).grossPremiumCents, 200_000);
  await life.check(t);
});
