/**
 * Chargebacks: money that the customer's bank takes back through the card processor (account 1110) when a dispute
 * opens. While it is open, nothing is collected on the invoice. If won, the money is applied again; if lost, the
 * payment is reversed. Events arrive in any order; each outcome is carried out once, in its transaction. Contract 3.4.
 */
import type { EntityManager } from '@mikro-orm/postgresql';
import type { PaymentOutcome, RefundOutcome } from '../../../contracts/billing.ts';
import type { InboundOutcome } from '../../../contracts/inbound.ts';
import type { Payment } from '../../../db/entities/billing/payment.ts';
import { newId } from '../../../db/ids.ts';
import { cardPayment } from '../../../db/queries/billing/payments.ts';
import { findChargeback } from '../../../db/queries/billing/refunds.ts';
import { type Dispute, disputeOutcome, nextOutcome } from '../../../domain/billing/dispute.ts';
import { billsAwaitingBank } from '../../../plans/billing/delinquency-facts.ts';
import { businessDay } from '../../../plans/platform/business-day.ts';
import { openRenewalOf } from '../../../plans/renewal/term-chain.ts';
import type { Deps } from '../../context.ts';
import { CHARGED_BACK, giveTime, openAgain, publishReversed } from '../payments/reversed-payments.ts';
import { type SpreadReceipt, takeAll, takeBack } from '../payments/taken-back.ts';
import { reapportion } from '../refunds/overlapping-returns.ts';
import { giveBack, persistReturn, raiseAlert, raiseCovered, refundOutcome, touch } from '../refunds/refund-rows.ts';
import {
  type KeptReversed,
  lockWithKept,
  reverseKept,
  type SpreadKept,
  winKeptBack,
} from '../refunds/reversed-money.ts';
import { CARD_PROCESSOR } from './card-receipts.ts';
import { winBack } from './won-disputes.ts';

/** The contents of a signed `charge.dispute.…`. */
export interface DisputeNotice {
  orgId: string;
  intentId: string;
  disputeId: string;
  amountCents: number;
  /** The event's type. */
  type: string;
  /** `needs_response`, `won`, `lost`, `warning_…` and others. */
  status: string;
  reason: string | null;
  /** Unix seconds. */
  createdAt: number;
}

export interface ChargebackResult {
  outcome: Extract<InboundOutcome['outcome'], 'recorded' | 'known' | 'alerted' | 'unmatched'>;
  /** The chargeback whose saga must start; null when there is nothing to post. Starting it twice does no harm. */
  refund: RefundOutcome | null;
  /** The policy whose workflow is notified that its debts have changed. */
  policyToNotify: string | null;
  /** Policies whose invoices had received money that was never good; by default none. */
  otherPoliciesToNotify?: string[];
  /** Refunds that no longer wait for approval; by default none. */
  endedRefunds?: string[];
  /** Disbursements given up for the dispute that are unapplied money again. Their sagas must start. */
  kept?: PaymentOutcome[];
}

const ORIGIN = { actor: CARD_PROCESSOR, requestId: null };

/** Records a dispute in the caller's transaction, in whatever order its events arrive. */
export async function recordDispute(em: EntityManager, deps: Deps, notice: DisputeNotice): Promise<ChargebackResult> {
  const found = await cardPayment(em, notice.intentId);
  if (found === null) return { outcome: 'unmatched', refund: null, policyToNotify: null };
  const { spread, kept } = await lockWithKept(em, found);
  const returning = { ...spread, kept };
  touch(returning.receipt, new Date(deps.now()));
  const earlier = await findChargeback(em, notice.disputeId);
  if (earlier !== null) return proceed(em, deps, notice, { ...returning, chargeback: earlier });
  const reported = disputeOutcome(notice);
  if (reported === 'inquiry') return inquire(em, deps, notice, found);
  return open(em, deps, { ...notice, outcome: reported }, returning);
}

function inquire(em: EntityManager, deps: Deps, notice: DisputeNotice, receipt: Payment): ChargebackResult {
  const isNew = notice.type === 'charge.dispute.created';
  if (isNew) raiseDispute(em, deps, notice, receipt, "A customer's bank has opened an inquiry into a card payment.");
  return { outcome: isNew ? 'alerted' : 'known', refund: null, policyToNotify: null };
}

