// Remittances: reading and listing them, and the lock under which money is promised to a payee.
import type { FilterQuery } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { AccountNumber } from '../../../../domain/billing/ledger/chart.ts';
import type { RemittanceKind, RemittanceStatus } from '../../../../domain/billing/remittance.ts';
import type { BusinessDate } from '../../../../domain/dates.ts';
import type { Cents } from '../../../../domain/money.ts';
import { Remittance } from '../../../entities/billing/remittance.ts';
import { lockById } from '../../../entity-rows.ts';
import { organizationOf } from '../../../scope.ts';
import { holdUntilCommit } from '../../holds.ts';
import { between, equalTo, type Page, type PageRequest, pageOf } from '../../pages.ts';

export interface RemittanceFilter {
  kinds: readonly RemittanceKind[];
  payee?: string | undefined;
  status?: RemittanceStatus | undefined;
  /** The first and last payment dates. */
  paidFrom?: BusinessDate | undefined;
  paidTo?: BusinessDate | undefined;
}

/** Reads a remittance of one of these kinds, or null. */
export function findRemittance(
  em: EntityManager,
  id: string,
  kinds: readonly RemittanceKind[],
): Promise<Remittance | null> {
  return em.findOne(Remittance, { id, kind: { $in: [...kinds] } });
}

/** Reads a remittance and locks it until the transaction ends; null when there is none. */
export function lockRemittance(em: EntityManager, id: string): Promise<Remittance | null> {
  return lockById(em, Remittance, id, { refresh: true });
}

/** Reads a filing's remittance that is waiting for approval, or null. */
export function waitingRemittanceOf(
  em: EntityManager,
  filingId: string,
  kind: RemittanceKind,
): Promise<Remittance | null> {
  return em.findOne(Remittance, { filingId, kind, status: 'pending_approval' });
}

/** Reads a page of remittances, newest first. @throws DomainError validation_failed for a bad cursor */
export function listRemittances(
  em: EntityManager,
  { kinds, payee, status, paidFrom, paidTo }: RemittanceFilter,
  page: PageRequest,
): Promise<Page<Remittance>> {
  const paidOn = between(paidFrom, paidTo);
  const conditions: FilterQuery<Remittance>[] = [
    { kind: { $in: [...kinds] }, ...(paidOn && { paidOn }) },
    equalTo({ payee, status } as Record<string, string>),
  ];
  return pageOf(em, Remittance, conditions, page);
}

/** What a remittance covers of one invoice on one account; negative where more went back than came in. */
export interface CoveredInvoice {
  invoiceId: string;
  invoiceNumber: string;
  policyId: string;
  account: AccountNumber;
  amountCents: Cents;
}

/** Reads what a remittance covers, by invoice number, including released lines. */
export async function coveredInvoices(em: EntityManager, remittanceId: string): Promise<CoveredInvoice[]> {
  const rows = await em.execute<(Omit<CoveredInvoice, 'amountCents'> & { cents: string })[]>(
    `select r.invoice_id as "invoiceId", i.invoice_number as "invoiceNumber", i.policy_id as "policyId", r.account,
       sum(r.amount_cents) as cents
     from remittance_lines r join invoices i on i.org_id = r.org_id and i.id = r.invoice_id
     where r.org_id = ? and r.remittance_id = ? group by 1, 2, 3, 4 order by 2, 4`,
    [organizationOf(em), remittanceId],
  );
  return rows.map(({ cents, ...row }) => ({ ...row, amountCents: Number(cents) }));
}

/**
 * Waits for every other promise and payment of the organization, so that what is owed cannot change until the commit. A
 * caller that also needs `holdBackPayments` or `waitForReturns` calls that one first.
 */
export function lockRemittances(em: EntityManager): Promise<void> {
  return holdUntilCommit(em, 'remittances', 'alone');
}

/** Holds payments back until a return commits: the next payment sees what it took. */
export function holdBackPayments(em: EntityManager): Promise<void> {
  return holdUntilCommit(em, 'returned shares', 'shared');
}

/** Waits for every return that has begun to take shares back; the next return sees what was paid. */
export function waitForReturns(em: EntityManager): Promise<void> {
  return holdUntilCommit(em, 'returned shares', 'alone');
}
