// What a policy allows in each state: everything else is refused and leaves no trace.
import test from 'ava';
import { Policy } from '../../../db/entities/policy/policy.ts';
import { policyTransactions } from '../../../db/queries/policy/policies.ts';
import { allowedOperations } from '../../../domain/policy/operations.ts';
import { POLICY_STATUSES, POLICY_TRANSITIONS, type PolicyStatus } from '../../../domain/policy/policy.ts';
import { DisputedLife } from '../billing/disputed-life.ts';
import { refused } from '../steps.ts';
import { InsuredLife, revenueFor } from './insured-life.ts';

const ACTIONS = {
  endorse: (life: InsuredLife, day: number) => life.endorse(day, { annualRevenueCents: revenueFor(1_120_000) }),
  cancel: (life: InsuredLife, day: number) => life.cancel(day, day === 0 ? { reason: 'flat_not_taken' } : {}),
  schedule_cancellation: (life: InsuredLife, day: number) => life.cancel(day + 100),
  reinstate: (life: InsuredLife) => life.reinstate(),
};

/** Brings a policy into a state; returns it and the day on which it is in that state. */
const REACHED: Record<PolicyStatus, (life: InsuredLife) => Promise<number>> = {
  pending: async () => 0,
  active: async (life) => begun(life, 20),
  pending_cancellation: async (life) => {
    const day = await begun(life, 20);
    await life.cancel(100);
    return day;
  },
  cancelled: async (life) => {
    const day = await begun(life, 20);
    await life.cancel(20);
    return day;
  },
  lapsed: async (life) => {
    const day = await begun(life, 20);
    await life.pay(1);
    await life.cancel(20);
    await mark(life, 'lapsed');
    return day;
  },
  expired: async (life) => {
    const day = await begun(life, 365);
    const { orgId, activities } = life.steps;
    await activities.expirePolicy({ orgId, entityId: life.policyId, today: life.date(365) });
    return day - 1;
  },
  renewed: async (life) => {
    const day = await begun(life, 365);
    await mark(life, 'renewed');
    return day - 1;
  },
};

for (const status of POLICY_STATUSES) {
  test(`a policy that is ${status} refuses every operation it does not allow, and nothing is written`, async (t) => {
    const life = await InsuredLife.begin(t, { startsIn: 10 });
    const day = await REACHED[status](life);
    t.is((await life.policy()).status, status);
    const before = await life.everything();
    const stack = await life.read((em) => policyTransactions(em, life.policyId));
    const allowed = allowedOperations({ ...(await life.policy()), stack }, life.today);
    for (const [action, run] of Object.entries(ACTIONS)) {
      if (Object.hasOwn(POLICY_TRANSITIONS[status], action)) continue;
      const details = await refused(t, run(life, day), 'invalid_state_transition');
      const operation = action === 'schedule_cancellation' ? 'cancel' : action;
      t.deepEqual(details, { resource: 'policy', from: status, action: operation, allowed });
    }
    t.deepEqual(await life.everything(), before);
  });

  test(`a policy that is ${status} carries out every operation it allows`, async (t) => {
    for (const [action, run] of Object.entries(ACTIONS)) {
      const next = (POLICY_TRANSITIONS[status] as Partial<Record<string, PolicyStatus>>)[action];
      if (next === undefined) continue;
      const life = await InsuredLife.begin(t, { startsIn: 10 });
      const day = await REACHED[status](life);
      t.is((await run(life, day)).status, next, action);
      await life.check(t, { isQuiet: false });
    }
    t.pass();
  });
}

test('a policy can no longer be changed after its term, even before its row says so', async (t) => {
  const life = await InsuredLife.begin(t);
  life.passTo(365);
  const details = await refused(t, ACTIONS.endorse(life, 364), 'invalid_state_transition');
  t.is(details.from, 'expired');
});

test('a lapsed policy is not reinstated while premium that it earned is past due', async (t) => {
  const life = await InsuredLife.begin(t, { installmentPlan: 'QUARTERLY_4' });
  life.passTo(30);
  await life.cancel(30);
  await mark(life, 'lapsed');
  const details = await refused(t, life.reinstate(), 'not_ready');
  const [first] = await life.invoices();
  t.deepEqual(details, { missing: [], blockers: ['PAST_DUE_PREMIUM'], pastDue: (first?.totalCents ?? 0) / 100 });
  await life.pay(1);
  t.is((await life.reinstate()).status, 'active');
});

test('a lapsed policy is reinstated although the fee for a returned check is past due', async (t) => {
  const it = new DisputedLife(await InsuredLife.begin(t, { installmentPlan: 'QUARTERLY_4' }));
  const { life } = it;
  await life.pay(1);
  await it.reverse(2_500);
  await life.pay(1);
  it.passTo(30);
  await life.cancel(30);
  await mark(life, 'lapsed');
  t.deepEqual(await life.open(), [{ number: 2, balanceCents: 2_500 }]);
  t.is((await life.reinstate()).status, 'active');
});

test('a lapsed policy is reinstated while its open amount is in dispute, and not once it was written off', async (t) => {
  const it = new DisputedLife(await InsuredLife.begin(t));
  const { life } = it;
  const intentId = await it.payByCard(1, 500_000);
  await it.dispute(intentId, 500_000, 'created', 'needs_response');
  const [{ id = '', totalCents = 0 } = {}] = await life.invoices();
  await life.pay(1, totalCents - 500_000);
  it.passTo(300);
  await life.cancel(300);
  await mark(life, 'lapsed');
  const [{ balanceCents = 0 } = {}] = await life.open();
  t.true(balanceCents > 0);
  t.is((await life.reinstate()).status, 'active');

  await life.cancel(300);
  await mark(life, 'lapsed');
  await it.dispute(intentId, 500_000, 'closed', 'lost');
  it.passTo(311);
  t.like(await refused(t, life.reinstate(), 'not_ready'), { pastDue: balanceCents / 100 });
  await life.steps.activities.writeOffInvoice(life.steps.command(id, { reason: 'Out of business.' }));
  t.like(await refused(t, life.reinstate(), 'not_ready'), { pastDue: balanceCents / 100 });
});

async function begun(life: InsuredLife, day: number): Promise<number> {
  life.passTo(day);
  await life.activate();
  return day;
}

async function mark(life: InsuredLife, status: PolicyStatus): Promise<void> {
  await life.read((em) => em.nativeUpdate(Policy, { id: life.policyId }, { status }));
}
