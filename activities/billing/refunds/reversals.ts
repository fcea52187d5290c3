/**
 * Reverses a check, transfer or cash payment that was never good: a negative row for all of it, each invoice it paid
 * payable again, and a fee on a separate invoice. One transaction, policies locked before invoices; the ledgers follow
 * as for any return. Contract 3.4.
 */
import type { EntityManager } from '@mikro-orm/postgresql';
import type { RefundOutcome, ReversePayload } from '../../../contracts/billing.ts';
import type { Command } from '../../../contracts/machinery/command.ts';
import { Invoice } from '../../../db/entities/billing/invoice.ts';
import { newId } from '../../../db/ids.ts';
import { addRow } from '../../../db/new-rows.ts';
import { RETURNED_PAYMENT_FEE } from '../../../db/queries/billing/invoices.ts';
import { findPayment, findReversal } from '../../../db/queries/billing/payments.ts';
import { writeAudit } from '../../../db/queries/platform/audit.ts';
import { nextInvoiceNumbers } from '../../../db/queries/platform/counters.ts';
import { auditedChanges } from '../../../domain/audit.ts';
import { dueForFee, ensureReversible } from '../../../domain/billing/reversal.ts';
import { type BusinessDate, yearOf } from '../../../domain/dates.ts';
import { DomainError } from '../../../domain/errors.ts';
import { businessDay } from '../../../plans/platform/business-day.ts';
import { auditOf } from '../../audit.ts';
import { commandActivity, type Deps } from '../../context.ts';
import { ensureExpected } from '../../expected-version.ts';
import type { LockedInvoice } from '../../money-locks.ts';
import { raiseCovered, refundOutcome } from './refund-rows.ts';
import { lockWithKept, type ReversedMoney, reverseKept, reverseMoney } from './reversed-money.ts';

/**
 * Reverses a payment; the command's entity is the reversal.
 * @throws DomainError not_found, precondition_failed, invalid_state_transition as ensureReversible does
 */
export const reversePayment = (deps: Deps) =>
  commandActivity<ReversePayload, ReversedMoney, RefundOutcome>(deps, 'reversePayment', {
    lock: async (em, _reversalId, { payload }) => {
      const found = await findPayment(em, payload.paymentId);
      return found && lockWithKept(em, found);
    },
    work: async (em, command, returning) => {
      if (returning === null) throw new DomainError('not_found', 'There is no such payment.');
      const { receipt } = returning.spread;
      ensureExpected(command, receipt);
      const { kind, method } = receipt;
      const isReversed = (await findReversal(em, receipt)) !== null;
      ensureReversible({ kind, method, isReversed }, command.payload);
      return reverse(em, deps, command, returning);
    },
  });

async function reverse(
  em: EntityManager,
  deps: Deps,
  command: Command<ReversePayload>,
  { spread, kept }: ReversedMoney,
): Promise<RefundOutcome> {
  const { locked } = spread;
  const { orgId, actor, requestId, payload } = command;
  const { today } = await businessDay(em, orgId, deps.now());
  const reversing = { origin: { actor, requestId }, today, code: payload.reason };
  const { amountCents } = spread.receipt;
  const { row, otherPolicyIds } = await reverseMoney(em, deps, spread, {
    ...{ ...reversing, id: command.entityId, amountCents },
  });
  if (row.coveredCents > 0) raiseCovered(em, deps, row);
  const { policiesToNotify, endedRefunds } = await reverseKept(em, deps, kept, { ...reversing, by: row });
  const policyIds = [...otherPolicyIds, ...policiesToNotify];
  const otherPoliciesToNotify = [...new Set(policyIds)].filter((id) => id !== locked?.policy.id);
  const outcome = { ...refundOutcome(row, locked), otherPoliciesToNotify, endedRefunds };
  if (locked === null) return outcome;
  if (payload.feeCents !== null) await billFee(em, command, locked, { feeCents: payload.feeCents, today });
  return { ...outcome, policyToNotify: locked.policy.id };
}

/** Not part of the policy's own cost: policy changes and lapses ignore it. */
async function billFee(
  em: EntityManager,
  command: Command<ReversePayload>,
  { policy, invoice }: LockedInvoice,
  { feeCents, today }: { feeCents: number; today: BusinessDate },
): Promise<void> {
  await em.flush();
  const { id: policyId, insuredName, producerId } = policy;
  const { transactionId, invoiceNumber: returned } = invoice;
  const description = `Returned payment on ${returned}`;
  // The counter is locked last: every bind in the organization waits for it.
  const [invoiceNumber = ''] = await nextInvoiceNumbers(em, yearOf(today), 1);
  const bill = { invoiceNumber, dueDate: dueForFee(today), totalCents: feeCents };
  const fee = addRow(em, Invoice, {
    ...{ id: newId('invoice'), policyId, transactionId, producerId, insuredName, issueDate: today, ...bill },
    ...{ installmentNumber: 1, installmentCount: 1 },
    lines: [{ kind: 'fee', code: RETURNED_PAYMENT_FEE, description, amountCents: feeCents }],
  });
  writeAudit(em, auditOf({ ...command, entityId: fee.id }, 'invoice:bill_fee', 'invoice', auditedChanges(null, bill)));
}
