// Refunds that settle, or fail, after their invoice has changed: a reversal or dispute has reopened it, or a credit
// has made it smaller. The worked example: premium 10,000.00, fee 250.00, tax 497.13, stamping fee 4.10, 10,751.23 in
// all; cancelled pro rata on day 146 of 365, 6,293.40 less. Figures by hand.
import test, { type ExecutionContext } from 'ava';
import { Payment } from '../../../../db/entities/billing/payment.ts';
import { newId } from '../../../../db/ids.ts';
import { invoiceAmounts } from '../../../../db/queries/billing/invoices.ts';
import { checkBooks } from '../../../../db/queries/billing/reconciliation/run.ts';
import { listUnapplied } from '../../../../db/queries/billing/unapplied-cash.ts';
import { invoiceBalance } from '../../../../domain/billing/invoice.ts';
import { partsOfLines } from '../../../../domain/policy/parts.ts';
import { InsuredLife, revenueFor } from '../../policy/insured-life.ts';
import { DisputedLife } from '../disputed-life.ts';

const TOTAL = 1_075_123;
const RETURNED = 629_340;
const KEPT = TOTAL - RETURNED;
/** Shares of the price of a cancelled policy. */
const SHARED = {
  ...{ 1120: 65_000, 2010: -310_000, 2020: -50_000, 2030: -40_000, 2040: -20_613, 2050: -170, 2090: -25_000 },
  ...{ 4010: -40_000, 4020: -25_000 },
};

async function begin(t: ExecutionContext): Promise<DisputedLife> {
  return new DisputedLife(await InsuredLife.begin(t));
}

/** Cancels the policy; returns the refunds, none of them settled. */
async function cancel(it: DisputedLife): Promise<readonly string[]> {
  it.passTo(146);
  return (await it.life.cancel(146, { reason: 'insured_request', method: 'pro_rata' })).refundIds;
}

async function balance({ life }: DisputedLife): Promise<number> {
  const [invoice] = await life.invoices();
  return invoice === undefined ? Number.NaN : invoiceBalance(invoiceAmounts(invoice));
}

/**
 * Asserts that these are the nonzero balances, and that reconciliation finds nothing in invoices, returns and parts.
 */
async function holds(t: ExecutionContext, { life }: DisputedLife, expected: Record<number, number>) {
  const balances = Object.entries(await life.balances()).filter(([, cents]) => cents !== 0);
  t.deepEqual(Object.fromEntries(balances), expected);
  const { results } = await life.read((em) => checkBooks(em, { since: null, statementFrom: null }));
  const checks = results.filter(({ name }) => /^(invoice_|covered|return_entries|policy_(billed|ledger))/.test(name));
  t.deepEqual(
    checks.flatMap(({ findings }) => findings),
    [],
  );
}

for (const isDeclined of [false, true]) {
  const end = isDeclined ? 'is declined' : 'settles';
  test(`return premium is not payable again when its refund ${end} after a reversal`, async (t) => {
    const it = await begin(t);
    await it.life.pay(1);
    const refundIds = await cancel(it);
    await t.throwsAsync(it.reverse(), { message: /does not exist yet/ }, 'the ledger waits for the answer');
    await it.life.settle(refundIds, { isDeclined });
    t.is(await balance(it), KEPT);
    const [reversal] = await it.life.read((em) => em.find(Payment, { kind: 'reversal' }));
    const { orgId, activities } = it.life.steps;
    await activities.postRefund({ orgId, entityId: reversal?.id ?? '' });
    await it.life.pay(1);
    const covered: Record<number, number> = { 1040: RETURNED, 2060: -RETURNED, 2110: -RETURNED, 5020: RETURNED };
    await holds(t, it, { ...SHARED, 1010: KEPT, ...(isDeclined ? {} : covered) });
    await it.life.check(t);
  });
}

