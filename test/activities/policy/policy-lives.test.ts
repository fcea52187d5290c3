// Policies that go through random changes, each carried out by the activities on a real database: in any order, the
// row matches its transactions, invoices and refunds match what is due, and the trust is clean.
import test from 'ava';
import { checkBooks } from '../../../db/queries/billing/reconciliation/run.ts';
import type { Finding } from '../../../domain/billing/reconciliation/report.ts';
import { INSTALLMENT_PLANS } from '../../../domain/lines.ts';
import type { TermChanges } from '../../../domain/policy/transaction.ts';
import { InsuredLife, revenueFor } from './insured-life.ts';

/** An endorsement's tier may differ from that of the bind, which is at 10,000.00. */
const TIERS = [
  { tier: 1, maxCents: 900_000, agentRate: '0.125' },
  { tier: 2, maxCents: 1_050_000, agentRate: '0.135' },
  { tier: 3, maxCents: null, agentRate: '0.15' },
];
const LIVES = 6;
const CHANGES = 16;

for (let seed = 1; seed <= LIVES; seed += 1) {
  test(`a random policy life keeps its books (${seed})`, async (t) => {
    const draw = drawing(seed);
    const installmentPlan = INSTALLMENT_PLANS[draw(INSTALLMENT_PLANS.length)] ?? 'PAY_IN_FULL';
    const begun = { installmentPlan, withProducer: draw(2) === 0, startsIn: draw(2) * 10 };
    const life = await InsuredLife.begin(t, { ...begun, tiers: TIERS });
    const done: string[] = [];
    let day = 0;
    life.passTo(day);
    await life.activate();
    for (let change = 0; change < CHANGES; change += 1) {
      done.push(await liveOn(life, day, draw));
      await life.check(t);
      day = Math.min(day + draw(30), 364);
      life.passTo(day);
      const due = await life.takeEffect();
      await life.settle(due.refundIds);
      await life.check(t);
    }
    done.push(await endWithAudit(life, draw));
    await life.check(t);
    for (const { number } of await life.open()) await life.pay(number);
    await life.check(t);
    t.deepEqual(await findings(life), []);
    t.log(done.join(' '));
  });
}

/** What reconciliation finds in settled books. */
function findings(life: InsuredLife): Promise<Finding[]> {
  return life.read(async (em) => {
    const { results } = await checkBooks(em, { since: null, statementFrom: null });
    return results.flatMap((result) => result.findings);
  });
}

/** Does one thing, whether allowed or not; returns what it was. */
async function liveOn(life: InsuredLife, day: number, draw: (below: number) => number): Promise<string> {
  const what = draw(10);
  if (what < 3) return payOne(life, draw);
  if (what < 4) return bounceOne(life, draw);
  if (what < 7) {
    const changes: TermChanges = { annualRevenueCents: revenueFor(400_000 + draw(1_200_000)) };
    return allowed('endorse', life, life.endorse(draw(365), changes));
  }
  const ahead = draw(2) * draw(60);
  const method = draw(3) === 0 ? ({ method: 'pro_rata' } as const) : {};
  const { status } = await life.policy();
  if (status === 'cancelled' || (status === 'pending_cancellation' && draw(2) === 0)) {
    return allowed('reinstate', life, life.reinstate(draw(2) === 0 ? null : day));
  }
  return allowed('cancel', life, life.cancel(Math.min(day + ahead, 364), method));
}

/** Moves to the end of the term and audits it, unless the policy was never in force. */
async function endWithAudit(life: InsuredLife, draw: (below: number) => number): Promise<string> {
  life.passTo(365);
  await life.settle((await life.takeEffect()).refundIds);
  const { activities, orgId, command } = life.steps;
  await activities.expirePolicy({ orgId, entityId: life.policyId, today: life.date(365) });
  if ((await life.policy()).cancellation?.method === 'flat') return '-';
  const payload = { actualRevenueCents: revenueFor(300_000 + draw(1_500_000)), reason: null };
  return allowed('audit', life, activities.auditPolicy(command(life.policyId, payload)));
}

async function bounceOne(life: InsuredLife, draw: (below: number) => number): Promise<string> {
  const checks = await life.checks();
  const check = checks[draw(checks.length)];
  if (check === undefined) return '-';
  return allowed(
    'bounce',
    life,
    life.bounce(check.id).then(() => ({ refundIds: [] })),
  );
}

async function payOne(life: InsuredLife, draw: (below: number) => number): Promise<string> {
  const open = await life.open();
  const chosen = open[draw(open.length)];
  if (chosen === undefined) return '-';
  await life.pay(chosen.number, draw(3) === 0 ? 1 + draw(chosen.balanceCents) : undefined);
  return 'pay';
}

async function allowed(what: string, life: InsuredLife, change: Promise<{ refundIds: string[] }>): Promise<string> {
  try {
    const { refundIds } = await change;
    await life.settle(refundIds);
    return refundIds.length > 0 ? `${what}+refund` : what;
  } catch (error) {
    const { type } = error as { type?: string };
    if (['outside_policy_term', 'invalid_state_transition', 'validation_failed'].includes(type ?? ''))
      return `(${what})`;
    throw error;
  }
}

/** Draws whole numbers below a bound; the same for the same seed. */
function drawing(seed: number): (below: number) => number {
  let state = seed * 2_654_435_769;
  return (below) => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_507) + 1_013_904_223) >>> 0;
    return Math.floor((state / 4_294_967_296) * below);
  };
}
