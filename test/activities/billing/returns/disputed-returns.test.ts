// Return premium that was kept, or is owed by check, while its card payment is in dispute: none of it is spent before
// the bank has decided. 10,751.23 paid, 6,293.40 kept. Figures by hand, from decision 0315.
import test, { type ExecutionContext } from 'ava';
import { newId } from '../../../../db/ids.ts';
import { putFlagOverride } from '../../../../db/queries/platform/flags.ts';
import { nextStepOf } from '../../../../plans/billing/delinquency-facts.ts';
import { findingsOf, followed } from '../../policy/followed-payments.ts';
import type { InsuredLife } from '../../policy/insured-life.ts';
import { refused } from '../../steps.ts';
import { decide, issue, issueOwed, payByCard, RETURNED, rejected, requestReturn, TOTAL } from './rejected-returns.ts';

const OF_BANK = /^"\w+" is not allowed while dispute dp_pi_\w+ of the card payment behind it is open\. Wait/;

async function apply({ steps: { activities, command } }: InsuredLife, paymentId: string, invoiceId: string) {
  return activities.applyUnapplied(command(newId('payment'), { paymentId, invoiceId, amountCents: null }));
}

/** Kept return premium of a card payment. */
const kept = (t: ExecutionContext) => rejected(t, { pay: payByCard });

async function waitsForBank(t: ExecutionContext, attempt: Promise<unknown>, details: object) {
  t.like(await refused(t, attempt, 'invalid_state_transition', OF_BANK), details);
}

test.serial(
  'kept money is neither returned nor applied while its payment is disputed, and is both once it is won',
  async (t) => {
    const { life, disputed, intentId, keptId } = await kept(t);
    await disputed.dispute(intentId, TOTAL, 'created', 'needs_response');
    // The reinstatement does not use it for its bill either.
    const invoiceId = await reinstated(life);
    await waitsForBank(t, requestReturn(life, keptId, null), { amount: 6_293.4, balance: 0 });
    await waitsForBank(t, requestReturn(life, keptId, 1), { action: 'return', amount: 0.01 });
    await waitsForBank(t, apply(life, keptId, invoiceId), { action: 'apply' });
    await disputed.dispute(intentId, TOTAL, 'closed', 'won');
    await life.settle([await requestReturn(life, keptId, 100_000)]);
    await issueOwed(life);
    await followed(life, [await apply(life, keptId, invoiceId)]);
    t.is((await life.balances())[1010], -100_000);
  },
);

for (const outcome of ['won', 'lost'] as const) {
  const end = outcome === 'won' ? 'paid by it once the dispute is won' : 'due ten days after the dispute is lost';
  test.serial(`a reinstatement bill beside kept money in dispute is not demanded, and is ${end}`, async (t) => {
    const { life, disputed, intentId } = await kept(t);
    await disputed.dispute(intentId, TOTAL, 'created', 'needs_response');
    const invoiceId = await reinstated(life);
    // The reinstatement bills 6,293.40 on day 146; without the kept money, notice would go out and coverage would end
    // by day 200.
    for (const day of [170, 190, 200]) {
      disputed.passTo(day);
      await takeStep(life, day);
    }
    t.like(await life.policy(), { status: 'active' });
    t.is(await nextStep(life, 200), null);
    await disputed.dispute(intentId, TOTAL, 'closed', outcome);
    const { applied = [] } = await takeStep(life, 200);
    await followed(life, applied);
    const bill = (await life.invoices()).find(({ id }) => id === invoiceId);
    t.like(await life.policy(), { status: 'active' });
    if (outcome === 'won') t.like(bill, { paidCents: RETURNED, totalCents: RETURNED });
    else {
      t.like(bill, { paidCents: 0, dueDate: life.date(210) });
      t.like(await nextStep(life, 200), { step: 'past_due', on: life.date(211) });
    }
    t.deepEqual(await findingsOf(life), []);
  });
}

const takeStep = (life: InsuredLife, day: number) => {
  const { orgId, activities } = life.steps;
  return activities.takeDelinquencyStep({ orgId, entityId: life.policyId, today: life.date(day) });
};

async function nextStep(life: InsuredLife, day: number) {
  const policy = await life.policy();
  return life.read((em) => nextStepOf(em, policy, life.date(day)));
}

