// Commands that callers wait for, and the steps of a payment after its answer, send prepared statements only: none that
// is built for the occasion, with values in its text, for PostgreSQL to plan.
import test from 'ava';
import { newId } from '../../db/ids.ts';
import type { Statement } from '../../db/statements.ts';
import { SAMPLE_TOTAL_CENTS } from '../workflows/billing/billed.ts';
import { insuredBy, Money } from './billing/returns.ts';
import { kept, paidTo } from './claim/claim-calls.ts';
import { InsuredLife, revenueFor } from './policy/insured-life.ts';
import { prepareSteps, type Steps } from './steps.ts';

/** Transactions begin and end by themselves; the mapper looks once whether the server is there. */
const AROUND = /^(begin|commit|select 1 from pg_database where datname = \?)$/i;

interface Observed {
  steps: Steps;
  /** Runs a command; returns the statements that were not prepared. */
  unprepared: (command: () => Promise<unknown>) => Promise<string[]>;
}

async function observed(t: { title?: string }): Promise<Observed> {
  const seen: Statement[] = [];
  const steps = await prepareSteps(t, 'local', (statement) => seen.push(statement));
  const unprepared = async (command: () => Promise<unknown>) => {
    seen.length = 0;
    await command();
    return seen.filter(({ text, isPrepared }) => !isPrepared && !AROUND.test(text)).map(({ text }) => text);
  };
  return { steps, unprepared };
}

test('a submission, its quote, its bind, and the changes of its policy send prepared statements only', async (t) => {
  const { steps, unprepared } = await observed(t);
  const life = await InsuredLife.on(steps, { installmentPlan: 'QUARTERLY_4' });
  const submissionId = newId('submission');
  const { createSubmission, quoteSubmission, bindPolicy } = steps.activities;
  const risk = steps.risk({ effectiveDate: life.today });
  t.deepEqual(await unprepared(() => createSubmission(steps.command(submissionId, risk))), []);
  t.deepEqual(await unprepared(() => quoteSubmission(steps.command(submissionId, {}))), []);
  const plan = { installmentPlan: 'MONTHLY_10', quoteId: null } as const;
  t.deepEqual(await unprepared(() => bindPolicy(steps.command(submissionId, plan))), []);
  t.deepEqual(await unprepared(() => life.pay(1)), []);
  life.passTo(100);
  t.deepEqual(await unprepared(() => life.endorse(100, { annualRevenueCents: revenueFor(1_120_000) })), []);
  t.deepEqual(await unprepared(() => life.endorse(100, { annualRevenueCents: revenueFor(500_000) })), []);
  t.deepEqual(await unprepared(() => life.cancel(100)), []);
  t.deepEqual(await unprepared(() => life.reinstate()), []);
});

test('payments by check and by card, and a refund, send prepared statements only', async (t) => {
  const { steps, unprepared } = await observed(t);
  const insurance = await insuredBy(steps);
  const money = await Money.on(steps, insurance);
  t.deepEqual(await unprepared(() => money.payByCheck(100_000)), []);
  t.deepEqual(await unprepared(() => money.payByCard(SAMPLE_TOTAL_CENTS - 100_000)), []);
  t.deepEqual(await unprepared(() => money.finish()), []);
  t.deepEqual(await unprepared(() => money.refundByCheck(50_000)), []);
  t.deepEqual(await unprepared(() => money.finish()), []);
});

test('a claim is filed, reserved, settled and closed by prepared statements only', async (t) => {
  const { steps, unprepared } = await observed(t);
  const life = await InsuredLife.on(steps);
  const claimId = newId('claim');
  await kept(steps, claimId, 'A fall');
  const { activities, command } = steps;
  const notice = { policyId: life.policyId, lossDate: life.today, estimatedAmountCents: null, containsPhi: false };
  t.deepEqual(await unprepared(() => activities.fileClaim(command(claimId, notice))), []);
  const handling = { adjusterId: null, noteId: null };
  t.deepEqual(await unprepared(() => activities.investigateClaim(command(claimId, handling))), []);
  const reserves = { indemnityCents: 500_000, expenseCents: 10_000 };
  t.deepEqual(await unprepared(() => activities.reserveClaim(command(claimId, { reserves, noteId: null }))), []);
  const settlementId = await paidTo(steps, claimId, 'settlement');
  const settlement = { settlementId, amountCents: 400_000, isApproved: true, noteId: null };
  t.deepEqual(await unprepared(() => activities.settleClaim(command(claimId, settlement))), []);
});
