/** Commands on money: a payment recorded by hand, a refund, an attempt to collect by card. Part of `lifecycle.ts`. */
import {
  type CollectOutcome,
  type CollectPayload,
  collectUpdate,
  type PaymentOutcome,
  type PayPayload,
  type RefundOutcome,
  type RefundPayload,
  recordPaymentUpdate,
  refundUpdate,
} from '../../contracts/billing.ts';
import type { Command } from '../../contracts/command.ts';
import { SAGA_STATUS } from '../../contracts/search-attributes.ts';
import { collectionWorkflowId, paymentWorkflowId, refundWorkflowId, WORKFLOW_TYPES } from '../../contracts/start.ts';
import type { Gateway, Target } from './gateway.ts';

export interface MoneyLifecycle {
  /**
   * Records a payment made by other means than card; `entityId` is the new payment's id. Answers when it is recorded;
   * the ledgers, the receipt and the events follow.
   * @throws DomainError already_exists, amount_exceeds_balance, invalid_state_transition, not_found, validation_failed
   */
  recordPayment(command: Command<PayPayload>): Promise<PaymentOutcome>;
  /**
   * Refunds money; `entityId` is the new refund's id. Answers when the card processor has agreed, where it is
   * concerned.
   * @throws DomainError refund_exceeds_paid, invalid_state_transition, payment_declined, not_found
   */
  refundInvoice(command: Command<RefundPayload>): Promise<RefundOutcome>;
  /**
   * Opens an attempt to collect by card, or gives the one that is open again; `entityId` is the invoice's id.
   * @throws DomainError amount_exceeds_balance, invalid_state_transition, no_failed_payment, payment_declined,
   * not_found
   */
  collect(command: Command<CollectPayload>): Promise<CollectOutcome>;
}

/** Builds the money commands on a gateway. */
export function moneyLifecycle(gateway: Gateway, deadlineMs: number): MoneyLifecycle {
  return {
    recordPayment: (command) => gateway.start(paymentTarget(command), recordPaymentUpdate, command, deadlineMs),
    refundInvoice: (command) => gateway.start(refundTarget(command), refundUpdate, command, deadlineMs),
    collect: (command) => gateway.start(collectionTarget(command), collectUpdate, command, deadlineMs),
  };
}

function paymentTarget({ orgId, entityId }: Command<unknown>): Target {
  return {
    type: WORKFLOW_TYPES.payment,
    workflowId: paymentWorkflowId(orgId, entityId),
    input: { orgId, paymentId: entityId },
    facts: { orgId, entityId, status: SAGA_STATUS.running },
  };
}

function refundTarget({ orgId, entityId }: Command<unknown>): Target {
  return {
    type: WORKFLOW_TYPES.refund,
    workflowId: refundWorkflowId(orgId, entityId),
    input: { orgId, refundId: entityId },
    facts: { orgId, entityId, status: SAGA_STATUS.running },
  };
}

function collectionTarget({ orgId, entityId }: Command<unknown>): Target {
  return {
    type: WORKFLOW_TYPES.collection,
    workflowId: collectionWorkflowId(orgId, entityId),
    input: { orgId, invoiceId: entityId },
    facts: { orgId, entityId },
  };
}
