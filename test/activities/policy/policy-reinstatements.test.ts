// Reinstatements: before the cancellation date, without a gap, with one; what was returned is rebilled, and nothing
// else.
import test from 'ava';
import { Policy } from '../../../db/entities/policy/policy.ts';
import { newId } from '../../../db/ids.ts';
import { dayText } from '../../../domain/dates.ts';
import { sumCents } from '../../../domain/money.ts';
import { RECLASSIFIED } from '../../../domain/policy/invoice-lines.ts';
import { invoicePageFacts } from '../../../plans/document/invoice-facts.ts';
import { transactionFacts } from '../../../plans/document/transaction-facts.ts';
import { refused } from '../steps.ts';
import { findingsOf, followed } from './followed-payments.ts';
import { InsuredLife } from './insured-life.ts';

const PRO_RATA = { method: 'pro_rata' } as const;

test('a reinstatement without a gap leaves the premium unchanged to the cent, and bills refunds again', async (t) => {
  const life = await InsuredLife.begin(t);
  await life.pay(1);
  life.passTo(146);
  await life.settle((await life.cancel(146)).refundIds);
  life.passTo(150);
  t.like(await life.reinstate(), { status: 'active', refundIds: [] });
  t.like(await life.policy(), { grossPremiumCents: 1_000_000, totalDueCents: 1_075_123, cancellation: null });
  const [, again] = await life.invoices();
  const [refund] = await life.refunds();
  t.like(again, { dueDate: life.date(150), totalCents: -(refund?.amountCents ?? 0) });
  t.deepEqual(
    again?.lines.map(({ code, amountCents }) => [code, amountCents]),
    [
      ['PREMIUM', 540_000],
      ['SL_TAX', 26_190],
      ['STAMPING_FEE', 216],
    ],
  );
  await life.check(t);
  await life.pay(2);
  await life.check(t);
  const balances = await life.balances();
  t.deepEqual(
    [2010, 2020, 2030, 2040, 2050, 2090, 4010].map((account) => balances[account]),
    [-775_000, -125_000, -100_000, -49_713, -410, -25_000, -100_000],
  );
});

test('a reinstatement without a gap restores unpaid invoices, due today where their day has passed', async (t) => {
  const life = await InsuredLife.begin(t, { installmentPlan: 'QUARTERLY_4' });
  await life.pay(1);
  const before = (await life.invoices()).map(({ id, totalCents }) => [id, totalCents]);
  life.passTo(146);
  await life.cancel(146, PRO_RATA);
  await life.check(t);
  await life.reinstate();
  const after = await life.invoices();
  t.deepEqual(after.map(({ id, totalCents }) => [id, totalCents]).sort(), before.sort());
  t.true(after.every(({ voidedAt, voidedBy }) => voidedAt === null && voidedBy === null));
  t.deepEqual(after.filter(({ dueDate }) => dueDate === life.date(146)).length, 1);
  await life.check(t);
  for (const number of [2, 3, 4]) await life.pay(number);
  await life.check(t);
});

test('reinstated invoices bill the fee as it was, and parts tie out however they were exchanged', async (t) => {
  const life = await InsuredLife.begin(t, {
    premiumCents: 399_000,
    policyFeeCents: 19_500,
    installmentPlan: 'MONTHLY_10',
  });
  await life.pay(1);
  await life.settle((await life.cancel(0)).refundIds);
  await life.check(t);
  await life.reinstate();
  const again = (await life.invoices()).find(({ installmentCount }) => installmentCount === 1);
  t.deepEqual(
    again?.lines.map(({ code, amountCents }) => [code, amountCents]),
    [
      ['PREMIUM', 39_900],
      ['POLICY_FEE', 19_500],
      ['SL_TAX', 20_297],
      ['STAMPING_FEE', 167],
    ],
  );
  await life.check(t);
  while ((await life.open()).length > 0) await life.pay((await life.open())[0]?.number ?? 0);
  await life.check(t);

  const other = await InsuredLife.begin(t, { installmentPlan: 'MONTHLY_10' });
  await other.pay(1);
  other.passTo(11);
  await other.cancel(11, PRO_RATA);
  const moved = (await other.invoices()).find(({ lines }) => lines.some((each) => each.description === RECLASSIFIED));
  const { lines } = await other.read((em) => invoicePageFacts(em, moved?.id ?? ''));
  t.false(lines.some(({ description }) => description === RECLASSIFIED));
  t.is(sumCents(lines.map(({ cents }) => cents)), moved?.totalCents ?? 0);
  other.passTo(20);
  await other.reinstate(20);
  await other.check(t);
  while ((await other.open()).length > 0) await other.pay((await other.open())[0]?.number ?? 0);
  await other.check(t);
});