/** A dispute won before its opening was reported still leaves a row, so that the late opening event takes nothing. */
async function open(
  em: EntityManager,
  deps: Deps,
  notice: DisputeNotice & { outcome: Dispute['outcome'] },
  returning: DisputedReceipt,
): Promise<ChargebackResult> {
  const { receipt, locked } = returning;
  const { orgId, amountCents, disputeId, outcome, status, reason } = notice;
  const at = new Date(notice.createdAt * 1000);
  const { today } = await businessDay(em, orgId, deps.now());
  const taking = { amountCents, origin: ORIGIN, today, code: CHARGED_BACK };
  // While the bank decides, other invoices keep the money applied to them.
  const applied = outcome === 'lost' ? returning.applied : [];
  const { appliedCents, coveredCents, otherPolicyIds } = await takeAll(em, deps, { ...returning, applied }, taking);
  const row = persistReturn(em, deps, locked, {
    ...{ id: newId('refund'), kind: 'chargeback', amountCents, appliedCents, coveredCents, method: 'card' },
    reference: disputeId,
    status: outcome === 'won' ? 'failed' : 'succeeded',
    dispute: { outcome: 'open', status, reason, openedAt: at.toISOString(), closedAt: null },
    allocations: [{ paymentId: receipt.id, amountCents, method: 'card', processorRefundId: null }],
    at,
    on: today,
    reason: "Charged back by the customer's bank.",
    actor: CARD_PROCESSOR,
    requestId: null,
  });
  if (outcome === 'won') {
    close(row, notice, 'won');
    // No saga: there is nothing to post.
    row.sagaEndedAt = new Date(deps.now());
    return { outcome: 'alerted', refund: null, policyToNotify: null };
  }
  if (locked !== null) await giveBack(em, locked.invoice, row);
  raiseDispute(em, deps, notice, row, 'A card payment was charged back.');
  if (coveredCents > 0) raiseCovered(em, deps, row);
  const others = outcome === 'lost' ? await lose(em, deps, notice, { ...returning, chargeback: row }) : NOTHING_LOST;
  markDisputed({ ...returning, chargeback: row });
  const otherPoliciesToNotify = [...new Set([...otherPolicyIds, ...others.policiesToNotify])];
  const { endedRefunds } = others;
  const notify = { policyToNotify: row.policyId, otherPoliciesToNotify, endedRefunds };
  return { outcome: 'recorded', refund: refundOutcome(row, locked), ...notify };
}

const NOTHING_LOST: KeptReversed = { policiesToNotify: [], endedRefunds: [] };

/** A card payment with the receipts that keep its refunds. */
interface DisputedReceipt extends SpreadReceipt {
  kept: SpreadKept[];
}

interface Disputed extends DisputedReceipt {
  chargeback: Payment;
}

/** A later event about a dispute that has its row. */
async function proceed(
  em: EntityManager,
  deps: Deps,
  notice: DisputeNotice,
  disputed: Disputed,
): Promise<ChargebackResult> {
  const { chargeback, locked } = disputed;
  const known = chargeback.dispute?.outcome ?? (chargeback.status === 'failed' ? 'won' : 'open');
  const reported = disputeOutcome(notice);
  const next = nextOutcome(known, reported);
  if (next === 'won') {
    close(chargeback, notice, 'won');
    await winBack(em, deps, disputed, known);
    const { today } = await businessDay(em, notice.orgId, deps.now());
    const kept = await winKeptBack(em, deps, disputed, { by: chargeback, origin: ORIGIN, today });
    markDisputed(disputed);
    const otherPoliciesToNotify = await laterTerm(em, chargeback);
    return { outcome: 'alerted', refund: null, policyToNotify: chargeback.policyId, otherPoliciesToNotify, kept };
  }
  const { policiesToNotify, ...ended } = next === 'lost' ? await loseOpen(em, deps, notice, disputed) : NOTHING_LOST;
  if (next === null && known === 'open' && reported === 'open' && chargeback.dispute !== null) {
    chargeback.dispute = { ...chargeback.dispute, status: notice.status };
  }
  markDisputed(disputed);
  const refund = chargeback.status === 'succeeded' ? refundOutcome(chargeback, locked) : null;
  const policyToNotify = next === null ? null : chargeback.policyId;
  return {
    outcome: next === null ? 'known' : 'alerted',
    refund,
    policyToNotify,
    otherPoliciesToNotify: policiesToNotify,
    ...ended,
  };
}

