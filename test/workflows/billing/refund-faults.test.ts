// What goes wrong during a refund: every step fails before and after its commit, events arrive before the processor's
// answer, and the processor declines. Watching one refund finds the steps, so that a new step is tried too.
import { ApplicationFailure } from '@temporalio/common';
import test from 'ava';
import { retryStepSignal } from '../../../contracts/machinery/saga.ts';
import { WAITING_MEMO } from '../../../contracts/machinery/search-attributes.ts';
import { paymentWorkflowId } from '../../../contracts/machinery/start.ts';
import { newId } from '../../../db/ids.ts';
import { eventually } from '../../support/eventually.ts';
import { STORY_MS } from '../../support/patience.ts';
import { type Engine, startEngine, type Tenant } from '../engine.ts';
import { bill, books, type Insurance, insure, SAMPLE_TOTAL_CENTS } from './billed.ts';
import {
  allReturned,
  type CardPayment,
  chargeRefunded,
  deliver,
  payByCard,
  payByCheck,
  refunded,
  refundSaga,
  sagaOf,
} from './returned.ts';

interface Fault {
  activity: string;
  at: 'before' | 'after';
  /** Whether the step is given up, as after a refusal, or retried by Temporal, as after a worker's death. */
  isFinal: boolean;
}

type Payload = { entityId?: string; refundId?: string; paymentId?: string };

const faults = new Map<string, Fault>();
const seen = new Map<string, string[]>();
/** What happens around the processor call. */
let aroundCall: ((payload: Payload, run: () => Promise<unknown>) => Promise<unknown>) | null = null;

let engine: Engine;

test.before(async (t) => {
  engine = await startEngine(t, { interfere });
});

test.afterEach.always(() => {
  aroundCall = null;
});

async function interfere(activity: string, run: () => Promise<unknown>, argument: unknown): Promise<unknown> {
  const payload = (argument ?? {}) as Payload;
  const id = payload.refundId ?? payload.entityId ?? '';
  seen.set(id, [...(seen.get(id) ?? []), activity]);
  if (activity === 'refundAtProcessor' && aroundCall) return aroundCall(payload, run);
  const fault = faults.get(id);
  if (fault?.activity !== activity) return run();
  faults.delete(id);
  if (fault.at === 'after') await run();
  if (fault.isFinal) throw ApplicationFailure.nonRetryable('injected', 'internal_error');
  throw ApplicationFailure.retryable('injected', 'internal_error');
}

const PART = 1_000_000;

/** The sample, paid by card except for a part by check. */
async function paid(insurance: Insurance): Promise<{ invoiceId: string; card: CardPayment }> {
  const { tenant } = insurance;
  const invoiceId = await bill(insurance);
  await payByCheck(engine, tenant, invoiceId, SAMPLE_TOTAL_CENTS - PART);
  return { invoiceId, card: await payByCard(engine, tenant, invoiceId, PART) };
}

/** Refunds everything with a fault on the way; resolves when the saga has ended or waits. */
async function refundWith(insurance: Insurance, fault: Fault | null) {
  const { tenant } = insurance;
  const { invoiceId, card } = await paid(insurance);
  const refundId = newId('refund');
  if (fault) faults.set(refundId, fault);
  const payload = { invoiceId, amountCents: null, reason: 'Paid twice' };
  const answer = tenant.lifecycle.refundInvoice(tenant.command(refundId, payload));
  // Answered late, or after an operator's decision.
  const isRefused = answer.then(
    () => false,
    () => true,
  );
  const handle = refundSaga(engine, tenant, refundId);
  const waitingFor = await eventually(
    async () => {
      const described = await handle.describe().catch(() => null);
      if (described === null) return null;
      if (described.status.name !== 'RUNNING') return { step: null };
      return (described.memo?.[WAITING_MEMO] as { step: string } | null | undefined) ?? null;
    },
    { what: 'the saga to end or to wait' },
  );
  return { invoiceId, card, refundId, handle, isRefused, waitingFor: waitingFor.step };
}

