// Return premium refunded to a card that refuses it: a check is owed in its place, once. The policy costs 4,389.64, of
// which 3,000.00 was paid by card and 1,389.64 by check, and all of it is returned.
import { ApplicationFailure } from '@temporalio/common';
import test, { type ExecutionContext } from 'ava';
import { Disbursement } from '../../../db/entities/billing/disbursement.ts';
import { Policy } from '../../../db/entities/policy/policy.ts';
import { policyAccount } from '../../../db/queries/billing/account.ts';
import { checkBooks } from '../../../db/queries/billing/reconciliation/run.ts';
import { accountEntries, accountStatement } from '../../../domain/billing/account/account.ts';
import { eventually } from '../../support/eventually.ts';
import { type Engine, startEngine, type Tenant } from '../engine.ts';
import { books, insure } from './billed.ts';
import {
  type CardPayment,
  chargeRefunded,
  deliver,
  issueChecks,
  payByCard,
  payByCheck,
  refundFailed,
  refundSaga,
} from './returned.ts';

const BY_CARD = 300_000;
const BY_CHECK = 138_964;

let engine: Engine;
/** What happens around the processor call. */
let aroundCall: ((run: () => Promise<unknown>, paymentId: string) => Promise<unknown>) | null = null;

test.before(async (t) => {
  engine = await startEngine(t, {
    interfere: (activity, run, argument) => {
      const { paymentId = '' } = (argument ?? {}) as { paymentId?: string };
      return activity === 'refundAtProcessor' && aroundCall !== null ? aroundCall(run, paymentId) : run();
    },
  });
});

test.afterEach.always(() => {
  aroundCall = null;
});

interface Returning {
  tenant: Tenant;
  invoiceId: string;
  policyId: string;
  card: CardPayment;
}

async function paid(cents: readonly number[] = [BY_CARD]): Promise<Returning & { cards: CardPayment[] }> {
  const tenant = await engine.organization();
  const { invoice } = await insure(tenant);
  await payByCheck(engine, tenant, invoice.id, BY_CHECK);
  const cards: CardPayment[] = [];
  for (const each of cents) cards.push(await payByCard(engine, tenant, invoice.id, each));
  const [card] = cards;
  if (card === undefined) throw new Error('A card has paid');
  return { tenant, invoiceId: invoice.id, policyId: invoice.policyId, card, cards };
}

/** Cancelled flat: nothing is earned, and everything is returned. Waits for the saga; returns the refund. */
async function cancelled({ tenant, policyId }: Returning): Promise<string> {
  const { database, orgId, lifecycle } = tenant;
  const { effectiveDate } = await database.forOrg(orgId, (em) => em.findOneOrFail(Policy, { id: policyId }));
  const ending = { effectiveDate, reason: 'insured_request', source: null, method: 'flat' } as const;
  const { refundIds } = await lifecycle.cancelPolicy(tenant.command(policyId, ending));
  const [refundId = ''] = refundIds;
  const saga = refundSaga(engine, tenant, refundId);
  await eventually(() => saga.describe().catch(() => null), { what: 'the saga to start' });
  await saga.result();
  return refundId;
}

const owed = ({ tenant: { database, orgId }, policyId }: Returning) =>
  database.forOrg(orgId, (em) => em.find(Disbursement, { policyId }, { orderBy: { amountCents: 'asc' } }));

/** The nonzero balances, the statement's closing balance, and how much of it is owed by check. */
async function standing(t: ExecutionContext, { tenant, invoiceId, policyId }: Returning) {
  const { balances } = await books(tenant, invoiceId);
  const { account, results } = await tenant.database.forOrg(tenant.orgId, async (em) => ({
    account: await policyAccount(em, policyId),
    results: (await checkBooks(em, { since: null, statementFrom: null })).results,
  }));
  t.deepEqual(
    results.flatMap(({ name, findings }) => findings.map((each) => ({ name, ...each }))),
    [],
  );
  const { closingCents } = accountStatement(accountEntries(account), { from: null, to: '2999-12-31' });
  const open = Object.entries(balances).filter(([, cents]) => cents !== 0);
  const { refundDueCents, refundPendingCents } = account;
  return { balances: Object.fromEntries(open), closingCents, refundDueCents, refundPendingCents };
}

const decline = () =>
  engine.providers.processor.planFault({ method: 'POST', path: '/v1/refunds', effect: 'decline', times: 1 });

const NOTHING_LEFT = { closingCents: 0, refundDueCents: 0, refundPendingCents: 0 };

