// A refund that was owed by check and kept, and whose payment then bounces. The worked example: 10,751.23 paid by
// check, of which a cancellation on day 146 owes back 6,000.00 premium, 291.00 tax and 2.40 stamping fee. Figures by
// hand, from decisions 0092 and 0290.
import test, { type ExecutionContext } from 'ava';
import { Payment } from '../../../../db/entities/billing/payment.ts';
import { Event } from '../../../../db/entities/platform/event.ts';
import { newId } from '../../../../db/ids.ts';
import { policyAccount } from '../../../../db/queries/billing/account.ts';
import { accountEntries, accountStatement } from '../../../../domain/billing/account/account.ts';
import { findingsOf, followed } from '../../policy/followed-payments.ts';
import { InsuredLife } from '../../policy/insured-life.ts';
import { refused } from '../../steps.ts';

const TOTAL = 1_075_123;
const RETURNED = 629_340;
const LEFT_TO_PAY = TOTAL - RETURNED;

/** A policy that is owed its return premium by check, and another, unpaid one in the same organization. */
async function owedBack(t: ExecutionContext) {
  const life = await InsuredLife.begin(t);
  const other = await InsuredLife.on(life.steps);
  await life.pay(1);
  life.passTo(146);
  await life.settle((await life.cancel(146, { method: 'pro_rata' })).refundIds);
  return { life, other };
}

/** The check that paid the first invoice bounces, with everything that follows. */
async function bounce(life: InsuredLife) {
  const { activities, command, orgId } = life.steps;
  const checks = { policyId: life.policyId, method: 'check' } as const;
  const [paid] = await life.read((em) => em.find(Payment, checks, { orderBy: { id: 'asc' } }));
  const payload = { paymentId: paid?.id ?? '', reason: 'nsf', feeCents: null } as const;
  const reversal = await activities.reversePayment(command(newId('refund'), payload));
  await activities.postRefund({ orgId, entityId: reversal.refundId });
  return reversal;
}

/** The latest disbursement. */
const owed = async (life: InsuredLife) => (await life.disbursements()).at(-1)?.id ?? '';

async function cancel(life: InsuredLife) {
  const { activities, command } = life.steps;
  return (await activities.cancelDisbursement(command(await owed(life), { reason: 'Not to be paid.' }))).kept;
}

/** Cancels what is owed, which keeps the money; returns the receipt. */
async function keep(life: InsuredLife): Promise<string> {
  const kept = await cancel(life);
  await followed(life, kept ? [kept] : []);
  return kept?.paymentId ?? '';
}

/** Requests a return of unapplied money; its check is not issued. */
async function giveBack(life: InsuredLife, paymentId: string, amountCents: number | null) {
  const { activities, command } = life.steps;
  const payload = { paymentId, amountCents, reason: 'Wanted after all.' };
  await life.settle([(await activities.reserveReturn(command(newId('refund'), payload))).refundId]);
}

/** Reinstates with a gap of 73 days: 4,195.60 is rebilled, and once past due, paid out of the return premium owed. */
async function setOff(t: ExecutionContext, life: InsuredLife) {
  life.passTo(219);
  await life.reinstate(219);
  life.passTo(220);
  const step = { orgId: life.steps.orgId, entityId: life.policyId, today: life.date(220) };
  const taken = await life.steps.activities.takeDelinquencyStep(step);
  // An attempt's answer can be lost: the next attempt returns the remaining work until that is done.
  const again = await life.steps.activities.takeDelinquencyStep(step);
  t.true(again.applied !== undefined && again.applied.length > 0);
  t.deepEqual(again.applied, taken.applied);
  await followed(life, again.applied);
  t.is((await life.steps.activities.takeDelinquencyStep(step)).applied, undefined);
  t.deepEqual(await life.open(), []);
}

/** Asserts that these are the only nonzero balances, and that no check of the books finds anything. */
async function holds(t: ExecutionContext, life: InsuredLife, expected: Record<number, number>) {
  const balances = Object.entries(await life.balances()).filter(([, cents]) => cents !== 0);
  t.deepEqual(Object.fromEntries(balances), expected);
  t.deepEqual(await findingsOf(life), []);
}

/** The statement balance at the end of a day of the term: what the insured owes, or is owed (negative). */
async function stated(life: InsuredLife, day = 365): Promise<number> {
  const entries = accountEntries(await life.read((em) => policyAccount(em, life.policyId)));
  return accountStatement(entries, { from: null, to: life.date(day) }).closingCents;
}

/** Operating money owes the trust this much, and we bear the loss. */
const loss = (cents: number) => ({ 1040: cents, 2110: -cents, 5020: cents });

