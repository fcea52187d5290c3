/**
 * Keeps the trust whole: a payee owes back what a return takes after they were paid it, and until it is netted, our own
 * money or their debt stands in for it. Contract 3.4 "Agent clawback after payout".
 */
import type { EntityManager } from '@mikro-orm/postgresql';
import { shortfallEntries } from '../../../../domain/billing/ledger/remittance-entries.ts';
import type { BusinessDate } from '../../../../domain/dates.ts';
import type { Invoice } from '../../../entities/billing/invoice.ts';
import { TrustShortfall } from '../../../entities/billing/trust-shortfall.ts';
import { newId } from '../../../ids.ts';
import { addRow, writeNewRows } from '../../../new-rows.ts';
import { postEntry } from '../ledger.ts';
import { heldFor, type Payee, paidPayees } from './owed.ts';
import { holdBackPayments, lockRemittances } from './remittances.ts';

/**
 * Covers the shortfall of a locked invoice's payees after a return: their earlier payments may have been another
 * invoice's money. Does nothing if none of them has been paid anything. Writes the transaction's new rows.
 */
export async function keepTrustWhole(
  em: EntityManager,
  { id: invoiceId }: Pick<Invoice, 'id'>,
  on: BusinessDate,
): Promise<void> {
  await holdBackPayments(em);
  const payees = await paidPayees(em, invoiceId);
  if (payees.length === 0) return;
  await lockRemittances(em);
  await writeNewRows(em);
  for (const payee of payees) await coverShortfall(em, payee, { invoiceId, on });
}

/** The invoice whose return caused the shortfall. */
interface Cause {
  invoiceId: string;
  on: BusinessDate;
}

async function coverShortfall(em: EntityManager, { kind, payee }: Payee, { invoiceId, on }: Cause): Promise<void> {
  for (const [account, heldCents] of await heldFor(em, { kind, payee })) {
    if (heldCents >= 0) continue;
    const id = newId('trustShortfall');
    const amountCents = 0 - heldCents;
    addRow(em, TrustShortfall, { id, kind, payee, account, amountCents, invoiceId, aroseOn: on });
    const source = { sourceType: 'shortfall', sourceId: id, date: on } as const;
    const description = 'A return took what had been paid already';
    for (const entry of shortfallEntries(kind, account, amountCents)) postEntry(em, entry, { ...source, description });
  }
}
