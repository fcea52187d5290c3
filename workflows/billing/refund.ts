/**
 * Returned money, from its reservation to the ledgers. One update reserves, sends and settles a refund that a user
 * requests, another records a reversal; a refund that needs approval waits here for the decision; a refund reported by
 * the processor, or a chargeback, is recorded before this starts. The rows are the truth.
 */
import {
  ApplicationFailure,
  allHandlersFinished,
  condition,
  proxyActivities,
  proxyLocalActivities,
  setHandler,
  upsertSearchAttributes,
} from '@temporalio/workflow';
import type { CardRefundAnswer, Decline } from '../../activities/billing/refunds/refund-processor.ts';
import type { RefundSettlement, SettledRefund } from '../../activities/billing/refunds/refunds.ts';
import type { Activities } from '../../activities/create-activities.ts';
import {
  decideRefundUpdate,
  type PaymentOutcome,
  type RefundDecisionPayload,
  type RefundOutcome,
  type RefundWorkflowInput,
  type ReversePayload,
  refundUpdate,
  returnUpdate,
  reverseUpdate,
} from '../../contracts/billing.ts';
import { type Command, type Repeatable, rowChangedSignal } from '../../contracts/machinery/command.ts';
import { PRIORITY } from '../../contracts/machinery/queues.ts';
import type { MoneyStep } from '../../contracts/machinery/saga.ts';
import { SAGA_STATUS, SEARCH_ATTRIBUTES } from '../../contracts/machinery/search-attributes.ts';
import { policyWorkflowId, refundWorkflowId, startOptions } from '../../contracts/machinery/start.ts';
import { dollarText } from '../../domain/money.ts';
import { notifyRowChanged, startOutliving } from '../machinery/children.ts';
import { innerFailure, isRefusal } from '../machinery/failures.ts';
import { MONEY_STEP, ONE_TRANSACTION, REFUNDING } from '../machinery/options.ts';
import { activitiesOn } from '../machinery/queues.ts';
import { Saga } from '../machinery/saga.ts';
import { startFollowingPayment } from './following.ts';

const { reserveRefund, reserveReturn, decideRefund, reversePayment, endSaga } =
  proxyLocalActivities<Activities>(ONE_TRANSACTION);
const { refundAtProcessor } = activitiesOn('outside', { ...REFUNDING, summary: 'card processor gives back' });
// Not local: an operator who must decide on it has to see it.
const { settleRefund, readRefund } = proxyActivities<Activities>({
  ...MONEY_STEP,
  priority: { priorityKey: PRIORITY.caller },
  summary: 'refund is recorded',
});
const { postRefund } = proxyActivities<Activities>({ ...MONEY_STEP, summary: 'fiduciary ledger: 20xx / 2060 / cash' });
const { postRefundEarnings } = proxyActivities<Activities>({
  ...MONEY_STEP,
  summary: 'general ledger: 4010 4020 / 1120',
});
const { reverseCommission } = proxyActivities<Activities>({ ...MONEY_STEP, summary: 'commission is taken back' });

export async function refundWorkflow({ orgId, refundId, recorded }: RefundWorkflowInput): Promise<void> {
  const of = { orgId, entityId: refundId };
  const saga = new Saga(of);
  const giving = new GivingBack(saga, of, recorded ?? null);
  setHandler(refundUpdate, (command) => giving.carryOut(() => reserveRefund(command)), {
    description: 'Refunds an invoice: reserves the money, calls the card processor and records the result.',
  });
  setHandler(returnUpdate, (command) => giving.carryOut(() => reserveReturn(command)), {
    description: 'Returns unapplied cash to the payer the way it came.',
  });
  setHandler(decideRefundUpdate, (command) => giving.decide(command), {
    description: 'Approves or rejects a refund that waits for a decision.',
  });
  setHandler(reverseUpdate, (command) => giving.reverse(command), {
    description: 'Reverses a payment that was returned or recorded by mistake.',
  });
  setHandler(rowChangedSignal, () => giving.lookAgain(), { description: 'Reads the row of a waiting refund again.' });
  await condition(() => giving.isAnswered);
  // A worker that died between the reservation and its answer left a row behind: the row decides.
  if (giving.isUncertain) await giving.resume();
  for (const discovered of giving.discovered) await startDiscovered(orgId, discovered);
  if (giving.kept !== null) await startFollowingPayment(orgId, giving.kept);
  const { policyToNotify = null, otherPoliciesToNotify = [], endedRefunds = [] } = giving.refund ?? {};
  // Comes first, so that a failing step cannot stop the policies from learning that money is due again.
  const toNotify = [...(policyToNotify === null ? [] : [policyToNotify]), ...otherPoliciesToNotify];
  for (const policyId of new Set([...toNotify, ...giving.policiesToNotify])) {
    await notifyRowChanged(policyWorkflowId(orgId, policyId));
  }
  for (const refundId of endedRefunds) await notifyRowChanged(refundWorkflowId(orgId, refundId));
  if (giving.refund) await post(saga, of, giving.refund);
  else upsertSearchAttributes([{ key: SEARCH_ATTRIBUTES.entityStatus, value: SAGA_STATUS.refused }]);
  await saga.step('end', () => endSaga(of));
  await saga.close();
  await condition(allHandlersFinished);
}

