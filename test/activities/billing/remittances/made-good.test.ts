// A payee was paid, and some of that money is later returned, on any invoice: no account of theirs goes negative, and
// their next payment is reduced by the same amount. The worked example for every policy: premium 10,000.00, of which
// 7,750.00 is the carrier's, 1,250.00 the agent's and 1,000.00 ours; fee 250.00, tax 497.13, stamping fee 4.10.
import test, { type ExecutionContext } from 'ava';
import { newId } from '../../../../db/ids.ts';
import { cardPayment } from '../../../../db/queries/billing/payments.ts';
import { checkBooks } from '../../../../db/queries/billing/reconciliation/run.ts';
import { findRemittance } from '../../../../db/queries/billing/remittances/remittances.ts';
import { trustFigures } from '../../../../db/queries/billing/trust.ts';
import { trustFindings } from '../../../../domain/billing/ledger/trust.ts';
import { REMITTANCE_KINDS, type RemittanceKind } from '../../../../domain/billing/remittance.ts';
import { DomainError } from '../../../../domain/errors.ts';
import { SAMPLE_SHARES } from '../../../workflows/billing/billed.ts';
import { InsuredLife } from '../../policy/insured-life.ts';
import { DisputedLife } from '../disputed-life.ts';
import { postedJournal } from '../journals/posted-journal.ts';
import { remit } from './remitted.ts';

const PAYEES: Record<RemittanceKind, string> = {
  ...{ carrier: 'Default Carrier', commission: '', tax: 'TX', stamping: 'TX', transfer: '' },
};

/** Three policies of one agent: the first is paid and fully remitted, the others are not paid yet. */
async function paidOut(t: ExecutionContext) {
  const first = await InsuredLife.begin(t);
  const { steps } = first;
  const producerId = (await first.policy()).producerId ?? '';
  await first.pay(1);
  const remitAll = async () => {
    const ids: string[] = [];
    for (const kind of REMITTANCE_KINDS) {
      ids.push(await remit(steps, kind, kind === 'commission' ? producerId : PAYEES[kind]));
    }
    return first.read((em) => Promise.all(ids.map((id) => findRemittance(em, id, REMITTANCE_KINDS))));
  };
  await remitAll();
  const second = await InsuredLife.on(steps, { producerId });
  const third = await InsuredLife.on(steps, { producerId });
  return { first, second, third, remitAll };
}

/** What the trust owes payees, and what they owe it: nonzero balances in cents. */
async function owed(life: InsuredLife): Promise<Record<number, number>> {
  const accounts = new Set([1040, 1130, 1200, 2010, 2020, 2030, 2040, 2050, 2060, 2090, 2110]);
  const balances = Object.entries(await life.balances());
  return Object.fromEntries(balances.filter(([account, cents]) => accounts.has(Number(account)) && cents !== 0));
}

async function findsNothing(t: ExecutionContext, life: InsuredLife) {
  const { results } = await life.read((em) => checkBooks(em, { since: null, statementFrom: null }));
  t.deepEqual(
    results.flatMap(({ findings }) => findings),
    [],
  );
  t.deepEqual(trustFindings(await life.read(trustFigures)), []);
}

/** The ways in which all of the second policy's money, none of it remitted, goes back after payment. */
const WAYS: Record<string, (life: InsuredLife) => Promise<() => Promise<unknown>>> = {
  'a check bounces': async (life) => {
    await life.pay(1);
    return () => new DisputedLife(life).reverse();
  },
  'a bank keeps a card payment': async (life) => {
    const intentId = await new DisputedLife(life).payByCard(1);
    const payment = await life.read((em) => cardPayment(em, intentId));
    const { activities, orgId } = life.steps;
    await activities.publishPaymentEvents({ orgId, entityId: payment?.id ?? '' });
    return () => new DisputedLife(life).dispute(intentId, 1_075_123, 'closed', 'lost');
  },
  'a policy is cancelled from its first day': async (life) => {
    await life.pay(1);
    return async () => life.settle((await life.cancel(0, { method: 'flat' })).refundIds);
  },
  'an invoice is refunded in two parts': async (life) => {
    await life.pay(1);
    const { activities, command } = life.steps;
    const refund = async (amountCents: number | null) => {
      const payload = { invoiceId: (await life.invoices())[0]?.id ?? '', amountCents, reason: 'Goodwill' };
      const { refundId } = await activities.reserveRefund(command(newId('refund'), payload));
      await life.settle([refundId]);
    };
    return async () => {
      await refund(500_000);
      await refund(null);
    };
  },
};

for (const [way, pay] of Object.entries(WAYS)) {
  test(`${way}: operating cash covers what its payees were paid on another policy, and their next payment is reduced by it`, async (t) => {
    const { first, second, third, remitAll } = await paidOut(t);
    const takeBack = await pay(second);
    await new DisputedLife(first).reverse();
    // The payees' shares of the second policy cover what they were paid for the first.
    t.deepEqual(await owed(first), {});
    await takeBack();
    const { 2060: _, ...shares } = await owed(first);
    t.deepEqual(shares, { 1130: 125_000, 1200: 775_000 + 49_713 + 410 });
    await findsNothing(t, first);
    await third.pay(1);
    const { 2060: __, ...earned } = await owed(first);
    t.deepEqual(earned, { 1130: 125_000, 1200: 825_123, ...SAMPLE_SHARES });
    const paid = Object.fromEntries((await remitAll()).map((row) => [row?.kind, row?.amountCents]));
    // Our share was made good from operating cash, so it moves back there.
    t.deepEqual(paid, { commission: 0, carrier: 0, tax: 0, stamping: 0, transfer: 125_000 });
    const { 2060: ___, ...rest } = await owed(first);
    t.deepEqual(rest, {});
    await findsNothing(t, first);
  });
}

test('a manual entry that takes back money already paid to a payee is covered by operating cash, and is refused without an invoice', async (t) => {
  const { first, remitAll, third } = await paidOut(t);
  const invoiceId = (await first.invoices())[0]?.id ?? '';
  const post = (named: string | null) =>
    first.steps.database.transaction(first.steps.orgId, async (em) => {
      const facts = { date: first.today, policyId: first.policyId, invoiceId: named };
      await postedJournal(em, facts, [
        [2010, 100_000],
        [2060, -100_000],
      ]);
    });
  const refusal = await t.throwsAsync(post(null), { instanceOf: DomainError });
  t.like(refusal, { code: 'not_ready', details: { missing: ['invoiceId'], blockers: ['payee_unknown'] } });
  t.deepEqual(await owed(first), {});
  await post(invoiceId);
  // Operating cash covers none of it: the carrier owes it to the trust.
  t.deepEqual(await owed(first), { 1200: 100_000, 2060: -100_000 });
  await third.pay(1);
  const carrier = (await remitAll()).find((row) => row?.kind === 'carrier');
  t.like(carrier, { amountCents: 675_000, nettedCents: 100_000 });
  t.deepEqual(await owed(first), { 2060: -100_000 });
});
