// Money owed back by check and kept instead: the receipts that hold it, and how much was taken back because it was
// never good. Decision 0290.
import type { EntityManager } from '@mikro-orm/postgresql';
import { KEPT_REFUND } from '../../../domain/billing/payment.ts';
import type { Cents } from '../../../domain/money.ts';
import { Disbursement } from '../../entities/billing/disbursement.ts';
import { Payment } from '../../entities/billing/payment.ts';
import { findById } from '../../entity-rows.ts';
import { returnsOfReceipt } from './refunds.ts';
import { applicationsOf } from './unapplied-cash.ts';

/** A receipt that keeps a part of a disbursement. */
export interface KeptReceipt {
  receipt: Payment;
  disbursement: Disbursement;
}

/** Reads the disbursement that a receipt keeps a part of, or null. */
export async function disbursementKeptBy(em: EntityManager, { method, reference }: Payment) {
  const [id = ''] = reference.split(':');
  return method === KEPT_REFUND ? findById(em, Disbursement, id) : null;
}

/** Reads the receipts that keep refunds of a receipt's money, wherever it was applied and however often it was kept. */
export async function keptFrom(em: EntityManager, receipt: Payment): Promise<KeptReceipt[]> {
  const found = new Map<string, KeptReceipt>();
  for (const { kind, disbursements } of await returnsOfMoney(em, receipt)) {
    for (const disbursement of kind === 'refund' ? disbursements : []) {
      for (const kept of await receiptsKeeping(em, disbursement)) {
        found.set(kept.id, { receipt: kept, disbursement });
        for (const again of await keptFrom(em, kept)) found.set(again.receipt.id, again);
      }
    }
  }
  return [...found.values()];
}

/** How much of a disbursement's kept money was taken back, or is no longer owed, because it was never good. */
export async function takenBackOf(em: EntityManager, disbursement: Readonly<Disbursement>): Promise<Cents> {
  if (disbursement.keptCents === 0) return 0;
  let cents = 0;
  for (const kept of await receiptsKeeping(em, disbursement)) {
    for (const { kind, amountCents, disbursements } of await returnsOfMoney(em, kept)) {
      if (kind !== 'refund') cents -= amountCents;
      else for (const owed of disbursements) cents += await givenUpOf(em, owed);
    }
  }
  return cents;
}

/** How much of a disbursement was given up or taken back because it was never good. */
export async function givenUpOf(em: EntityManager, disbursement: Readonly<Disbursement>): Promise<Cents> {
  const { cancelledCents, keptCents } = disbursement;
  return cancelledCents - keptCents + (await takenBackOf(em, disbursement));
}

/** The part of a disbursement that we still hold, kept or not: not paid out, taken back, or given up. */
export async function stillHereOf(em: EntityManager, disbursement: Readonly<Disbursement>): Promise<Cents> {
  return disbursement.amountCents - (await goneOf(em, disbursement));
}

async function goneOf(em: EntityManager, disbursement: Readonly<Disbursement>): Promise<Cents> {
  const { status, amountCents, cancelledCents, keptCents } = disbursement;
  let cents = cancelledCents - keptCents;
  if (status === 'issued' || status === 'cleared') cents += amountCents - cancelledCents;
  for (const kept of await receiptsKeeping(em, disbursement)) {
    for (const each of await returnsOfMoney(em, kept)) {
      if (each.kind !== 'refund') cents -= each.amountCents;
      for (const owed of each.disbursements) cents += await goneOf(em, owed);
    }
  }
  return cents;
}

/** Reads the disbursements that owe a receipt's money by check, wherever it was applied. */
export async function disbursementsOfMoney(em: EntityManager, receipt: Payment): Promise<Disbursement[]> {
  return (await returnsOfMoney(em, receipt)).flatMap(({ disbursements }) => disbursements);
}

/** A receipt's returns, wherever its money was applied, with the disbursements that owe them by check. */
async function returnsOfMoney(em: EntityManager, receipt: Payment) {
  const returns = new Map<string, Payment>();
  for (const payment of [receipt, ...(await applicationsOf(em, receipt))]) {
    for (const row of await returnsOfReceipt(em, payment)) returns.set(row.id, row);
  }
  const owed = await em.find(Disbursement, { refundId: { $in: [...returns.keys()] } });
  return [...returns.values()].map(({ id, kind, amountCents }) => {
    return { kind, amountCents, disbursements: owed.filter(({ refundId }) => refundId === id) };
  });
}

async function receiptsKeeping(em: EntityManager, { id, invoiceId, keptCents }: Readonly<Disbursement>) {
  if (keptCents === 0) return [];
  const of = { invoiceId, kind: 'manual', method: KEPT_REFUND } as const;
  const kept = await em.find(Payment, of, { orderBy: { id: 'asc' } });
  return kept.filter(({ reference }) => reference.split(':')[0] === id);
}
