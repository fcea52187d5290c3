// A refund that waits for approval on an invoice that is paid in part, and a policy that is cancelled meanwhile. The
// worked example: premium 10,000.00, fee 250.00, tax 497.13, stamping fee 4.10, 10,751.23 in all.
import test, { type ExecutionContext } from 'ava';
import { newId } from '../../../../db/ids.ts';
import { checkBooks } from '../../../../db/queries/billing/reconciliation/run.ts';
import { trustFigures } from '../../../../db/queries/billing/trust.ts';
import { putFlagOverride } from '../../../../db/queries/platform/flags.ts';
import { trustFindings } from '../../../../domain/billing/ledger/trust.ts';
import { InsuredLife } from '../../policy/insured-life.ts';

async function findsNothing(t: ExecutionContext, life: InsuredLife) {
  const { results } = await life.read((em) => checkBooks(em, { since: null, statementFrom: null }));
  t.deepEqual(
    results.flatMap(({ name, findings }) => findings.map((each) => ({ name, ...each }))),
    [],
  );
  t.deepEqual(trustFindings(await life.read(trustFigures)), []);
}

/** 10,000.00 paid, 5,000.00 of it to go back once approved, and the policy cancelled on day 10. */
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

// A quarter of the premium is earned at the least: 2,500.00, tax on it and on the fee 2,750.00 x 4.85 percent = 133.38,
// stamping fee 2,750.00 x 0.04 percent = 1.10, fee 250.00. Of 10,000.00, 5,000.00 wait and 2,115.52 are returned.
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

test('the same refund rejected after the cancellation is unapplied cash', async (t) => {
  const { life, refundId, returnId } = await waiting(t);
  await decide(life, returnId, 'approve');
  await decide(life, refundId, 'reject');
  t.deepEqual(await parts(life), { owned: KEPT, unshared: 500_000, owed: 211_552 });
  await findsNothing(t, life);
});
