// Uncollectible invoices. The worked example: premium 10,000.00, fee 250.00, tax 497.13, stamping fee 4.10, 10,751.23
// in all. Figures by hand, from docs/decisions/0119.
import test, { type ExecutionContext } from 'ava';
import { AuditEntry } from '../../../../db/entities/platform/audit-entry.ts';
import { newId } from '../../../../db/ids.ts';
import { checkBooks } from '../../../../db/queries/billing/reconciliation/run.ts';
import { agedBalances } from '../../../../db/queries/insight/receivables.ts';
import { NO_PARTS, partsOfLines } from '../../../../domain/policy/parts.ts';
import { nextStepOf } from '../../../../plans/billing/delinquency-facts.ts';
import { shownTransactions } from '../../../../plans/policy/transaction-effects.ts';
import { InsuredLife } from '../../policy/insured-life.ts';
import { refused } from '../../steps.ts';

const TOTAL = 1_075_123;

const writeOff = async ({ steps }: InsuredLife, invoiceId: string) =>
  steps.activities.writeOffInvoice(steps.command(invoiceId, { reason: 'Out of business.' }));

async function invoiceAt(life: InsuredLife, number: number) {
  const invoice = (await life.invoices())[number - 1];
  if (invoice === undefined) throw new Error(`There is no invoice ${number}`);
  return invoice;
}

/** Asserts that these accounts are the only nonzero ones, with no finding in the books. */
async function holds(t: ExecutionContext, life: InsuredLife, expected: Record<number, number>) {
  const balances = Object.entries(await life.balances()).filter(([, cents]) => cents !== 0);
  t.deepEqual(Object.fromEntries(balances), expected);
  const { results } = await life.read((em) => checkBooks(em, { since: null, statementFrom: null }));
  t.deepEqual(
    results.flatMap(({ findings }) => findings),
    [],
  );
  await life.check(t);
}

test('an unpaid invoice that is written off is in no account, and later money pays it like any other', async (t) => {
  const life = await InsuredLife.begin(t);
  life.passTo(20);
  const { id } = await invoiceAt(life, 1);
  await writeOff(life, id);
  t.truthy((await invoiceAt(life, 1)).uncollectibleAt);
  const [row] = await life.read((em) => em.find(AuditEntry, { entityId: id, action: 'invoice:write_off' }));
  t.like(row?.changes, { writtenOffCents: { before: null, after: TOTAL }, reason: 'Out of business.' });
  await holds(t, life, {});
  await refused(t, writeOff(life, id), 'invalid_state_transition');
  await life.pay(1);
  t.is((await invoiceAt(life, 1)).uncollectibleAt, null);
  await holds(t, life, {
    ...{ 1010: TOTAL, 1120: 125_000, 2010: -775_000, 2020: -125_000, 2030: -100_000, 2040: -49_713, 2050: -410 },
    ...{ 2090: -25_000, 4010: -100_000, 4020: -25_000 },
  });
});

test('the paid part of an invoice is shared out in proportion, and only the rest is written off', async (t) => {
  const life = await InsuredLife.begin(t);
  await life.pay(1, 400_000);
  life.passTo(20);
  const { id, lines } = await invoiceAt(life, 1);
  t.deepEqual(
    lines.map(({ code }) => code),
    ['PREMIUM', 'POLICY_FEE', 'SL_TAX', 'STAMPING_FEE'],
  );
  await writeOff(life, id);
  // 4,000.00 of 10,751.23: premium 3,720.50, fee 93.01, tax 184.96, stamping fee 1.53; 12.5 and 10 percent of premium.
  const shared = {
    ...{ 1010: 400_000, 1120: 46_506, 2010: -288_339, 2020: -46_506, 2030: -37_205, 2040: -18_496, 2050: -153 },
    ...{ 2090: -9_301, 4010: -37_205, 4020: -9_301 },
  };
  await holds(t, life, shared);
  const invoices = await life.invoices();
  const rest = invoices.find(({ restOf }) => restOf === id);
  t.like(
    invoices.find((each) => each.id === id),
    { totalCents: 400_000, paidCents: 400_000, uncollectibleAt: null },
  );
  t.like(rest, { totalCents: 675_123, paidCents: 0, dueDate: life.start });
  t.truthy(rest?.uncollectibleAt);
  // The transaction that billed it still shows what it billed.
  const billed = async () => {
    const [policy, stack] = [await life.policy(), await life.stack()];
    const [first] = await life.read((em) => shownTransactions(em, policy, { stack, today: life.today }));
    return first?.effect.invoices;
  };
  const asBilled = [{ invoiceId: id, dueDate: life.start, totalCents: TOTAL, changeCents: TOTAL }];
  t.deepEqual(await billed(), asBilled);
  // A partial payment of the rest stays unapplied until all of it is there, or what remains is written off again.
  const number = invoices.findIndex(({ restOf }) => restOf === id) + 1;
  await life.pay(number, 75_123);
  await holds(t, life, { ...shared, 1010: 475_123, 2070: -75_123 });
  await writeOff(life, rest?.id ?? '');
  t.deepEqual(await billed(), asBilled);
  const last = (await life.invoices()).findIndex(({ restOf }) => restOf === rest?.id) + 1;
  await life.pay(last);
  // In three parts: premium 3,720.50 + 698.74 + 5,580.76; the agent has 465.06 + 87.34 + 697.60.
  await holds(t, life, {
    ...{ 1010: TOTAL, 1120: 125_000, 2010: -775_000, 2020: -125_000, 2030: -100_000, 2040: -49_713, 2050: -410 },
    ...{ 2090: -25_000, 4010: -100_000, 4020: -25_000 },
  });
});