async function standing(tenant: Tenant, invoiceId: string, { intentId, paymentId }: CardPayment, refundId: string) {
  const { payments, entries, commissions, invoice } = await books(tenant, invoiceId);
  const row = payments.find(({ id }) => id === refundId);
  const atProcessor = await engine.providers.card.findRefund(intentId, { refundId, paymentId });
  return {
    returns: payments.filter(({ amountCents }) => amountCents < 0).length,
    status: row?.status,
    isReferenced: row?.reference === atProcessor?.id,
    refundedCents: invoice.refundedCents,
    refundedAtProcessor: atProcessor?.amountCents,
    entries: entries.filter((type) => ['return', 'payout', 'earnings_return'].includes(type)).sort(),
    commissions: commissions.filter(({ type }) => type === 'reversal').length,
  };
}

const COMPLETE = {
  returns: 1,
  status: 'succeeded',
  isReferenced: true,
  refundedCents: SAMPLE_TOTAL_CENTS,
  refundedAtProcessor: PART,
  entries: ['earnings_return', 'payout', 'return'],
  commissions: 1,
};

test.serial(
  'a fault at any step leaves the refund complete or waiting; after retryStep it is complete, and nothing is there twice',
  async (t) => {
    t.timeout(STORY_MS);
    const insurance = await insure(await engine.organization());
    const { tenant } = insurance;
    const clean = await refundWith(insurance, null);
    t.deepEqual(await standing(tenant, clean.invoiceId, clean.card, clean.refundId), COMPLETE);
    const steps = seen.get(clean.refundId) ?? [];
    t.deepEqual(steps, [
      'reserveRefund',
      'refundAtProcessor',
      'settleRefund',
      'postRefund',
      'postRefundEarnings',
      'reverseCommission',
      'endSaga',
    ]);

    for (const activity of steps) {
      for (const at of ['before', 'after'] as const) {
        for (const isFinal of [true, false]) {
          const name = `${activity}, ${at} its commit, ${isFinal ? 'for good' : 'once'}`;
          const faulty = await refundWith(insurance, { activity, at, isFinal });
          const { invoiceId, card, refundId, handle, waitingFor } = faulty;
          t.false(faults.has(refundId), `${name}: the fault was met`);
          if (activity === 'reserveRefund' && isFinal && at === 'before') {
            t.true(await faulty.isRefused, name);
            t.is((await books(tenant, invoiceId)).invoice.refundedCents, 0, name);
            continue;
          }
          t.is(waitingFor !== null, isFinal && activity !== 'reserveRefund', `${name}: waits for ${waitingFor}`);
          if (waitingFor !== null) {
            const alerts = (await books(tenant, invoiceId)).events.filter(({ data }) => data.operation === waitingFor);
            t.is(alerts.length, 1, name);
            await handle.signal(retryStepSignal, { step: waitingFor, operator: 'ada' });
          }
          await handle.result();
          t.deepEqual(await standing(tenant, invoiceId, card, refundId), COMPLETE, name);
        }
      }
    }
  },
);

test.serial('an event that overtakes the response to its call is the same refund', async (t) => {
  const tenant = await engine.organization();
  const { invoiceId, card } = await paid(await insure(tenant));
  const outcomes: string[] = [];
  aroundCall = async (_payload, run) => {
    const answer = await run();
    outcomes.push((await deliver(engine, chargeRefunded(card.intentId, 70_000))).outcome);
    return answer;
  };
  const { refundId } = await refunded(engine, tenant, invoiceId, 70_000);
  t.deepEqual(outcomes, ['known']);
  t.like(await standing(tenant, invoiceId, card, refundId), {
    returns: 1,
    status: 'succeeded',
    isReferenced: true,
    refundedCents: 70_000,
  });
});

