/**
 * Commands on money: payments by hand, refunds, attempts to collect by card, voids, reconciliations. Part of
 * `lifecycle.ts`.
 */
import {
  type ApplyPayload,
  applyUpdate,
  type CollectOutcome,
  type CollectPayload,
  collectUpdate,
  decideRefundUpdate,
  type PaymentOutcome,
  type PayPayload,
  type RefundDecisionPayload,
  type RefundOutcome,
  type RefundPayload,
  type ReturnPayload,
  type ReversePayload,
  recordPaymentUpdate,
  refundUpdate,
  returnUpdate,
  reverseUpdate,
  type VoidOutcome,
  type VoidPayload,
  voidUpdate,
  type WriteOffPayload,
  writeOffUpdate,
} from '../../contracts/billing.ts';
import {
  cancelDisbursementUpdate,
  clearUpdate,
  type DisbursementOutcome,
  type IssuePayload,
  issueUpdate,
  type StopPayload,
  stopUpdate,
} from '../../contracts/disbursement.ts';
import type { Command } from '../../contracts/machinery/command.ts';
import {
  collectionTarget,
  disbursementTarget,
  invoiceVoidTarget,
  paymentTarget,
  refundTarget,
  type Target,
  trustRunTarget,
} from '../../contracts/machinery/targets.ts';
import { type OpenedRun, startRunUpdate } from '../../contracts/trust.ts';
import type { Gateway } from './gateway.ts';

export interface MoneyLifecycle {
  /**
   * Records a non-card payment; `entityId` is the new payment's id. Resolves once it is recorded; the ledgers, receipt
   * and events follow.
   * @throws DomainError already_exists, amount_exceeds_balance, invalid_state_transition, not_found, validation_failed
   */
  recordPayment(command: Command<PayPayload>): Promise<PaymentOutcome>;
  /**
   * Refunds money; `entityId` is the new refund's id. Resolves once the card processor, if involved, has agreed.
   * @throws DomainError refund_exceeds_paid, invalid_state_transition, payment_declined, not_found
   */
  refundInvoice(command: Command<RefundPayload>): Promise<RefundOutcome>;
  /**
   * Reverses a payment that was never good; `entityId` is the new reversal's id. Resolves once it is recorded; the
   * ledgers follow.
   * @throws DomainError invalid_state_transition, not_found
   */
  reversePayment(command: Command<ReversePayload>): Promise<RefundOutcome>;
  /**
   * Applies unapplied money to an invoice; `entityId` is the new application's id.
   * @throws DomainError amount_exceeds_balance, invalid_state_transition, not_found
   */
  applyUnapplied(command: Command<ApplyPayload>): Promise<PaymentOutcome>;
  /**
   * Returns unapplied money; `entityId` is the new refund's id. Resolves as `refundInvoice` does.
   * @throws DomainError refund_exceeds_paid, payment_declined, not_found
   */
  returnUnapplied(command: Command<ReturnPayload>): Promise<RefundOutcome>;
  /**
   * Approves or rejects a refund that waits for it; `entityId` is the refund's id. Resolves once the decision is made.
   * @throws DomainError not_found, forbidden, invalid_state_transition
   */
  decideRefund(command: Command<RefundDecisionPayload>): Promise<RefundOutcome>;
  /**
   * Pays what is owed back; `entityId` is the disbursement's id, as in the next three.
   * @throws DomainError not_found, invalid_state_transition, already_exists, not_ready, validation_failed
   */
  issueDisbursement(command: Command<IssuePayload>): Promise<DisbursementOutcome>;
  /** @throws DomainError not_found, invalid_state_transition */
  clearDisbursement(command: Command): Promise<DisbursementOutcome>;
  /** @throws DomainError not_found, invalid_state_transition */
  stopDisbursement(command: Command<StopPayload>): Promise<DisbursementOutcome>;
  /** @throws DomainError not_found, invalid_state_transition, not_ready */
  cancelDisbursement(command: Command<StopPayload>): Promise<DisbursementOutcome>;
  /**
   * Opens an attempt to collect by card, or returns the open one; `entityId` is the invoice's id.
   * @throws DomainError amount_exceeds_balance, invalid_state_transition, no_failed_payment, payment_declined,
   * not_found
   */
  collect(command: Command<CollectPayload>): Promise<CollectOutcome>;
  /**
   * Voids an invoice, and rebills it on request; `entityId` is the invoice's id.
   * @throws DomainError invoice_has_payments, invalid_state_transition, not_found
   */
  voidInvoice(command: Command<VoidPayload>): Promise<VoidOutcome>;
  /**
   * Writes an invoice off; `entityId` is the invoice's id.
   * @throws DomainError invalid_state_transition, not_found
   */
  writeOffInvoice(command: Command<WriteOffPayload>): Promise<VoidOutcome>;
  /** Starts a reconciliation; `entityId` is the new run's id. Resolves once it is open; its result follows. */
  startReconciliation(command: Command): Promise<OpenedRun>;
}

/** Builds the money commands on a gateway. */
export function moneyLifecycle(gateway: Gateway, deadlineMs: number): MoneyLifecycle {
  return {
    recordPayment: (command) => gateway.start(of(paymentTarget, command), recordPaymentUpdate, command, deadlineMs),
    refundInvoice: (command) => gateway.start(of(refundTarget, command), refundUpdate, command, deadlineMs),
    reversePayment: (command) => gateway.start(of(refundTarget, command), reverseUpdate, command, deadlineMs),
    applyUnapplied: (command) => gateway.start(of(paymentTarget, command), applyUpdate, command, deadlineMs),
    returnUnapplied: (command) => gateway.start(of(refundTarget, command), returnUpdate, command, deadlineMs),
    decideRefund: (command) => gateway.start(of(refundTarget, command), decideRefundUpdate, command, deadlineMs),
    issueDisbursement: (command) => gateway.start(of(disbursementTarget, command), issueUpdate, command, deadlineMs),
    clearDisbursement: (command) => gateway.start(of(disbursementTarget, command), clearUpdate, command, deadlineMs),
    stopDisbursement: (command) => gateway.start(of(disbursementTarget, command), stopUpdate, command, deadlineMs),
    cancelDisbursement: (command) =>
      gateway.start(of(disbursementTarget, command), cancelDisbursementUpdate, command, deadlineMs),
    collect: (command) => gateway.start(of(collectionTarget, command), collectUpdate, command, deadlineMs),
    voidInvoice: (command) => gateway.start(of(invoiceVoidTarget, command), voidUpdate, command, deadlineMs),
    writeOffInvoice: (command) => gateway.start(of(invoiceVoidTarget, command), writeOffUpdate, command, deadlineMs),
    startReconciliation: (command) => gateway.start(of(trustRunTarget, command), startRunUpdate, command, deadlineMs),
  };
}

function of(target: (orgId: string, entityId: string) => Target, { orgId, entityId }: Command<unknown>): Target {
  return target(orgId, entityId);
}
