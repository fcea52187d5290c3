/**
 * Records the outcome of an autopay charge. Money is booked like any card payment; a refusal is counted, and the last
 * one suspends autopay. A second run returns the first run's outcome. Decision 0165.
 */
import type { EntityManager } from '@mikro-orm/postgresql';
import type { AutopayAttempt, AutopayOutcome } from '../../../contracts/autopay.ts';
import type { Notice } from '../../../contracts/notice.ts';
import type { PaymentIntent } from '../../../db/entities/billing/payment-intent.ts';
import { lockAutopay } from '../../../db/queries/billing/autopay.ts';
import { invoiceAmounts } from '../../../db/queries/billing/invoices.ts';
import { intentsOf } from '../../../db/queries/billing/payments.ts';
import { writeAudit } from '../../../db/queries/platform/audit.ts';
import { writeEvent } from '../../../db/queries/platform/events.ts';
import { auditedChanges } from '../../../domain/audit.ts';
import { suspensionAfter } from '../../../domain/billing/autopay.ts';
import { invoiceBalance } from '../../../domain/billing/invoice.ts';
import { toDollars } from '../../../domain/money.ts';
import { businessDay } from '../../../plans/platform/business-day.ts';
import type { KeptCardCharge } from '../../../providers/cards/kept-cards-port.ts';
import { auditOf, SYSTEM } from '../../audit.ts';
import { type Deps, transaction } from '../../context.ts';
import { type LockedInvoice, lockForMoney } from '../../money-locks.ts';
import { noticeDue } from '../../notice/due-notices.ts';
import { recordCardReceipt } from '../cards/card-receipts.ts';

const KIND = 'chargeAutopay';
/** The processor is still deciding and will send an event. A charge that needs someone to act counts as refused. */
const UNDECIDED = 'processing';

/** Stores the processor's answer to an attempt. */
export const keepCharge = (deps: Deps, attempt: AutopayAttempt, charge: KeptCardCharge): Promise<AutopayOutcome> =>
  transaction(deps, { kind: KIND, orgId: attempt.orgId }, async (em) => {
    const locked = await lockForMoney(em, attempt.invoiceId);
    const row = (await intentsOf(em, attempt.invoiceId)).find(({ id }) => id === attempt.attemptId);
    if (locked === null || row === undefined) throw new Error('An attempt of autopay has no row.');
    if (charge.intentId !== null) row.processorId = charge.intentId;
    await em.flush();
    if (charge.status === 'succeeded' && charge.intentId !== null) {
      // The processor's event may have recorded the money already, before the attempt named the intent.
      row.status = 'succeeded';
      return keepMoney(em, deps, attempt, { ...charge, intentId: charge.intentId });
    }
    if (charge.status === UNDECIDED) {
      if (row.status === 'creating' || row.status === 'cancelled') row.status = 'open';
      return { outcome: 'left', payment: null, applications: [], notice: null };
    }
    return keepRefusal(em, deps, { attempt, charge, row, locked });
  });

async function keepMoney(
  em: EntityManager,
  deps: Deps,
  { orgId, invoiceId }: AutopayAttempt,
  { intentId, chargeId, receivedCents: amountCents, createdAt }: KeptCardCharge & { intentId: string },
): Promise<AutopayOutcome> {
  const receipt = { orgId, intentId, chargeId, amountCents, invoiceId, createdAt };
  const { applications, leftCents: _, known: __, ...payment } = await recordCardReceipt(em, deps, receipt);
  return { outcome: 'paid', payment, applications, notice: null };
}

interface Refused {
  attempt: AutopayAttempt;
  charge: KeptCardCharge;
  row: PaymentIntent;
  locked: LockedInvoice;
}

async function keepRefusal(em: EntityManager, deps: Deps, refused: Refused): Promise<AutopayOutcome> {
  const { attempt, charge, row, locked } = refused;
  const code = charge.failure?.code ?? null;
  const failureCode = row.failureCode ?? code ?? 'declined';
  if (!row.failureCode) {
    const { today: autopayOn } = await businessDay(em, attempt.orgId, deps.now());
    Object.assign(row, { status: 'failed', failureCode, autopayOn });
    await em.flush();
    noteRefusal(em, deps, refused, code);
  }
  const autopay = await lockAutopay(em, attempt.insuredId);
  // The card has since been replaced: the new one is charged instead, and the old one's refusal means nothing.
  if (autopay?.setupId !== row.autopaySetupId)
    return { outcome: 'failed', payment: null, applications: [], notice: null };
  const others = await intentsOf(em, attempt.invoiceId);
  const failures = others.filter(
    (each) => each.autopaySetupId === row.autopaySetupId && typeof each.failureCode === 'string',
  ).length;
  const reason = suspensionAfter(failureCode, failures);
  if (autopay?.status === 'active' && reason !== null) {
    Object.assign(autopay, { status: 'suspended', suspendedReason: reason });
    const { id: invoiceId, invoiceNumber } = locked.invoice;
    const about = { insuredId: attempt.insuredId, policyId: locked.policy.id, invoiceId, invoiceNumber };
    writeEvent(em, 'autopay.suspended', { ...about, status: 'suspended', reason, severity: 'warning' }, at(deps));
    const origin = { actor: SYSTEM, requestId: null, entityId: autopay.id };
    const changes = auditedChanges({ status: 'active' }, { status: 'suspended', reason, invoiceId });
    writeAudit(em, auditOf(origin, 'autopay:suspend', 'autopay', changes));
  }
  const kind: Notice['kind'] = reason === null ? 'autopay_failed' : 'autopay_suspended';
  const notice: Notice = { kind, on: row.autopayOn ?? locked.invoice.dueDate, transactionId: row.id };
  await noticeDue(em, locked.policy.id, notice);
  return { outcome: 'failed', payment: null, applications: [], notice };
}

/** The processor sends an event when the bank refuses; its own refusals are published here. */
function noteRefusal(em: EntityManager, deps: Deps, { charge, row, locked }: Refused, code: string | null): void {
  const { invoice, policy } = locked;
  const message = charge.failure?.message ?? 'The card was declined.';
  if (invoiceBalance(invoiceAmounts(invoice)) > 0) {
    invoice.lastPaymentError = { code, message, at: at(deps).toISOString() };
  }
  if (charge.intentId !== null) return;
  const { id: invoiceId, invoiceNumber } = invoice;
  const facts = {
    invoiceId,
    invoiceNumber,
    policyId: policy.id,
    amount: toDollars(row.amountCents),
    reference: row.id,
  };
  writeEvent(em, 'payment.failed', { ...facts, status: 'failed', severity: 'warning', code }, at(deps));
}

function at({ now }: Deps): Date {
  return new Date(now());
}
