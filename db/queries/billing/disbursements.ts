// Queries on disbursements.
import type { EntityManager } from '@mikro-orm/postgresql';
import {
  type DisbursementStatus,
  type NotOwed,
  neverGoodBalance,
  neverGoodLeft,
  owedNoMore,
  type PaymentBehind,
  partsOwedBy,
} from '../../../domain/billing/disbursement.ts';
import type { Dispute, MoneyInDispute } from '../../../domain/billing/dispute.ts';
import { isReserved } from '../../../domain/billing/payment.ts';
import { returnedFrom } from '../../../domain/billing/refund.ts';
import { type Cents, sumCents } from '../../../domain/money.ts';
import { Disbursement } from '../../entities/billing/disbursement.ts';
import { Payment } from '../../entities/billing/payment.ts';
import { findById, lockById } from '../../entity-rows.ts';
import { equalTo, type Page, type PageRequest, pageOf } from '../pages.ts';
import { disbursementKeptBy, disbursementsOfMoney, givenUpOf, stillHereOf, takenBackOf } from './kept-refunds.ts';
import { findPayment, findReversal } from './payments.ts';
import { returnsOfReceipt } from './refunds.ts';

export interface DisbursementFilter {
  status?: DisbursementStatus;
  policyId?: string;
  invoiceId?: string;
  refundId?: string;
}

/** Reads a disbursement, or null. */
export function findDisbursement(em: EntityManager, id: string): Promise<Disbursement | null> {
  return findById(em, Disbursement, id);
}

/** Reads a current disbursement and locks it, after its policy and invoice. Null when there is none. */
export function lockDisbursement(em: EntityManager, id: string): Promise<Disbursement | null> {
  return lockById(em, Disbursement, id, { refresh: true });
}

/** Reads how much of a disbursement is no longer owed because the payments it returns were never good. */
export async function notOwed(em: EntityManager, row: Readonly<Disbursement>): Promise<NotOwed> {
  const { amounts, behind } = await goodnessOf(em, row);
  return owedNoMore(amounts, behind);
}

/** Reads how much of a disbursement was never good and has not been given up or taken back, kept or not. */
export async function neverGoodOf(em: EntityManager, row: Readonly<Disbursement>, outcomes = LOST): Promise<Cents> {
  const { amounts, behind } = await goodnessOf(em, row, outcomes);
  return neverGoodLeft(amounts, behind);
}

/** Reads how much of a disbursement was given up for a dispute that was won after all. */
export async function givenUpInVain(em: EntityManager, row: Readonly<Disbursement>): Promise<Cents> {
  const { amounts, behind } = await goodnessOf(em, row);
  return Math.max(Math.min(-neverGoodBalance(amounts, behind), row.cancelledCents - row.keptCents), 0);
}

/**
 * Reads how much of a disbursement, kept or not, banks are deciding about or have already kept, with the open disputes;
 * nothing if none is open.
 */
export async function inDispute(em: EntityManager, row: Readonly<Disbursement>): Promise<MoneyInDispute> {
  const disputes = (await reversalsBehind(em, row, OPEN)).map(({ reversal }) => reversal.reference);
  if (disputes.length === 0) return { cents: 0, disputes };
  return { cents: await neverGoodOf(em, row, [...LOST, ...OPEN]), disputes: [...new Set(disputes)] };
}

/** The same for the disbursement that a receipt keeps. */
export async function receiptInDispute(em: EntityManager, receipt: Payment): Promise<MoneyInDispute> {
  const kept = await disbursementKeptBy(em, receipt);
  return kept === null ? { cents: 0, disputes: [] } : inDispute(em, kept);
}

/**
 * Reads the open disputes that hold a check back: paying it would leave us less of the kept money than the banks may
 * take. A check for money that was not kept waits for each of its disputes.
 */
export async function heldBackBy(em: EntityManager, row: Readonly<Disbursement>): Promise<readonly string[]> {
  for (const { origin, cents: paidCents } of await originsOf(em, row)) {
    const { cents, disputes } = await inDispute(em, origin);
    if (cents > (await stillHereOf(em, origin)) - paidCents) return disputes;
  }
  return [];
}

/**
 * The disbursements that first owed what this one pays out, before it was kept; this one itself if nothing was kept.
 */
async function originsOf(em: EntityManager, row: Readonly<Disbursement>) {
  const origins: { origin: Readonly<Disbursement>; cents: Cents }[] = [];
  for (const { cents, received } of await paymentsBehind(em, row)) {
    const kept = received && (await disbursementKeptBy(em, received));
    const found = kept === null ? [{ origin: row, cents }] : await originsOf(em, kept);
    const mostCents = Math.min(cents, row.amountCents - (row.cancelledCents - row.keptCents));
    origins.push(...found.map(({ origin, cents }) => ({ origin, cents: Math.min(cents, mostCents) })));
  }
  return origins;
}

/** The dispute outcomes that make money count as never good. */
type Disputes = readonly Dispute['outcome'][];
const LOST: Disputes = ['lost'];
const OPEN: Disputes = ['open'];

interface Goodness {
  amounts: Parameters<typeof neverGoodLeft>[0];
  behind: PaymentBehind[];
}

