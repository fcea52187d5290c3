/**
 * A payment from its record to its events: once the money is recorded, no later step is lost. The update records a
 * manual payment; a card payment is recorded before this starts. The rows are the truth; activities write them.
 * Contract 3.4.
 */
import {
  allHandlersFinished,
  condition,
  proxyActivities,
  proxyLocalActivities,
  setHandler,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import type { Activities } from '../../activities/create-activities.ts';
import {
  applyUpdate,
  type PaymentOutcome,
  type PaymentWorkflowInput,
  recordPaymentUpdate,
} from '../../contracts/billing.ts';
import type { Repeatable } from '../../contracts/machinery/command.ts';
import { SAGA_STATUS, SEARCH_ATTRIBUTES } from '../../contracts/machinery/search-attributes.ts';
import { policyWorkflowId } from '../../contracts/machinery/start.ts';
import { startCancelling } from '../attempt-cancellation.ts';
import { notifyRowChanged } from '../machinery/children.ts';
import { innerFailure, isRefusal } from '../machinery/failures.ts';
import { MONEY_STEP, ONE_TRANSACTION, STORING } from '../machinery/options.ts';
import { activitiesOn } from '../machinery/queues.ts';
import { Saga } from '../machinery/saga.ts';

const transactions = proxyLocalActivities<Activities>(ONE_TRANSACTION);
const { recordCommission } = proxyActivities<Activities>({
  ...MONEY_STEP,
  summary: 'agent, agency and carrier shares',
});
const { postEarnings } = proxyActivities<Activities>({ ...MONEY_STEP, summary: 'general ledger: 1120 / 4010 4020' });
const { postFiduciarySplit } = proxyActivities<Activities>({ ...MONEY_STEP, summary: 'fiduciary ledger: 2070 / 20xx' });
const { storeReceipt } = activitiesOn('outside', { ...STORING, summary: 'receipt in object storage' });
const { publishPaymentEvents } = proxyActivities<Activities>({
  ...MONEY_STEP,
  summary: 'payment.received, invoice.paid',
});

export async function paymentWorkflow({ orgId, paymentId, recorded }: PaymentWorkflowInput): Promise<void> {
  const of = { orgId, entityId: paymentId };
  const saga = new Saga(of);
  const recording = new Recording(recorded ?? null);
  setHandler(recordPaymentUpdate, (command) => recording.record(() => transactions.recordPayment(command)), {
    description: 'Records a payment by check, transfer or cash.',
  });
  setHandler(applyUpdate, (command) => recording.record(() => transactions.applyUnapplied(command)), {
    description: 'Applies unapplied cash from an earlier payment.',
  });
  await condition(() => recording.isAnswered);
  // A worker that died between the transaction and its answer left a row behind: the row decides.
  if (recording.isUncertain) await saga.step('payment', () => recording.read(of));
  if (recording.payment) await carryOut(saga, of, recording.payment);
  else upsertSearchAttributes([{ key: SEARCH_ATTRIBUTES.entityStatus, value: SAGA_STATUS.refused }]);
  if (recording.payment) await saga.step('end', () => transactions.endSaga(of));
  await saga.close();
  await condition(allHandlersFinished);
}

/**
 * The applicable steps: money is shared out once the invoice is fully paid, and a payment without an invoice has no
 * policy to notify.
 */
async function carryOut(saga: Saga, of: { orgId: string; entityId: string }, payment: PaymentOutcome): Promise<void> {
  const { invoiceId, invoiceNumber, policyNumber, hasProducer, completesInvoice, policyToNotify } = payment;
  // Comes first: a later step that fails and waits must not keep a notice of cancellation in effect.
  if (policyToNotify) await notifyRowChanged(policyWorkflowId(of.orgId, policyToNotify));
  await startCancelling(of.orgId, payment.obsoleteAttempts);
  showPolicy(policyNumber);
  saga.entitle(`${invoiceNumber ?? 'Matches no invoice'}${policyNumber ? `, policy ${policyNumber}` : ''}`);
  if (completesInvoice) {
    if (hasProducer) await saga.step('commission', () => recordCommission(of));
    await saga.step('general ledger', () => postEarnings(of));
    await saga.step('fiduciary ledger', () => postFiduciarySplit(of));
  }
  if (invoiceId === null) return;
  await saga.step('receipt', () => storeReceipt(of));
  await saga.step('events', () => publishPaymentEvents(of));
}

/** A manual payment starts before we know which policy it is for. */
function showPolicy(policyNumber: string | null): void {
  const { typedSearchAttributes } = workflowInfo();
  if (policyNumber === null || typedSearchAttributes.get(SEARCH_ATTRIBUTES.policyNumber) !== undefined) return;
  upsertSearchAttributes([{ key: SEARCH_ATTRIBUTES.policyNumber, value: policyNumber }]);
}

/** How the payment was recorded: before the start, by the update, or found in its row. */
class Recording {
  payment: PaymentOutcome | null;
  #requested = 0;
  #answered = 0;
  #isLost = false;

  constructor(payment: PaymentOutcome | null) {
    this.payment = payment;
    if (payment !== null) this.#requested = this.#answered = 1;
  }

  get isAnswered(): boolean {
    return this.#answered === this.#requested;
  }

  /** Whether a payment may exist that this run does not know of: no command has arrived, or its outcome was lost. */
  get isUncertain(): boolean {
    return this.payment === null && (this.#requested === 0 || this.#isLost);
  }

  async record(carryOut: () => Promise<Repeatable<PaymentOutcome>>): Promise<PaymentOutcome> {
    this.#requested += 1;
    try {
      const { repeated: _, ...payment } = await carryOut();
      this.payment ??= payment;
      return payment;
    } catch (error) {
      this.#isLost ||= !isRefusal(error);
      throw innerFailure(error);
    } finally {
      this.#answered += 1;
    }
  }

  async read(of: { orgId: string; entityId: string }): Promise<void> {
    this.payment ??= await transactions.readPayment(of);
  }
}