/** The applicable steps: money that was never shared out has earned no commission or fees. */
async function post(saga: Saga, of: MoneyStep, refund: RefundOutcome): Promise<void> {
  saga.entitle(titleOf(refund));
  let isShared = true;
  await saga.step('fiduciary ledger', async () => {
    const { splitCents } = await postRefund(of);
    isShared = splitCents > 0;
  });
  if (!isShared) return;
  await saga.step('general ledger', () => postRefundEarnings(of));
  if (refund.hasProducer) await saga.step('commission', () => reverseCommission(of));
}

/** The operator's heading: how much, of what. */
function titleOf({ amountCents, invoiceNumber, policyNumber }: RefundOutcome): string {
  const of = invoiceNumber ?? 'no invoice';
  return `${dollarText(amountCents)} of ${of}${policyNumber ? `, policy ${policyNumber}` : ''}`;
}

/** Starts the saga of a refund mistaken for another, or owed in its place; it outlives this workflow. */
async function startDiscovered(orgId: string, refund: RefundOutcome): Promise<void> {
  const { refundId, policyNumber, isReserved = false } = refund;
  const facts = { orgId, entityId: refundId, policyNumber: policyNumber ?? undefined };
  const options = startOptions(refundWorkflowId(orgId, refundId), 'saga', facts);
  const input: RefundWorkflowInput = isReserved ? { orgId, refundId } : { orgId, refundId, recorded: refund };
  await startOutliving(refundWorkflow, input, options);
}

/** How the refund was recorded: before the start, by the update, or found in the rows. */
class GivingBack {
  refund: RefundOutcome | null;
  discovered: RefundOutcome[] = [];
  kept: PaymentOutcome | null = null;
  policiesToNotify: string[] = [];
  readonly #saga: Saga;
  readonly #of: MoneyStep;
  #requested = 0;
  #answered = 0;
  #isLost = false;
  #isDeferred = false;
  #isDecided = false;

  constructor(saga: Saga, of: MoneyStep, recorded: RefundOutcome | null) {
    this.#saga = saga;
    this.#of = of;
    this.refund = recorded;
    if (recorded !== null) this.#requested = this.#answered = 1;
  }

  get isAnswered(): boolean {
    return this.#answered === this.#requested;
  }