async function goodnessOf(em: EntityManager, row: Readonly<Disbursement>, outcomes = LOST): Promise<Goodness> {
  const { amountCents, cancelledCents, keptCents } = row;
  const paid = await paymentsBehind(em, row);
  const amounts = { amountCents, cancelledCents, keptCents, takenBackCents: await takenBackOf(em, row) };
  const behind: PaymentBehind[] = [];
  for (const { cents, received } of paid) {
    const kept = received && (await disbursementKeptBy(em, received));
    if (received?.kind === 'card')
      behind.push({ cents: Math.min(cents, await lostOf(em, received, row, outcomes)), isReversed: true });
    else if (kept === null) behind.push({ cents, isReversed: received !== null && (await isBounced(em, received)) });
    else {
      // What this disbursement has given up counts as taken back there.
      const { amounts: ofKept, behind: behindKept } = await goodnessOf(em, kept, outcomes);
      const badCents = neverGoodBalance(ofKept, behindKept) + (await givenUpOf(em, row));
      behind.push({ cents: Math.max(Math.min(cents, badCents), 0), isReversed: true });
    }
  }
  return { amounts, behind };
}

/**
 * Reads the reversals and lost disputes of the payments that a disbursement returns, earliest first, with how much of
 * it came from each.
 */
export async function reversalsBehind(
  em: EntityManager,
  row: Readonly<Disbursement>,
  outcomes = LOST,
): Promise<{ reversal: Payment; cents: Cents }[]> {
  const found: { reversal: Payment; cents: Cents }[] = [];
  for (const { cents, received } of await paymentsBehind(em, row)) {
    if (received === null) continue;
    const kept = await disbursementKeptBy(em, received);
    const own = kept === null ? await neverGood(em, received, outcomes) : [];
    const behind =
      kept === null ? own.map((reversal) => ({ reversal, cents })) : await reversalsBehind(em, kept, outcomes);
    found.push(...behind.map((each) => ({ ...each, cents: Math.min(cents, each.cents) })));
  }
  return found.sort((one, other) => (one.reversal.id < other.reversal.id ? -1 : 1));
}

/**
 * The payments behind the parts of a refund that a disbursement owes; applied money came in with an earlier payment.
 */
async function paymentsBehind(em: EntityManager, row: Readonly<Disbursement>) {
  const refund = await findPayment(em, row.refundId);
  const behind: { cents: Cents; received: Payment | null }[] = [];
  for (const { paymentId, amountCents: cents } of partsOwedBy(row, refund?.allocations ?? [])) {
    const paid = await findPayment(em, paymentId);
    const received = paid?.sourcePaymentId ? await findPayment(em, paid.sourcePaymentId) : paid;
    behind.push({ cents, received });
  }
  return behind;
}

/** A reversal counts as a lost dispute. */
async function neverGood(em: EntityManager, received: Payment, outcomes: Disputes): Promise<Payment[]> {
  if (received.kind === 'card') return disputesOf(em, received, outcomes);
  const reversal = outcomes.includes('lost') ? await findReversal(em, received) : null;
  return reversal === null ? [] : [reversal];
}

async function isBounced(em: EntityManager, received: Payment): Promise<boolean> {
  return (await findReversal(em, received)) !== null;
}

async function disputesOf(em: EntityManager, received: Payment, outcomes: Disputes): Promise<Payment[]> {
  return (await returnsOfReceipt(em, received)).filter(({ dispute }) => dispute && outcomes.includes(dispute.outcome));
}

/**
 * What banks have kept of a card payment that had already been returned, less what other disbursements have given up. A
 * return that is only reserved may not happen, and then the payment itself covers the bank.
 */
async function lostOf(em: EntityManager, received: Payment, row: Readonly<Disbursement>, outcomes: Disputes) {
  let cents = sumCents((await disputesOf(em, received, outcomes)).map(({ coveredCents }) => coveredCents));
  for (const { status, allocations } of await returnsOfReceipt(em, received)) {
    if (isReserved(status)) cents -= returnedFrom(received.id, allocations);
  }
  for (const other of await disbursementsOfMoney(em, received)) {
    if (other.id !== row.id) cents -= await givenUpOf(em, other);
  }
  return Math.max(cents, 0);
}

/** Reads what returns owe by check, oldest first. */
export function disbursementsOf(em: EntityManager, refundIds: readonly string[]): Promise<Disbursement[]> {
  return em.find(Disbursement, { refundId: { $in: [...refundIds] } }, { orderBy: { id: 'asc' } });
}

/** Reads the return premium that a policy is owed and has not been paid, oldest first. */
export async function disbursementsToKeep(em: EntityManager, policyId: string): Promise<Disbursement[]> {
  const unpaid = { policyId, status: { $in: ['pending' as const, 'stopped' as const] } };
  const rows = await em.find(Disbursement, unpaid, { orderBy: { id: 'asc' } });
  if (rows.length === 0) return [];
  const returned = { id: { $in: rows.map(({ refundId }) => refundId) }, policyTransactionId: { $ne: null } };
  const ofChanges = new Set((await em.find(Payment, returned, { fields: ['id'] })).map(({ id }) => id));
  return rows.filter(({ refundId }) => ofChanges.has(refundId));
}

/** Reads a page of disbursements, newest first. @throws DomainError validation_failed for a bad cursor */
export function listDisbursements(
  em: EntityManager,
  { status, policyId, invoiceId, refundId }: DisbursementFilter,
  page: PageRequest,
): Promise<Page<Disbursement>> {
  return pageOf(em, Disbursement, [equalTo({ status, policyId, invoiceId, refundId })], page);
}
