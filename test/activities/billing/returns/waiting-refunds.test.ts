// A refund that waits for approval on a partly paid invoice, while its policy is cancelled. The worked example:
// premium 10,000.00, fee 250.00, tax 497.13, stamping fee 4.10, 10,751.23 in all.
import test, { type ExecutionContext } from 'ava';
import { Payment } from '../../../../db/entities/billing/payment.ts';
import { newId } from '../../../../db/ids.ts';
import { policyAccount } from '../../../../db/queries/billing/account.ts';
import { checkBooks } from '../../../../db/queries/billing/reconciliation/run.ts';
import { trustFigures } from '../../../../db/queries/billing/trust.ts';
import { putFlagOverride } from '../../../../db/queries/platform/flags.ts';
import { accountEntries, accountStatement } from '../../../../domain/billing/account/account.ts';
import { trustFindings } from '../../../../domain/billing/ledger/trust.ts';
import { InsuredLife } from '../../policy/insured-life.ts';
import { DisputedLife } from '../disputed-life.ts';
import { cancelled, LEFT_TO_PAY, RETURNED, receiptBy, TOTAL, WAYS } from './rejected-returns.ts';

async function findsNothing(t: ExecutionContext, life: InsuredLife) {
  const { results } = await life.read((em) => checkBooks(em, { since: null, statementFrom: null }));
  t.deepEqual(
    results.flatMap(({ name, findings }) => findings.map((each) => ({ name, ...each }))),
    [],
  );
  t.deepEqual(trustFindings(await life.read(trustFigures)), []);
}

/** 10,000.00 paid, a refund of 5,000.00 awaiting approval, and the policy cancelled on day 10. */
async function waiting(t: ExecutionContext) {
  const life = await InsuredLife.begin(t);
  const { activities, command, database, orgId } = life.steps;
  await database.transaction(orgId, (em) => putFlagOverride(em, 'refund_approval', true));
  await life.pay(1, 1_000_000);
  const payload = { invoiceId: (await life.invoices())[0]?.id ?? '', amountCents: 500_000, reason: 'Goodwill' };
  const { refundId } = await activities.reserveRefund(command(newId('refund'), payload));
  life.passTo(10);
  const { refundIds } = await life.cancel(10, { method: 'pro_rata' });
  await findsNothing(t, life);
  return { life, refundId, returnId: refundIds[0] ?? '' };
}

async function decide(life: InsuredLife, refundId: string, decision: 'approve' | 'reject') {
  const { activities, command } = life.steps;
  const actor = { kind: 'user', id: `usr_${decision}`, role: 'org_admin' } as const;
  await activities.decideRefund({ ...command(refundId, { decision, reason: 'Seen.' } as const), actor });
  if (decision === 'approve') await life.settle([refundId]);
}

// At least a quarter of the premium is earned: 2,500.00, tax on it and the fee 2,750.00 x 4.85 percent = 133.38,
// stamping fee 2,750.00 x 0.04 percent = 1.10, fee 250.00. Of 10,000.00, 5,000.00 waits and 2,115.52 is returned.
const KEPT = { premium: 250_000, tax: 13_338, stamping: 110, fee: 25_000 };

async function parts(life: InsuredLife) {
  const at = await life.balances();
  const of = (...accounts: number[]) => accounts.reduce((sum, account) => sum - (at[account] ?? 0), 0);
  const owned = { premium: of(2010, 2020, 2030), tax: of(2040), stamping: of(2050), fee: of(2090) };
  return { owned, unshared: of(2070), owed: of(2060) };
}

test('a cancellation takes its return premium from those who share it, not from a refund that waits for approval', async (t) => {
  const { life, refundId, returnId } = await waiting(t);
  await decide(life, returnId, 'approve');
  t.deepEqual(await parts(life), { owned: KEPT, unshared: 500_000, owed: 211_552 });
  await findsNothing(t, life);
  await decide(life, refundId, 'approve');
  t.deepEqual(await parts(life), { owned: KEPT, unshared: 0, owed: 711_552 });
  await findsNothing(t, life);
});

test('a refund rejected after the cancellation is unapplied cash', async (t) => {
  const { life, refundId, returnId } = await waiting(t);
  await decide(life, returnId, 'approve');
  await decide(life, refundId, 'reject');
  t.deepEqual(await parts(life), { owned: KEPT, unshared: 500_000, owed: 211_552 });
  await findsNothing(t, life);
});

// The worked example paid in full and cancelled pro rata on day 146 of 365: 6,000.00 of premium is returned with its
// 4.85 percent tax and 0.04 percent stamping fee; the fee stays, with the tax on it.
const UNEARNED = { premium: 600_000, tax: 29_100, stamping: 240 };
const RETURN = UNEARNED.premium + UNEARNED.tax + UNEARNED.stamping;
const EARNED = { premium: 400_000, tax: 49_713 - UNEARNED.tax, stamping: 410 - UNEARNED.stamping, fee: 25_000 };