test.serial(
  'return premium that a card declines is owed by check, and the books are even once the check goes out',
  async (t) => {
    const returning = await paid();
    decline();
    const refundId = await cancelled(returning);
    const { payments, events } = await books(returning.tenant, returning.invoiceId);
    t.like(
      payments.find(({ id }) => id === refundId),
      { status: 'succeeded', amountCents: -(BY_CARD + BY_CHECK) },
    );
    t.like(
      events.find(({ type }) => type === 'financial.operation_failed'),
      { data: { operation: 'refund.failed', amount: 3_000 } },
    );
    t.like(await owed(returning), [{ status: 'pending', amountCents: BY_CARD + BY_CHECK }]);
    t.deepEqual(await standing(t, returning), {
      balances: { 1010: BY_CHECK, 1110: BY_CARD, 2060: -(BY_CARD + BY_CHECK) },
      ...{ closingCents: -(BY_CARD + BY_CHECK), refundDueCents: BY_CARD + BY_CHECK, refundPendingCents: 0 },
    });
    await issueChecks(returning.tenant, returning.invoiceId);
    // 4,389.64 leaves the cash, 3,000.00 of which the processor has yet to pay out.
    t.deepEqual(await standing(t, returning), { balances: { 1010: -BY_CARD, 1110: BY_CARD }, ...NOTHING_LEFT });
  },
);

test.serial('a card refund without a response is looked up: no check is owed for one that was made', async (t) => {
  const returning = await paid();
  engine.providers.processor.planFault({ method: 'POST', path: '/v1/refunds', effect: 'cut_after', times: 3 });
  const refundId = await cancelled(returning);
  const { card } = returning;
  const made = await engine.providers.card.findRefund(card.intentId, { refundId, paymentId: card.paymentId });
  t.like(made, { amountCents: BY_CARD, status: 'succeeded' });
  t.like(await owed(returning), [{ amountCents: BY_CHECK }]);
  const { balances } = await standing(t, returning);
  t.deepEqual(balances, { 1010: BY_CHECK, 2060: -BY_CHECK });
});

test.serial(
  'a card refund that has failed when it is looked up owes one check, however often its events come',
  async (t) => {
    const returning = await paid();
    const { tenant, invoiceId, card } = returning;
    let calls = 0;
    aroundCall = async (run) => {
      calls += 1;
      const answer = (await run()) as { processorRefundId: string | null };
      if (calls > 1 || answer.processorRefundId === null) return answer;
      // The total is reported before the refund fails, and the answer is lost.
      await deliver(engine, chargeRefunded(card.intentId, BY_CARD));
      engine.providers.processor.failRefund(answer.processorRefundId);
      throw ApplicationFailure.retryable('injected', 'service_unavailable');
    };
    const refundId = await cancelled(returning);
    const made = await engine.providers.card.findRefund(card.intentId, { refundId, paymentId: card.paymentId });
    const of = { orgId: tenant.orgId, invoiceId, refundId };
    const failed = () => deliver(engine, refundFailed(card.intentId, made?.id ?? '', BY_CARD, of));
    t.is((await failed()).outcome, 'known');
    t.is((await failed()).outcome, 'known');
    t.like(await owed(returning), [
      { amountCents: BY_CHECK, cause: 'refund' },
      { amountCents: BY_CARD, cause: 'card_refund_failed', processorRefundId: made?.id },
    ]);
    const { balances } = await standing(t, returning);
    t.deepEqual(balances, { 1010: BY_CHECK, 1110: BY_CARD, 2060: -(BY_CARD + BY_CHECK) });
  },
);

test.serial('a card refund that fails after it was accepted comes to the same end, once', async (t) => {
  const returning = await paid();
  const { tenant, invoiceId, card } = returning;
  const refundId = await cancelled(returning);
  t.like(await owed(returning), [{ amountCents: BY_CHECK }]);
  const made = await engine.providers.card.findRefund(card.intentId, { refundId, paymentId: card.paymentId });
  engine.providers.processor.failRefund(made?.id ?? '');
  const of = { orgId: tenant.orgId, invoiceId, refundId };
  const failed = () => deliver(engine, refundFailed(card.intentId, made?.id ?? '', BY_CARD, of));
  const outcomes = await Promise.all([failed(), failed()]);
  t.deepEqual(outcomes.map(({ outcome }) => outcome).sort(), ['alerted', 'known']);
  t.like(await owed(returning), [{ amountCents: BY_CHECK }, { amountCents: BY_CARD }]);
  await issueChecks(tenant, invoiceId);
  t.deepEqual(await standing(t, returning), { balances: { 1010: -BY_CARD, 1110: BY_CARD }, ...NOTHING_LEFT });
});

test.serial(
  'a check pays the rest of return premium when one of two cards refuses and the other takes its part',
  async (t) => {
    const returning = await paid([100_000, 200_000]);
    const [older, newer] = returning.cards;
    // The newer card comes first.
    aroundCall = (run, paymentId) => {
      if (paymentId === newer?.paymentId) decline();
      return run();
    };
    const refundId = await cancelled(returning);
    const part = { refundId, paymentId: older?.paymentId ?? '' };
    t.like(await engine.providers.card.findRefund(older?.intentId ?? '', part), { amountCents: 100_000 });
    t.like(await owed(returning), [{ amountCents: 200_000 + BY_CHECK }]);
    const { balances } = await standing(t, returning);
    t.deepEqual(balances, { 1010: BY_CHECK, 1110: 200_000, 2060: -(200_000 + BY_CHECK) });
  },
);