for (const outcome of ['won', 'lost'] as const) {
  test(`return premium is not payable again when a dispute that is ${outcome} opened its invoice`, async (t) => {
    const it = await begin(t);
    const intentId = await it.payByCard(1, 400_000);
    await it.life.pay(1);
    await it.dispute(intentId, 400_000, 'created', 'needs_response');
    await it.life.settle(await cancel(it));
    await it.dispute(intentId, 400_000, 'closed', outcome);
    t.is(await balance(it), 0);
    // The bank has 4,000.00 of the return, or we have it as unapplied money; the rest of it is owed by check.
    const byCheck = { 1010: TOTAL - 400_000, 2060: 400_000 - RETURNED };
    const unapplied: Record<number, number> = outcome === 'won' ? { 1110: 400_000, 2070: -400_000 } : {};
    await holds(t, it, { ...SHARED, ...byCheck, ...unapplied });
    if (outcome === 'lost') await it.life.check(t);
  });
}

test('a reserved refund is credited like a debt, and the part that stays after all is unapplied', async (t) => {
  const it = await begin(t);
  await it.life.pay(1, 600_000);
  const [invoice] = await it.life.invoices();
  const { activities, command } = it.life.steps;
  const payload = { invoiceId: invoice?.id ?? '', amountCents: null, reason: 'Asked for' };
  const { refundId } = await activities.reserveRefund(command(newId('refund'), payload));
  t.deepEqual(await cancel(it), [], 'nothing is left to return in money');
  const [credited] = await it.life.invoices();
  const parts = { premiumCents: 400_000, taxCents: 20_613, stampingCents: 170, feeCents: 25_000 };
  t.deepEqual(partsOfLines(credited?.lines ?? []), parts);
  await it.life.settle([refundId], { isDeclined: true });
  t.is(await balance(it), 0);
  await holds(t, it, { ...SHARED, 1010: 600_000, 2070: KEPT - 600_000 });
  const { data } = await it.life.read((em) => listUnapplied(em, {}, { limit: 10, cursor: undefined }));
  t.deepEqual(
    data.map(({ unappliedCents }) => unappliedCents),
    [600_000 - KEPT],
  );
});

test('an invoice with only refunded money left shares out nothing, not even a cent', async (t) => {
  const it = await begin(t);
  await it.life.pay(1);
  // The agent gave up 125.01 of 1,000.03, and 12.5 percent of that alone is 125.00.
  await it.life.endorse(0, { annualRevenueCents: revenueFor(1_000_000 - 100_003) });
  const [refund] = await it.life.refunds();
  t.is(refund?.composition?.premiumCents, 100_003);
  await it.life.settle([refund?.id ?? '']);
  await it.reverse();
  await it.life.cancel(0, { reason: 'flat_not_taken', method: 'flat' });
  const cents = 0 - (refund?.amountCents ?? 0);
  await holds(t, it, { 1040: cents, 2060: -cents, 2110: -cents, 5020: cents });
});

test('a chargeback that is posted after a credit has settled its invoice again takes nothing from the shares', async (t) => {
  const it = await begin(t);
  const [stolen, disputed] = [await it.payByCard(1, 100_000), await it.payByCard(1, 400_000)];
  await it.life.pay(1);
  const { refundId } = await it.hearOf(disputed, 400_000, 'created', 'needs_response');
  await it.dispute(stolen, 100_000, 'closed', 'lost');
  const refundIds = await cancel(it);
  await it.post(refundId ?? '');
  await it.life.settle(refundIds);
  // The credit covers what was stolen, the bank has 4,000.00 of the return, and the rest of it is owed by check.
  const receivedCents = TOTAL - 100_000 - 400_000;
  const expected = { ...SHARED, 1010: receivedCents, 2060: KEPT - receivedCents };
  await holds(t, it, expected);
  await it.dispute(disputed, 400_000, 'closed', 'lost');
  t.is(await balance(it), 0);
  await holds(t, it, expected);
  await it.life.check(t);
});
