// Queries on autopay: whose card is charged, and for which bills.
import { type EntityManager, LockMode } from '@mikro-orm/postgresql';
import type { ChargeFacts } from '../../../domain/billing/autopay.ts';
import { IN_FORCE_STATUSES } from '../../../domain/billing/delinquency-clock.ts';
import type { BusinessDate } from '../../../domain/dates.ts';
import { Autopay } from '../../entities/billing/autopay.ts';
import { AutopaySetup } from '../../entities/billing/autopay-setup.ts';
import { organizationOf } from '../../scope.ts';
import { DUE } from './invoices.ts';

/** Reads the autopay of an insured, or null. */
export function findAutopay(em: EntityManager, insuredId: string): Promise<Autopay | null> {
  return em.findOne(Autopay, { insuredId });
}

/** Reads the autopay of an insured and locks it until the transaction ends; null when there is none. */
export function lockAutopay(em: EntityManager, insuredId: string): Promise<Autopay | null> {
  return em.findOne(Autopay, { insuredId }, { lockMode: LockMode.PESSIMISTIC_WRITE });
}

/** Reads a setup, or null. */
export function findAutopaySetup(em: EntityManager, id: string): Promise<AutopaySetup | null> {
  return em.findOne(AutopaySetup, { id });
}

/** Reads the setups of an insured that nobody has finished. */
export function openSetupsOf(em: EntityManager, insuredId: string): Promise<AutopaySetup[]> {
  return em.find(AutopaySetup, { insuredId, status: { $in: ['creating', 'open'] } });
}

/** A bill of an insured whose autopay is active, and how its charges went. */
export interface AutopayBill extends ChargeFacts {
  invoiceId: string;
  policyId: string;
  setupId: string;
  balanceCents: number;
  /** The day of a charge without an outcome; null when there is none. */
  underWayOn: BusinessDate | null;
  /** Whether the insured got notice of the charge on this due date. */
  isNoticed: boolean;
}

/** An attempt of autopay without an outcome. */
const UNDER_WAY = `autopay_setup_id is not null and status in ('creating', 'open')`;

/**
 * The bills, of one organization, that autopay may charge: owed, undisputed, of a term that is in force or to come. A
 * bill of a term that has ended by cancellation is paid by hand: nobody gets their cover back for it. Attempts with an
 * earlier card do not count.
 */
const BILLS = `
  select bill.id as "invoiceId", p.id as "policyId", a.setup_id as "setupId", bill.due_date::text as "dueDate",
      bill.balance::int as "balanceCents", tried.first_on::text as "firstTriedOn", tried.failures::int as "failures",
      tried.under_way::text as "underWayOn",
      coalesce(bill.autopay_notice_for = bill.due_date, false) as "isNoticed"
    from autopays a
      join policies p on p.org_id = a.org_id and p.insured_id = a.insured_id
        and p.status in (${IN_FORCE_STATUSES.map((status) => `'${status}'`).join(', ')})
      join lateral (
        select id, due_date, autopay_notice_for, total_cents - paid_cents + refunded_before_paid_cents as balance
          from invoices where org_id = p.org_id and policy_id = p.id and ${DUE}) bill on true
      cross join lateral (
        select min(autopay_on) filter (where failure_code is not null) as first_on,
            count(failure_code) as failures,
            max(autopay_on) filter (where status in ('creating', 'open')) as under_way
          from payment_intents
          where org_id = a.org_id and invoice_id = bill.id and autopay_setup_id = a.setup_id) tried
    where a.org_id = ? and a.status = 'active'`;

/** Reads the bills that fall due up to a day, in the order of their ids. */
export function autopayBills(em: EntityManager, until: BusinessDate): Promise<AutopayBill[]> {
  return em.execute<AutopayBill[]>(`${BILLS} and bill.due_date <= ?::date order by bill.id`, [
    organizationOf(em),
    until,
  ]);
}

/** Reads the bills with a charge of autopay that has no outcome, whatever has become of autopay and the bill since. */
export async function billsUnderWay(em: EntityManager): Promise<string[]> {
  const rows = await em.execute<{ id: string }[]>(
    `select distinct invoice_id as id from payment_intents where org_id = ? and ${UNDER_WAY} order by id`,
    [organizationOf(em)],
  );
  return rows.map(({ id }) => id);
}

/** Reads one bill; null when autopay does not charge it. */
export async function autopayBill(em: EntityManager, invoiceId: string): Promise<AutopayBill | null> {
  const [bill] = await em.execute<AutopayBill[]>(`${BILLS} and bill.id = ?`, [organizationOf(em), invoiceId]);
  return bill ?? null;
}

/** Keeps that the insured gets notice of the charge of a bill on a day. */
export async function keepChargeNotice(em: EntityManager, invoiceId: string, on: BusinessDate): Promise<void> {
  await em.execute('update invoices set autopay_notice_for = ? where org_id = ? and id = ?', [
    on,
    organizationOf(em),
    invoiceId,
  ]);
}

/**
 * The next organizations with autopay, or with a charge that it has left without an outcome, by id. Needs the scope of
 * all organizations.
 */
export async function organizationsWithAutopay(
  em: EntityManager,
  { after, limit }: { after: string; limit: number },
): Promise<string[]> {
  const rows = await em.execute<{ org_id: string }[]>(
    `select org_id from autopays where status = 'active' and org_id > ?
     union
     select org_id from payment_intents where ${UNDER_WAY} and org_id > ?
     order by org_id limit ?`,
    [after, after, limit],
  );
  return rows.map(({ org_id }) => org_id);
}