test('a refund that failed is not billed again', async (t) => {
  const life = await InsuredLife.begin(t);
  await life.pay(1);
  life.passTo(146);
  await life.settle((await life.cancel(146)).refundIds, { isDeclined: true });
  await life.reinstate();
  t.is((await life.invoices()).length, 1);
  t.is((await life.policy()).totalDueCents, 1_075_123);
  await life.check(t);
});

test('a reinstatement with a gap does not charge the days without coverage', async (t) => {
  const life = await InsuredLife.begin(t);
  await life.pay(1);
  life.passTo(146);
  await life.settle((await life.cancel(146, PRO_RATA)).refundIds);
  life.passTo(219);
  await life.reinstate(219);
  const [, , reinstatement] = await life.stack();
  // 73 of 365 days of 10,000.00.
  t.like(reinstatement, {
    type: 'reinstatement',
    premiumChangeCents: 600_000 - 200_000,
    effectiveDate: life.date(219),
  });
  t.is((await life.policy()).grossPremiumCents, 800_000);
  await life.check(t);
  await life.pay(2);
  await life.check(t);
});

test('a cancellation withdrawn before its day moves no money', async (t) => {
  const life = await InsuredLife.begin(t);
  await life.pay(1);
  life.passTo(100);
  await life.cancel(146, { reason: 'increase_in_hazard' });
  t.like(await life.reinstate(), { status: 'active', cancellationDate: null, refundIds: [] });
  t.like((await life.stack())[2], { type: 'reinstatement', totalChangeCents: 0, changes: { withdrawal: true } });
  life.passTo(146);
  t.like(await life.takeEffect(), { status: 'active', refundIds: [] });
  t.is((await life.policy()).grossPremiumCents, 1_000_000);
  await life.check(t);
});

test('a cancellation whose day has come takes effect before it is taken back', async (t) => {
  const life = await InsuredLife.begin(t);
  await life.pay(1);
  life.passTo(100);
  await life.cancel(146, { reason: 'increase_in_hazard' });
  life.passTo(146);
  const { refundIds, status } = await life.reinstate();
  t.is(status, 'active');
  t.is(refundIds.length, 1);
  t.is((await life.invoices()).length, 2);
  await life.check(t);
  await life.settle(refundIds);
  await life.pay(2);
  await life.check(t);
});

test('a policy cancelled flat and reinstated costs the same as before, fee and taxes included', async (t) => {
  const life = await InsuredLife.begin(t);
  await life.pay(1);
  await life.settle((await life.cancel(0)).refundIds);
  await life.reinstate();
  t.like(await life.policy(), { grossPremiumCents: 1_000_000, totalDueCents: 1_075_123 });
  await life.check(t);
  await life.pay(2);
  await life.check(t);
});

test('a reinstatement run twice under one id happens once; coverage never resumes before it ended', async (t) => {
  const life = await InsuredLife.begin(t);
  life.passTo(20);
  await life.cancel(20);
  await refused(t, life.reinstate(19), 'outside_policy_term');
  const id = newId('request');
  const first = await life.reinstate(null, id);
  t.deepEqual(await life.reinstate(null, id), { ...first, repeated: true });
  t.is((await life.stack()).length, 3);
  await life.check(t);
});

