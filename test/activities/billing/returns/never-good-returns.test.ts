// Return premium whose refund is rejected, or fails on its card, and whose payment then bounces. The worked example:
// 10,751.23 paid, of which a cancellation on day 146 owes back 6,000.00 premium, 291.00 tax and 2.40 stamping fee.
// Figures by hand, from decisions 0092, 0290 and 0316.
import test, { type ExecutionContext } from 'ava';
import { recordRefundChange } from '../../../../activities/billing/cards/failed-refunds.ts';
import type { Deps } from '../../../../activities/context.ts';
import { silentLogger } from '../../../support/logger.ts';
import { findingsOf, followed } from '../../policy/followed-payments.ts';
import { refused } from '../../steps.ts';
import type { DisputedLife } from '../disputed-life.ts';
import {
  bounce,
  cancelled,
  cancelOwed,
  closing,
  decide,
  holds,
  issueOwed,
  LEFT_TO_PAY,
  loseDispute,
  loss,
  OWED_BY_CHECK,
  payByCard,
  RETURNED,
  receiptBy,
  rejected,
  requestReturn,
  TOTAL,
  WAYS,
} from './rejected-returns.ts';

for (const [name, way] of Object.entries(WAYS)) {
  test.serial(
    `rejected return premium of ${name} is gone with it: nobody has lost anything, and none of it can be paid out`,
    async (t) => {
      const { life, disputed, intentId, keptId } = await rejected(t, way);
      await way.undo(disputed, intentId);
      t.like(await life.open(), [{ balanceCents: LEFT_TO_PAY }]);
      await holds(t, life, {});
      await refused(t, requestReturn(life, keptId, null), 'refund_exceeds_paid');
    },
  );

  test.serial(`only the part of rejected return premium of ${name} paid out before is our loss`, async (t) => {
    const { life, disputed, intentId, keptId } = await rejected(t, way);
    await life.settle([await requestReturn(life, keptId, 100_000)]);
    await life.sendChecks();
    await way.undo(disputed, intentId);
    await holds(t, life, { 1010: -100_000, ...loss(100_000) });
  });

  test.serial(`a return of rejected return premium that waits for approval ends with ${name}`, async (t) => {
    const { life, disputed, intentId, keptId } = await rejected(t, way);
    await decide(life, await requestReturn(life, keptId, 200_000), 'reject');
    const refundId = await requestReturn(life, keptId, null);
    await way.undo(disputed, intentId);
    t.like(
      (await life.refunds()).find(({ id }) => id === refundId),
      { status: 'failed' },
    );
    await refused(t, decide(life, refundId, 'approve'), 'invalid_state_transition');
    await refused(t, requestReturn(life, keptId, null), 'refund_exceeds_paid');
    t.is(await closing(t, life), LEFT_TO_PAY);
    await holds(t, life, {});
  });

  test.serial(`an unissued check for rejected return premium is given up with ${name}`, async (t) => {
    const { life, disputed, intentId, keptId } = await rejected(t, way);
    await life.settle([await requestReturn(life, keptId, 100_000)]);
    await way.undo(disputed, intentId);
    t.is((await life.disbursements()).at(-1)?.status, 'cancelled');
    await refused(t, issueOwed(life), 'invalid_state_transition');
    t.is(await closing(t, life), LEFT_TO_PAY);
    await holds(t, life, {});
  });
}

test.serial('a lost dispute of a part ends a pending return only if it takes the money of that return', async (t) => {
  const { life, disputed, intentId, keptId } = await rejected(t, { pay: payByCard });
  const small = await requestReturn(life, keptId, 150_000);
  const large = await requestReturn(life, keptId, 400_000);
  // 3,542.17 comes from the kept money, 793.40 of which no return is waiting for.
  await loseDispute(disputed, intentId, 800_000);
  const statuses = new Map((await life.refunds()).map(({ id, status }) => [id, status]));
  t.deepEqual([statuses.get(small), statuses.get(large)], ['pending_approval', 'failed']);
  await holds(t, life, { 1110: 275_123, 2070: -275_123 });
});

test.serial(
  'money a bank takes while return premium awaits approval is in the ledger before anybody decides',
  async (t) => {
    const { life, disputed, intentId, refundId } = await cancelled(t, { pay: payByCard });
    await disputed.dispute(intentId, TOTAL, 'created', 'needs_response');
    const taken = { 1040: RETURNED, 1110: 0, 5020: RETURNED };
    t.like(await life.balances(), taken);
    await disputed.dispute(intentId, TOTAL, 'closed', 'lost');
    t.like(await life.balances(), taken);
    t.deepEqual(await findingsOf(life), []);
    await decide(life, refundId, 'reject');
    t.like(await life.open(), [{ balanceCents: LEFT_TO_PAY }]);
    await holds(t, life, {});
  },
);

test.serial(
  'return premium that is rejected while a bank decides stays with the policy when the dispute is won',
  async (t) => {
    const { life, disputed, intentId, refundId } = await cancelled(t, { pay: payByCard });
    await disputed.dispute(intentId, TOTAL, 'created', 'needs_response');
    await decide(life, refundId, 'reject');
    t.is((await life.balances())[1110] ?? 0, 0);
    t.deepEqual(await findingsOf(life), []);
    await disputed.dispute(intentId, TOTAL, 'closed', 'won');
    t.is(await closing(t, life), -RETURNED);
    const { 1040: owedToTrust = 0, 1110: byCard, 5020: loss = 0 } = await life.balances();
    t.deepEqual({ owedToTrust, byCard, loss }, { owedToTrust: 0, byCard: TOTAL, loss: 0 });
    t.deepEqual(await findingsOf(life), []);
  },
);