/** Returns the invoice that rebills the return premium. */
async function reinstated(life: InsuredLife) {
  await life.reinstate();
  const billed = (await life.invoices()).find(({ paidCents }) => paidCents === 0);
  return billed?.id ?? '';
}

test.serial(
  'a partial dispute holds back only the amount the payment no longer holds, and the rest may be returned',
  async (t) => {
    const { life, disputed, intentId, keptId } = await kept(t);
    // The payment still holds 4,457.83; of the 8,000.00, 3,542.17 would come from the kept amount.
    await disputed.dispute(intentId, 800_000, 'created', 'needs_response');
    await waitsForBank(t, requestReturn(life, keptId, 275_124), { amount: 2_751.24, balance: 2_751.23 });
    await life.settle([await requestReturn(life, keptId, 100_000)]);
    await disputed.dispute(intentId, 800_000, 'closed', 'lost');
    t.is((await life.balances())[5020] ?? 0, 0);
  },
);

test.serial(
  'a return that was requested before the dispute is neither approved nor issued until it is won',
  async (t) => {
    const { life, disputed, intentId, keptId } = await kept(t);
    const refundId = await requestReturn(life, keptId, 500_000);
    await life.settle([await requestReturn(life, keptId, 100_000)]);
    await disputed.dispute(intentId, TOTAL, 'created', 'needs_response');
    await waitsForBank(t, decide(life, refundId, 'approve'), { allowed: ['reject'] });
    await waitsForBank(t, issueOwed(life), { from: 'pending', allowed: ['cancel'] });
    await disputed.dispute(intentId, TOTAL, 'closed', 'won');
    await issueOwed(life);
    await decide(life, refundId, 'approve');
    await life.settle([refundId]);
    const { 1010: cash, 2060: owed, 2070: unapplied } = await life.balances();
    t.deepEqual({ cash, owed, unapplied }, { cash: -100_000, owed: -500_000, unapplied: 600_000 - RETURNED });
    t.deepEqual(await findingsOf(life), []);
  },
);

test.serial(
  'checks for kept money go out only while they leave the disputed amount, so that a lost dispute costs nothing',
  async (t) => {
    const { life, disputed, intentId, keptId } = await kept(t);
    await life.steps.database.transaction(life.steps.orgId, (em) => putFlagOverride(em, 'refund_approval', false));
    for (const cents of [200_000, 100_000, 300_000]) await life.settle([await requestReturn(life, keptId, cents)]);
    const [large = '', small = '', largest = ''] = (await life.disbursements()).slice(-3).map(({ id }) => id);
    // The payment still holds 4,457.83; of the 8,000.00, 3,542.17 would come from the 6,293.40 kept.
    await disputed.dispute(intentId, 800_000, 'created', 'needs_response');
    await waitsForBank(t, issue(life, largest), { from: 'pending', allowed: ['cancel'] });
    await issue(life, small);
    await waitsForBank(t, issue(life, large), { from: 'pending', allowed: ['cancel'] });
    await disputed.dispute(intentId, 800_000, 'closed', 'lost');
    const { 1010: cash, 1040: owedToTrust = 0, 1110: byCard, 5020: loss = 0 } = await life.balances();
    t.deepEqual({ cash, owedToTrust, byCard, loss }, { cash: -100_000, owedToTrust: 0, byCard: 275_123, loss: 0 });
    t.deepEqual(await findingsOf(life), []);
  },
);

test.serial(
  'a check issued at the moment a dispute arrives either has gone out before the dispute, or waits for the bank',
  async (t) => {
    const { life, disputed, intentId, keptId } = await kept(t);
    await life.settle([await requestReturn(life, keptId, 100_000)]);
    const [issued] = await Promise.allSettled([
      issueOwed(life),
      disputed.dispute(intentId, TOTAL, 'created', 'needs_response'),
    ]);
    const [row] = (await life.disbursements()).slice(-1);
    t.is(row?.status, issued.status === 'fulfilled' ? 'issued' : 'pending');
    t.is((await life.balances())[1010] ?? 0, issued.status === 'fulfilled' ? -100_000 : 0);
    if (issued.status === 'rejected') await waitsForBank(t, issueOwed(life), { allowed: ['cancel'] });
  },
);