test('return premium that was set off against a later invoice is taken back when its check bounces: no loss', async (t) => {
  const { life } = await owedBack(t);
  t.is(await stated(life), -RETURNED);
  await setOff(t, life);
  // 4,195.60 is rebilled; setting it off changes nothing.
  t.is(await stated(life), -209_780);
  life.passTo(230);
  await bounce(life);
  t.is(await stated(life), LEFT_TO_PAY + 419_560);
  const takenBack = await life.read((em) => em.find(Payment, { kind: 'reversal', method: 'kept_refund' }));
  const unended = takenBack.filter(({ sagaEndedAt }) => sagaEndedAt === null);
  t.deepEqual([takenBack.length, unended], [1, []], 'healing starts no saga for what is posted');
  // The other 2,097.80 is no longer owed.
  t.like(await life.open(), [{ balanceCents: LEFT_TO_PAY }, { balanceCents: 419_560 }]);
  await holds(t, life, { 2060: -209_780, ...loss(209_780) });
  life.passTo(240);
  await cancel(life);
  await holds(t, life, {});
  t.deepEqual(
    [await stated(life, 229), await stated(life, 230)],
    [-209_780, LEFT_TO_PAY + 419_560],
    'as on those days',
  );
  t.is(await stated(life), LEFT_TO_PAY + 419_560);
  const cancelled = await life.read((em) =>
    em.find(Event, { type: 'disbursement.cancelled' }, { orderBy: { id: 'asc' } }),
  );
  const amounts = cancelled.map(({ data }) => data.cancelledAmount);
  t.deepEqual(amounts, [4_195.6, 2_097.8], 'in all the 6,293.40 that were owed');
});

test('a kept refund is taken back when its check bounces, from other policies too; any amount paid out is our loss', async (t) => {
  const { life, other } = await owedBack(t);
  const { activities, command, orgId } = life.steps;
  const paymentId = await keep(life);
  await giveBack(life, paymentId, 100_000);
  await life.sendChecks();
  const payload = { paymentId, invoiceId: (await other.invoices())[0]?.id ?? '', amountCents: 200_000 };
  const applied = await activities.applyUnapplied(command(newId('payment'), payload));
  await other.follow({ orgId, entityId: applied.paymentId }, applied.completesInvoice);
  t.is(await stated(life), 100_000 + 200_000 - RETURNED);
  t.deepEqual((await bounce(life)).otherPoliciesToNotify, [other.policyId]);
  t.deepEqual([await stated(life), await stated(other)], [LEFT_TO_PAY, TOTAL]);
  t.like(await life.open(), [{ balanceCents: LEFT_TO_PAY }]);
  t.like(await other.open(), [{ balanceCents: TOTAL }]);
  await holds(t, life, { 1010: -100_000, ...loss(100_000) });
  await refused(t, giveBack(life, paymentId, null), 'refund_exceeds_paid');
});

test('a check that would pay out a kept refund is given up once the payment behind it has bounced', async (t) => {
  const { life } = await owedBack(t);
  const { activities, command } = life.steps;
  const paymentId = await keep(life);
  await giveBack(life, paymentId, 100_000);
  // Kept a second time: 1,000.00 is on another receipt.
  await keep(life);
  await giveBack(life, paymentId, null);
  await bounce(life);
  const payload = { method: 'check', reference: '77', issuedOn: null } as const;
  const issue = activities.issueDisbursement(command(await owed(life), payload));
  t.like(await refused(t, issue, 'invalid_state_transition'), { from: 'cancelled', allowed: [] });
  t.is(await stated(life), LEFT_TO_PAY);
  await holds(t, life, {});
  t.like(await life.open(), [{ balanceCents: LEFT_TO_PAY }]);
});

test('a partly kept refund behind two checks still pays out the rest when one of them bounces', async (t) => {
  const life = await InsuredLife.begin(t);
  await life.pay(1, 475_123);
  await life.pay(1, 600_000);
  life.passTo(146);
  // All of the second check, and 293.40 of the first, which bounces.
  await life.settle((await life.cancel(146, { method: 'pro_rata' })).refundIds);
  await setOff(t, life);
  await bounce(life);
  t.like(await life.open(), [{ balanceCents: LEFT_TO_PAY }, { balanceCents: 29_340 }]);
  await holds(t, life, { 1010: 600_000, 2060: -209_780, 2070: 209_780 - 600_000 });
  t.is(await stated(life), LEFT_TO_PAY + 29_340 - 209_780);
  await life.sendChecks();
  t.is(await stated(life), LEFT_TO_PAY + 29_340);
  await holds(t, life, { 1010: 600_000 - 209_780, 2070: 209_780 - 600_000 });
});

test('a check that goes out and is stopped after the payment behind it bounces is no longer owed to anybody', async (t) => {
  const { life } = await owedBack(t);
  const { activities, command } = life.steps;
  life.passTo(150);
  await life.sendChecks();
  t.deepEqual([await stated(life, 149), await stated(life)], [-RETURNED, 0]);
  life.passTo(160);
  await bounce(life);
  // What the check has paid out is our loss.
  t.is(await stated(life), LEFT_TO_PAY);
  life.passTo(170);
  await activities.stopDisbursement(command(await owed(life), { reason: 'It may still be in the mail.' }));
  t.is(await stated(life), LEFT_TO_PAY);
  await cancel(life);
  t.deepEqual([await stated(life), await stated(life, 165), await stated(life, 155)], [LEFT_TO_PAY, LEFT_TO_PAY, 0]);
  await holds(t, life, {});
});