/** Paid in full by check or card, cancelled on day 146, and the return premium refund rejected and posted. */
async function rejectedReturn(t: ExecutionContext, pay: (life: InsuredLife) => Promise<unknown>) {
  const life = await InsuredLife.begin(t);
  const { database, orgId } = life.steps;
  await database.transaction(orgId, (em) => putFlagOverride(em, 'refund_approval', true));
  await pay(life);
  life.passTo(146);
  const { refundIds } = await life.cancel(146, { method: 'pro_rata' });
  const refundId = refundIds[0] ?? '';
  await decide(life, refundId, 'reject');
  await post(life, refundId);
  return life;
}

async function payByCard(life: InsuredLife) {
  await new DisputedLife(life).payByCard(1);
  const [receipt] = await life.read((em) => em.find(Payment, { policyId: life.policyId, kind: 'card' }));
  await life.steps.activities.publishPaymentEvents({ orgId: life.steps.orgId, entityId: receipt?.id ?? '' });
}

async function closingCents(life: InsuredLife) {
  const entries = accountEntries(await life.read((em) => policyAccount(em, life.policyId)));
  return accountStatement(entries, { from: null, to: '2999-12-31' }).closingCents;
}

async function post({ steps: { activities, orgId } }: InsuredLife, entityId: string) {
  const of = { orgId, entityId };
  await activities.postRefund(of);
  await activities.postRefundEarnings(of);
  await activities.reverseCommission(of);
}

for (const method of ['check', 'card'] as const) {
  test(`return premium paid by ${method} whose refund is rejected leaves its parts and stays with the policy as unapplied cash, to be returned`, async (t) => {
    const life = await rejectedReturn(t, (of) => (method === 'card' ? payByCard(of) : of.pay(1)));
    const { activities, command } = life.steps;
    t.deepEqual(await parts(life), { owned: EARNED, unshared: RETURN, owed: 0 });
    const [kept] = await life.read((em) => em.find(Payment, { policyId: life.policyId, method: 'kept_refund' }));
    t.like(kept, { amountCents: RETURN, appliedCents: 0, status: 'succeeded' });
    await life.follow({ orgId: life.steps.orgId, entityId: kept?.id ?? '' }, false);
    await findsNothing(t, life);
    await life.check(t);
    t.is(await closingCents(life), -RETURN, 'the statement has it in favor of the insured');
    const payload = { paymentId: kept?.id ?? '', amountCents: null, reason: 'Sent after all' };
    const { refundId, amountCents } = await activities.reserveReturn(command(newId('refund'), payload));
    t.is(amountCents, RETURN);
    await decide(life, refundId, 'approve');
    t.deepEqual(await parts(life), { owned: EARNED, unshared: 0, owed: RETURN });
    await findsNothing(t, life);
  });
}

/** The closing balance of the statement on a day, and how much of it is a pending refund. */
async function stated(life: InsuredLife, day = 365) {
  const account = await life.read((em) => policyAccount(em, life.policyId));
  const { closingCents } = accountStatement(accountEntries(account), { from: null, to: life.date(day) });
  return [closingCents, account.refundPendingCents];
}

/** The first check bounces; the ledgers wait until the refund is decided. */
async function reverse(life: InsuredLife) {
  const { activities, command } = life.steps;
  const payload = { paymentId: await receiptBy(life, 'manual'), reason: 'nsf', feeCents: null } as const;
  await activities.reversePayment(command(newId('refund'), payload));
}

test('return premium awaiting approval is on the statement until the day a bounced check takes it back', async (t) => {
  const { life, disputed, refundId } = await cancelled(t, WAYS['a check that bounces']);
  t.deepEqual(
    [await stated(life, 145), await stated(life)],
    [
      [0, RETURNED],
      [-RETURNED, RETURNED],
    ],
  );
  disputed.passTo(160);
  await reverse(life);
  t.deepEqual(
    [await stated(life, 159), await stated(life)],
    [
      [-RETURNED, 0],
      [LEFT_TO_PAY, 0],
    ],
  );
  await decide(life, refundId, 'reject');
  t.deepEqual(await stated(life), [LEFT_TO_PAY, 0]);
});

test('a bounced check takes back its own part of an amount that two checks paid', async (t) => {
  const twoChecks = async ({ life }: DisputedLife) => {
    await life.pay(1, 475_123);
    await life.pay(1, 600_000);
    return '';
  };
  const { life } = await cancelled(t, { pay: twoChecks });
  // All of the second check waits, and 293.40 of the first, which bounces.
  await reverse(life);
  t.deepEqual(await stated(life), [LEFT_TO_PAY - 600_000, 600_000]);
});

test('return premium leaves the statement while its payment is in dispute, and is back once the dispute is won', async (t) => {
  const { life, disputed, intentId } = await cancelled(t, WAYS['a card payment whose dispute is lost']);
  await disputed.hearOf(intentId, TOTAL, 'created', 'needs_response');
  t.deepEqual(await stated(life), [0, 0], 'nothing is owed while a bank decides');
  await disputed.hearOf(intentId, TOTAL, 'closed', 'won');
  t.deepEqual(await stated(life), [-RETURNED, RETURNED]);
});