  /** Whether the row must be read: no command has arrived, its outcome was lost, or the refund awaits approval. */
  get isUncertain(): boolean {
    return this.refund === null && (this.#requested === 0 || this.#isLost || this.#isDeferred);
  }

  carryOut(reserve: () => Promise<Repeatable<RefundOutcome>>): Promise<RefundOutcome> {
    return this.#answer(async () => {
      const { repeated, ...reserved } = await reserve();
      this.#isDeferred = reserved.awaitsApproval;
      if (this.#isDeferred) return reserved;
      const known = repeated ? await readRefund(this.#of) : null;
      return this.#accept(known?.settled ?? (await this.#settle(reserved, repeated === true)));
    });
  }

  reverse(command: Command<ReversePayload>): Promise<RefundOutcome> {
    return this.#answer(async () => {
      const { repeated: _, ...reversal } = await reversePayment(command);
      this.refund ??= reversal;
      return reversal;
    });
  }

  async #answer(work: () => Promise<RefundOutcome>): Promise<RefundOutcome> {
    this.#requested += 1;
    try {
      return await work();
    } catch (error) {
      this.#isLost ||= !isRefusal(error);
      throw innerFailure(error);
    } finally {
      this.#answered += 1;
    }
  }

  /** The caller is answered once the decision is recorded; its consequences continue on their own. */
  async decide(command: Command<RefundDecisionPayload>): Promise<RefundOutcome> {
    try {
      const { refund, kept = null, ...released } = await decideRefund(command);
      this.kept = kept;
      this.#follow(released);
      this.#isDecided = true;
      return refund;
    } catch (error) {
      throw innerFailure(error);
    }
  }

  /** The refund may have ended without a decision: the money behind it was never good. */
  lookAgain(): void {
    this.#isDecided = true;
  }

  /**
   * Continues from the rows, once any required decision is recorded; the caller already knows if a refund was
   * declined.
   */
  async resume(): Promise<void> {
    while (await this.#goOn()) {
      await this.#saga.waitForApproval('somebody else has to approve the refund', () => this.#isDecided);
    }
  }

  /** True if the refund awaits approval. */
  async #goOn(): Promise<boolean> {
    let awaitsApproval = false;
    this.#isDecided = false;
    await this.#saga.step('refund', async () => {
      const known = await readRefund(this.#of);
      if (known !== null) this.#saga.entitle(titleOf(known.refund));
      awaitsApproval = known?.refund.awaitsApproval === true;
      if (known?.settled) this.#take(known.settled);
      else if (known?.isPending) this.#take(await this.#settle(known.refund, true));
      else if (known && !known.isFailed && !awaitsApproval) this.refund = known.refund;
    });
    return awaitsApproval;
  }

  #accept(settled: SettledRefund): RefundOutcome {
    const { refund, declined } = this.#take(settled);
    if (refund !== null) return refund;
    const { message, details } = declined ?? GIVEN_UP;
    throw ApplicationFailure.nonRetryable(message, 'payment_declined', details);
  }

  #take(settled: SettledRefund): SettledRefund {
    this.refund ??= settled.refund;
    this.#follow(settled);
    return settled;
  }

  #follow({ discovered, policiesToNotify = [] }: Pick<SettledRefund, 'discovered' | 'policiesToNotify'>): void {
    this.discovered = discovered;
    this.policiesToNotify = policiesToNotify;
  }

  /**
   * Refunds one receipt after the other; if one is declined, the refund is the amount returned so far. For return
   * premium that a card will never take back, the other receipts are still refunded.
   */
  async #settle(reserved: RefundOutcome, isRepeat: boolean): Promise<SettledRefund> {
    const refused: { paymentId: string; processorRefundId: string | null }[] = [];
    const settlement: RefundSettlement = { ...this.#of, given: [], refused, declined: null };
    for (const { paymentId, intentId, amountCents } of reserved.cardAllocations) {
      const order = { ...this.#order(reserved), paymentId, intentId, amountCents };
      const { processorRefundId, declined } = await this.#ask(order, isRepeat);
      settlement.declined ??= declined;
      const refusal = reserved.isReturnPremium ? declined?.refusal : undefined;
      if (processorRefundId !== null) settlement.given.push({ paymentId, processorRefundId });
      else if (refusal) refused.push({ paymentId, ...refusal });
      else break;
    }
    const outcome: { settled: SettledRefund | null } = { settled: null };
    await this.#saga.step('refund record', async () => {
      outcome.settled = await settleRefund(settlement);
    });
    return outcome.settled ?? { refund: null, declined: GIVEN_UP, discovered: [] };
  }

  #order({ invoiceId }: RefundOutcome) {
    const { orgId, entityId: refundId } = this.#of;
    return { orgId, refundId, invoiceId: invoiceId ?? '' };
  }

  async #ask(order: Omit<Parameters<typeof refundAtProcessor>[0], 'isRepeat'>, isRepeat: boolean) {
    let isUncertain = isRepeat;
    const outcome: { answer: CardRefundAnswer } = { answer: { processorRefundId: null, declined: GIVEN_UP } };
    await this.#saga.step('card refund', async () => {
      const request = { ...order, isRepeat: isUncertain };
      isUncertain = true;
      outcome.answer = await refundAtProcessor(request);
    });
    return outcome.answer;
  }
}

/** An operator has skipped the processor call, or the recording. */
const GIVEN_UP: Decline = {
  message: 'The refund was given up by an operator.',
  details: { code: null, declineCode: null },
};
