// Money that went back: lockReceipt, returnsOfInvoice, returnsOfReceipt, findChargeback, entriesOfInvoice, linesOf.
// A return that failed counts not.
import { LockMode } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { LedgerEntry } from '../entities/ledger-entry.ts';
import { LedgerLine } from '../entities/ledger-line.ts';
import { Payment } from '../entities/payment.ts';

const RETURNS = { kind: { $in: ['refund', 'chargeback'] }, status: { $in: ['pending', 'succeeded'] } } as const;

/** Reads a payment as it is now and locks it; its policy and invoice are locked before it. Null when there is none. */
export function lockReceipt(em: EntityManager, id: string): Promise<Payment | null> {
  return em.findOne(Payment, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true });
}

/** Reads what went back or is about to of an invoice, oldest first. */
export function returnsOfInvoice(em: EntityManager, invoiceId: string): Promise<Payment[]> {
  return em.find(Payment, { invoiceId, ...RETURNS }, { orderBy: { id: 'asc' } });
}

/** Reads what went back or is about to of one receipt, oldest first. */
export async function returnsOfReceipt(em: EntityManager, { id, invoiceId }: Payment): Promise<Payment[]> {
  const returns = await em.find(Payment, { invoiceId, ...RETURNS }, { orderBy: { id: 'asc' } });
  return returns.filter(({ allocations }) => allocations.some(({ paymentId }) => paymentId === id));
}

/** Reads the chargeback of a dispute, won back or not; null when there is none. */
export function findChargeback(em: EntityManager, disputeId: string): Promise<Payment | null> {
  return em.findOne(Payment, { kind: 'chargeback', reference: disputeId });
}

/** Reads every entry of an invoice in the order in which they were made. */
export function entriesOfInvoice(em: EntityManager, invoiceId: string): Promise<LedgerEntry[]> {
  return em.find(LedgerEntry, { invoiceId }, { orderBy: { id: 'asc' } });
}

/** Reads the lines of entries. */
export function linesOf(em: EntityManager, entries: readonly LedgerEntry[]): Promise<LedgerLine[]> {
  return em.find(LedgerLine, { entryId: { $in: entries.map(({ id }) => id) } }, { orderBy: { id: 'asc' } });
}