/**
 * Like `lose`, but bills that only the disputed money would have paid get the same extra time as the disputed invoice.
 */
async function loseOpen(
  em: EntityManager,
  deps: Deps,
  notice: DisputeNotice,
  disputed: Disputed,
): Promise<KeptReversed> {
  const policy = disputed.locked?.policy ?? null;
  const billIds = policy === null ? [] : await billsAwaitingBank(em, policy.id);
  const lost = await lose(em, deps, notice, disputed);
  const { today } = await businessDay(em, notice.orgId, deps.now());
  if (policy !== null) await giveTime(em, policy.id, { billIds, origin: ORIGIN, today });
  return { ...lost, policiesToNotify: [...lost.policiesToNotify, ...(await laterTerm(em, disputed.chargeback))] };
}

/** The next term: the disputed money was held for it too. */
async function laterTerm(em: EntityManager, { policyId }: Payment): Promise<string[]> {
  const id = policyId === null ? null : await openRenewalOf(em, policyId);
  return id === null ? [] : [id];
}

/** The bank keeps the money, as if the payment was never made. Returns the effects on other policies. */
async function lose(
  em: EntityManager,
  deps: Deps,
  notice: DisputeNotice,
  { chargeback: row, receipt, locked, applied, kept }: Disputed,
): Promise<KeptReversed> {
  close(row, notice, 'lost');
  raiseDispute(
    em,
    deps,
    notice,
    row,
    'A dispute was lost. The payment has been reversed, and its invoice is payable again.',
  );
  const { today } = await businessDay(em, notice.orgId, deps.now());
  const taking = { origin: ORIGIN, today, code: CHARGED_BACK };
  const others = await takeBack(em, deps, applied, { ...taking, missingCents: row.coveredCents });
  if (locked !== null) {
    await openAgain(em, locked, { row, origin: ORIGIN, today });
    const facts = { reference: receipt.reference, amountCents: -row.amountCents, code: CHARGED_BACK };
    publishReversed(em, locked, { ...facts, at: new Date(deps.now()) });
  }
  // The receipt has regained what other invoices had taken, so operating money no longer covers it.
  if (others.length > 0) await reapportion(em, deps, { receiptIds: [receipt.id], locked, wasPaid: false });
  const { policiesToNotify, endedRefunds } = await reverseKept(em, deps, kept, { ...taking, by: row });
  return { policiesToNotify: [...others, ...policiesToNotify], endedRefunds };
}

function close(row: Payment, { status, reason, createdAt }: DisputeNotice, outcome: 'won' | 'lost'): void {
  const closedAt = new Date(createdAt * 1000).toISOString();
  const opened = row.dispute ?? { reason, openedAt: row.receivedAt.toISOString() };
  row.dispute = { ...opened, outcome, status: outcome === 'won' ? 'won' : status, closedAt };
}

/** An invoice is disputed while a bank decides about money on it. */
function markDisputed({ locked, chargeback, disputes }: Disputed): void {
  if (locked === null) return;
  const others = disputes.filter(({ id }) => id !== chargeback.id);
  locked.invoice.disputed = [...others, chargeback].some(({ dispute }) => dispute?.outcome === 'open');
}

function raiseDispute(em: EntityManager, deps: Deps, notice: DisputeNotice, row: Payment, message: string): void {
  const { amountCents, disputeId: reference } = notice;
  raiseAlert(em, deps, {
    operation: 'chargeback',
    message,
    paymentId: row.id,
    invoiceId: row.invoiceId,
    reference,
    amountCents,
  });
}