test('a refund owed by check can stay as unapplied cash, and pays later bills', async (t) => {
  const life = await InsuredLife.begin(t);
  await life.pay(1);
  life.passTo(146);
  await life.settle((await life.cancel(146, PRO_RATA)).refundIds);
  const [owed] = await life.disbursements();
  const { activities, command } = life.steps;
  const { kept } = await activities.cancelDisbursement(command(owed?.id ?? '', { reason: 'The insured stays.' }));
  await followed(life, kept ? [kept] : []);
  t.like(await life.disbursements(), [{ status: 'cancelled', keptCents: 629_340 }]);
  t.like(await life.balances(), { 1010: 1_075_123, 2060: 0, 2070: -629_340 });
  await refused(t, reversed(life, kept?.paymentId), 'invalid_state_transition');
  const { applied } = await life.reinstate();
  await followed(life, applied);
  t.deepEqual(await life.open(), []);
  await life.check(t);
  t.deepEqual(await findingsOf(life), []);
});

const reversed = ({ steps: { activities, command } }: InsuredLife, paymentId = '') =>
  activities.reversePayment(command(newId('refund'), { paymentId, reason: 'nsf', feeCents: null }));

/** Reinstates, and returns the e-mail about it to the insured, sent twice, with the document's text. */
async function restored(life: InsuredLife, day: number | null = null) {
  const { orgId, database, providers, activities } = life.steps;
  await database.transaction(orgId, (em) => em.nativeUpdate(Policy, {}, { insuredEmail: 'cafe@insured.example' }));
  const { notice, transactionId } = await life.reinstate(day);
  const page = await life.read((em) => transactionFacts(em, life.policyId, transactionId));
  const before = providers.mails.length;
  const order = notice && { ...notice, orgId, policyId: life.policyId };
  for (let time = 0; order && time < 2; time++) await activities.sendNotice(order);
  const mails = providers.mails.slice(before).map(({ subject, text }) => ({ subject: subject.split(':')[0], text }));
  return { kind: notice?.kind, page, mails };
}

test("a carrier's notice withdrawn by hand is rescinded in writing, and coverage is never interrupted", async (t) => {
  const life = await InsuredLife.begin(t);
  await life.pay(1);
  life.passTo(100);
  await life.cancel(146, { reason: 'increase_in_hazard' });
  life.passTo(105);
  const { kind, page, mails } = await restored(life);
  t.is(kind, 'cancellation_withdrawal');
  t.like(page, { withdrawnNotice: life.date(100), gap: null });
  const [mail, ...more] = mails;
  t.deepEqual([mail?.subject, more], ['Notice of cancellation withdrawn', []]);
  t.true(mail?.text.includes(`our notice of cancellation of ${dayText(life.date(100))}`), mail?.text);
  t.true(mail?.text.includes('continues without interruption'), mail?.text);

  await life.cancel(146);
  t.like(await restored(life), { kind: undefined, mails: { length: 0 } });
});

test('a reinstatement goes to the insured in writing, with the days that had no coverage or without any', async (t) => {
  const life = await InsuredLife.begin(t);
  await life.pay(1);
  life.passTo(146);
  await life.settle((await life.cancel(146, PRO_RATA)).refundIds);
  life.passTo(219);
  const gap = { from: life.date(146), to: life.date(219) };
  const late = await restored(life, 219);
  t.like(late, { kind: 'reinstatement', page: { gap, withdrawnNotice: null }, mails: { length: 1 } });
  t.is(late.mails[0]?.subject, 'Policy reinstated');
  const days = `no coverage from 12:01 a.m. on ${dayText(gap.from)} to 12:01 a.m. on ${dayText(gap.to)}`;
  t.true(late.mails[0]?.text.includes(days), late.mails[0]?.text);

  await life.cancel(219, PRO_RATA);
  const atOnce = await restored(life);
  t.like(atOnce, { kind: 'reinstatement', page: { gap: null, withdrawnNotice: null } });
  t.true(atOnce.mails[0]?.text.includes('continues without interruption'), atOnce.mails[0]?.text);
});