test('the paid part of an invoice that returned premium bills that premium only, and paying the rest covers every other part', async (t) => {
  const life = await InsuredLife.begin(t, { installmentPlan: 'SEMI_ANNUAL_2', withProducer: false });
  await life.pay(1);
  await life.pay(2);
  const [first, second] = await life.checks();
  await life.bounce(first?.id ?? '');
  life.passTo(146);
  // Of 10,000.00 premium 146 of 365 days are earned: 4,000.00, with the fee 250.00, tax 4.85% of 4,250.00 = 206.13 and
  // stamping 0.04% = 1.70: 4,457.83. The unpaid 5,751.23 are credited, and of 5,000.00 premium paid 542.17 return: the
  // rest now pays for the fee and the taxes too.
  const { refundIds = [] } = await life.cancel(146, { method: 'pro_rata' });
  await life.settle(refundIds);
  await life.sendChecks();
  await life.bounce(second?.id ?? '');
  life.passTo(200);
  const { id } = await invoiceAt(life, 2);
  await writeOff(life, id);
  t.deepEqual(partsOfLines((await invoiceAt(life, 2)).lines), { ...NO_PARTS, premiumCents: 54_217 });
  const open = await life.open();
  t.deepEqual(
    open.map(({ balanceCents }) => balanceCents),
    [445_783],
  );
  for (const { number } of open) await life.pay(number);
  const { 2010: carrier, 2030: ours, 2040: tax, 2050: stamping, 2090: fee } = await life.balances();
  t.deepEqual(
    { carrier, ours, tax, stamping, fee },
    { carrier: -360_000, ours: -40_000, tax: -20_613, stamping: -170, fee: -25_000 },
  );
  await life.check(t);
});

test('money a refund may still take is not shared out: until it is decided, nothing is written off', async (t) => {
  const life = await InsuredLife.begin(t);
  const { activities, command, orgId } = life.steps;
  await life.pay(1, 400_000);
  const { id } = await invoiceAt(life, 1);
  const reserve = { invoiceId: id, amountCents: 100_000, reason: 'Paid too much.' };
  const { refundId } = await activities.reserveRefund(command(newId('refund'), reserve));
  life.passTo(20);
  const refusal = await refused(t, writeOff(life, id), 'invalid_state_transition');
  t.like(refusal, { from: 'refund_pending', allowed: ['pay', 'payment_intent', 'refund'] });
  const declined = { message: 'No.', details: {} };
  await activities.settleRefund({ orgId, entityId: refundId, given: [], declined });
  await writeOff(life, id);
  t.like(await invoiceAt(life, 1), { totalCents: 400_000 });
});

test('a written-off amount neither makes a policy past due nor counts as receivable', async (t) => {
  const life = await InsuredLife.begin(t, { installmentPlan: 'QUARTERLY_4' });
  await life.activate();
  life.passTo(5);
  const next = async () => {
    const policy = await life.policy();
    return life.read((em) => nextStepOf(em, policy, life.date(5)));
  };
  t.like(await next(), { step: 'past_due', on: life.date(1) });
  await writeOff(life, (await invoiceAt(life, 1)).id);
  t.like(await next(), { step: 'past_due', on: life.date(life.dayOf((await invoiceAt(life, 2)).dueDate) + 1) });
  const buckets = await life.read((em) => agedBalances(em, life.date(5)));
  t.deepEqual(
    buckets.slice(0, 2).map(({ balanceCents }) => balanceCents),
    [750_000, 0],
  );
  await refused(t, writeOff(life, (await invoiceAt(life, 2)).id), 'invalid_state_transition');
});

test('return premium reduces the written-off amount, so that premium never paid does not go back', async (t) => {
  const life = await InsuredLife.begin(t);
  await life.activate();
  life.passTo(20);
  await writeOff(life, (await invoiceAt(life, 1)).id);
  life.passTo(146);
  const { refundIds } = await life.cancel(146, { method: 'pro_rata' });
  t.deepEqual(refundIds, []);
  await holds(t, life, {});
});

test('a written-off invoice can be voided, and a paid or void one cannot be written off', async (t) => {
  const life = await InsuredLife.begin(t, { installmentPlan: 'SEMI_ANNUAL_2' });
  await life.pay(2);
  life.passTo(200);
  const { activities, command } = life.steps;
  const [first, second] = [await invoiceAt(life, 1), await invoiceAt(life, 2)];
  await refused(t, writeOff(life, second.id), 'invalid_state_transition');
  await writeOff(life, first.id);
  const again = await refused(t, writeOff(life, first.id), 'invalid_state_transition');
  t.like(again, { from: 'uncollectible', allowed: ['pay', 'payment_intent', 'void'] });
  await activities.voidInvoice(command(first.id, { reason: 'A mistake', reissue: false }));
  await refused(t, writeOff(life, first.id), 'invalid_state_transition');
});