test.serial('a refund made at the processor while ours is on its way is recorded when ours is declined', async (t) => {
  const tenant = await engine.organization();
  const { invoiceId, card } = await paid(await insure(tenant));
  const { processor } = engine.providers;
  aroundCall = async (_payload, run) => {
    processor.refund(card.intentId, 20_000);
    t.is((await deliver(engine, chargeRefunded(card.intentId, 20_000))).outcome, 'known');
    processor.planFault({ method: 'POST', path: '/v1/refunds', effect: 'decline', times: 1 });
    return run();
  };
  await t.throwsAsync(refunded(engine, tenant, invoiceId, 30_000), { code: 'payment_declined' });
  const { payments, invoice } = await eventually(
    async () => {
      const found = await books(tenant, invoiceId);
      return found.entries.includes('return') ? found : null;
    },
    { what: 'the refund that was discovered to be posted' },
  );
  t.is(invoice.refundedCents, 20_000);
  const returns = payments.filter(({ amountCents }) => amountCents < 0);
  t.deepEqual(
    returns.map(({ amountCents, status }) => [amountCents, status]),
    [
      [-30_000, 'failed'],
      [-20_000, 'succeeded'],
    ],
  );
});

test.serial('a refund on two cards, one of which declines, is the amount that the other gave back', async (t) => {
  const tenant = await engine.organization();
  const invoiceId = await bill(await insure(tenant));
  const older = await payByCard(engine, tenant, invoiceId, 600_000);
  const newer = await payByCard(engine, tenant, invoiceId, SAMPLE_TOTAL_CENTS - 600_000);
  const { processor } = engine.providers;
  aroundCall = (payload, run) => {
    if (payload.paymentId === older.paymentId) {
      processor.planFault({ method: 'POST', path: '/v1/refunds', effect: 'decline', times: 1 });
    }
    return run();
  };
  const outcome = await refunded(engine, tenant, invoiceId, 500_000);
  t.is(outcome.amountCents, SAMPLE_TOTAL_CENTS - 600_000);
  await allReturned(engine, tenant, invoiceId);
  const { balances, invoice, payments, events } = await books(tenant, invoiceId);
  t.is(invoice.refundedCents, 475_123);
  t.is(balances[1110], 600_000);
  t.deepEqual(
    payments.find(({ id }) => id === outcome.refundId)?.allocations.map(({ paymentId }) => paymentId),
    [newer.paymentId],
  );
  t.like(events.at(-1), { type: 'financial.operation_failed', data: { operation: 'refund', amount: 248.77 } });
});

test.serial(
  'two parts of a refund that go back to one card are two refunds, also when a call has to be repeated',
  async (t) => {
    const tenant = await engine.organization();
    const invoiceId = await bill(await insure(tenant));
    const checkId = await payByCheck(engine, tenant, invoiceId, SAMPLE_TOTAL_CENTS - PART);
    const card = await payByCard(engine, tenant, invoiceId, PART + 100_000);
    const { lifecycle } = tenant;
    await lifecycle.reversePayment(
      tenant.command(newId('refund'), { paymentId: checkId, reason: 'nsf', feeCents: null }),
    );
    await allReturned(engine, tenant, invoiceId);
    // The card's overpayment is refunded instead of the check.
    const applied = tenant.command(newId('payment'), { paymentId: card.paymentId, invoiceId, amountCents: null });
    await lifecycle.applyUnapplied(applied);
    await sagaOf(engine, paymentWorkflowId(tenant.orgId, applied.entityId)).result();
    const attempts = new Map<string, number>();
    aroundCall = async ({ paymentId = '' }, run) => {
      const attempt = (attempts.get(paymentId) ?? 0) + 1;
      attempts.set(paymentId, attempt);
      if (attempt === 1 && attempts.size === 2) throw ApplicationFailure.retryable('injected', 'service_unavailable');
      return run();
    };
    const { refundId } = await refunded(engine, tenant, invoiceId, PART + 100_000);
    const { payments } = await books(tenant, invoiceId);
    const { allocations = [] } = payments.find(({ id }) => id === refundId) ?? {};
    t.is(new Set(allocations.map(({ processorRefundId }) => processorRefundId)).size, 2);
    for (const { paymentId, amountCents, processorRefundId } of allocations) {
      const made = await engine.providers.card.findRefund(card.intentId, { refundId, paymentId });
      t.like(made, { id: processorRefundId, amountCents });
    }
  },
);