test.serial('return premium that waited through a dispute is given back once it is won', async (t) => {
  const { life, disputed, intentId, refundId } = await cancelled(t, { pay: payByCard });
  await disputed.dispute(intentId, TOTAL, 'created', 'needs_response');
  await disputed.dispute(intentId, TOTAL, 'closed', 'won');
  await decide(life, refundId, 'approve');
  await life.settle([refundId]);
  t.is(await closing(t, life), 0);
  t.is((await life.balances())[1110], LEFT_TO_PAY);
  t.deepEqual(await findingsOf(life), []);
});

/** A card refund that the processor accepted but could not pay. */
async function failed(t: ExecutionContext) {
  const { refundId, ...owed } = await cancelled(t, { pay: payByCard }, { needsApproval: false });
  const { life, disputed, intentId } = owed;
  const { activities, orgId, database } = life.steps;
  const paymentId = await receiptBy(life, 'card');
  const given = [{ paymentId, processorRefundId: 're_1' }];
  await activities.settleRefund({ orgId, entityId: refundId, given, declined: null });
  await disputed.post(refundId);
  const now = Date.parse(life.today);
  const change = { orgId, intentId, processorRefundId: 're_1', refundId, amountCents: RETURNED, status: 'failed' };
  const deps = { now: () => now, logger: silentLogger } as unknown as Deps;
  await database.transaction(orgId, (em) => recordRefundChange(em, deps, { ...change, createdAt: now / 1000 }));
  return owed;
}

test('a check for a card refund that failed is not issued once the dispute of the payment is lost', async (t) => {
  const { life, disputed, intentId } = await failed(t);
  await loseDispute(disputed, intentId);
  await holds(t, life, { ...OWED_BY_CHECK, ...loss(RETURNED) });
  t.like(await refused(t, issueOwed(life), 'invalid_state_transition'), { allowed: ['cancel'] });
  await cancelOwed(life);
  await holds(t, life, {});
});

test('a card refund that failed and was kept is taken back once the dispute of the payment is lost', async (t) => {
  const { life, disputed, intentId } = await failed(t);
  const { kept } = await cancelOwed(life);
  await followed(life, kept ? [kept] : []);
  await loseDispute(disputed, intentId);
  t.like(await life.open(), [{ balanceCents: LEFT_TO_PAY }]);
  await holds(t, life, {});
});

test('a partial dispute takes from kept money only the amount the payment no longer holds', async (t) => {
  const { life, disputed, intentId } = await rejected(t, { pay: payByCard });
  // The payment still holds 4,457.83; of the 8,000.00, 3,542.17 comes from the kept money, and 2,751.23 stays.
  await loseDispute(disputed, intentId, 800_000);
  t.like(await life.open(), [{ balanceCents: LEFT_TO_PAY }]);
  await holds(t, life, { 1110: 275_123, 2070: -275_123 });
});

/** The state of kept money, or of a check for a card refund, when its dispute was lost and later won. */
const WON_AFTER_ALL = {
  'a return that waited': async (t: ExecutionContext) => {
    const owed = await rejected(t, { pay: payByCard });
    await requestReturn(owed.life, owed.keptId, 500_000);
    await loseDispute(owed.disputed, owed.intentId);
    return owed;
  },
  'a check that was not issued': async (t: ExecutionContext) => {
    const owed = await rejected(t, { pay: payByCard });
    await owed.life.settle([await requestReturn(owed.life, owed.keptId, 100_000)]);
    await loseDispute(owed.disputed, owed.intentId);
    return owed;
  },
  'a check that was cancelled': async (t: ExecutionContext) => {
    const owed = await failed(t);
    await loseDispute(owed.disputed, owed.intentId);
    await cancelOwed(owed.life);
    return owed;
  },
};
for (const [name, lost] of Object.entries(WON_AFTER_ALL)) {
  test.serial(`a dispute that is won after it was lost brings ${name} back as unapplied cash`, async (t) => {
    const { life, disputed, intentId } = await lost(t);
    t.is(await closing(t, life), LEFT_TO_PAY);
    await disputed.dispute(intentId, TOTAL, 'closed', 'won');
    t.is(await closing(t, life), -RETURNED);
    const { 1040: owedToTrust = 0, 2060: byCheck = 0, 2070: unapplied, 5020: loss = 0 } = await life.balances();
    t.deepEqual(
      { owedToTrust, byCheck, unapplied, loss },
      { owedToTrust: 0, byCheck: 0, unapplied: -RETURNED, loss: 0 },
    );
    t.deepEqual(await findingsOf(life), []);
  });
}

test('a dispute that is won after it was lost leaves kept money as it was', async (t) => {
  const { life, disputed, intentId } = await rejected(t, { pay: payByCard });
  const before = await life.balances();
  await loseDispute(disputed, intentId);
  await disputed.dispute(intentId, TOTAL, 'closed', 'won');
  await holds(t, life, Object.fromEntries(Object.entries(before).filter(([, cents]) => cents !== 0)));
});

async function payByTwoChecks({ life }: DisputedLife): Promise<string> {
  await life.pay(1, 475_123);
  await life.pay(1, 600_000);
  return '';
}

test.serial('each of two checks behind rejected return premium takes back its own part when it bounces', async (t) => {
  const { life, disputed } = await rejected(t, { pay: payByTwoChecks });
  // All of the second check, and 293.40 of the first.
  await bounce(disputed);
  t.like(await life.open(), [{ balanceCents: LEFT_TO_PAY }]);
  await holds(t, life, { 1010: 600_000, 2070: -600_000 });
  await bounce(disputed, '', 1);
  await holds(t, life, {});
});
