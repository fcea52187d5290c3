// Queries on autopay: whose card is charged, and for which bills.
import { type EntityManager, LockMode } from '@mikro-orm/postgresql';
import type { ChargeFacts } from '../../../domain/billing/autopay.ts';
import type { BusinessDate } from '../../../domain/dates.ts';
import { Autopay } from '../../entities/billing/autopay.ts';
import { AutopaySetup } from '../../entities/billing/autopay-setup.ts';
import { findById } from '../../entity-rows.ts';
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
  return findById(em, AutopaySetup, id);
}

/** Reads an insured's unfinished setups. */
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
  /** Whether the insured was notified of the charge on this due date. */
  isNoticed: boolean;
}

/** An autopay attempt without an outcome. */
const UNDER_WAY = `t.autopay_setup_id is not null and t.status in ('creating', 'open')`;

/**
 * One organization's bills that autopay may charge: owed, and never charged back, since the cardholder disputed that
 * charge. The bill of a cancelled or lapsed term is paid by hand, because paying it does not restore coverage. Attempts
 * with an earlier card do not count.
 */
const BILLS = `
  select bill.id as "invoiceId", p.id as "policyId", a.setup_id as "setupId", bill.due_date::text as "dueDate",
      bill.balance::int as "balanceCents", tried.last_on::text as "lastTriedOn", tried.failures::int as "failures",
      tried.under_way::text as "underWayOn",
      coalesce(bill.autopay_notice_for = bill.due_date, false) as "isNoticed"
    from autopays a
      join policies p on p.org_id = a.org_id and p.insured_id = a.insured_id
        and p.status not in ('cancelled', 'lapsed')
      join lateral (
        select id, due_date, autopay_notice_for, total_cents - paid_cents + refunded_before_paid_cents as balance
          from invoices where org_id = p.org_id and policy_id = p.id and ${DUE} and not exists (
            select from payments c
              where c.org_id = invoices.org_id and c.invoice_id = invoices.id and c.kind = 'chargeback')) bill on true
      cross join lateral (
        select max(autopay_on) filter (where failure_code is not null) as last_on,
            count(failure_code) as failures,
            max(autopay_on) filter (where status in ('creating', 'open')) as under_way
          from payment_intents
          where org_id = a.org_id and invoice_id = bill.id and autopay_setup_id = a.setup_id) tried
    where a.org_id = ? and a.status = 'active'`;

const OF_INSUREDS = 'and a.insured_id = any(?::text[])';
/** Ids as a database array. */
const arrayOf = (ids: readonly string[]) => `{${ids.join(',')}}`;
const DUE_UNTIL = 'and bill.due_date <= ?::date order by bill.id';

/** Reads the bills of these insureds that fall due up to a day, in id order. */
export function autopayBills(
  em: EntityManager,
  insuredIds: readonly string[],
  until: BusinessDate,
): Promise<AutopayBill[]> {
  return em.execute<AutopayBill[]>(`${BILLS} ${OF_INSUREDS} ${DUE_UNTIL}`, [
    organizationOf(em),
    arrayOf(insuredIds),
    until,
  ]);
}

/** Reads the bills of all insureds that fall due up to a day: for the test clock, whose organizations are small. */
export function allAutopayBills(em: EntityManager, until: BusinessDate): Promise<AutopayBill[]> {
  return em.execute<AutopayBill[]>(`${BILLS} ${DUE_UNTIL}`, [organizationOf(em), until]);
}

/** Autopay attempts without an outcome, with bill and insured, whatever has happened to autopay and the bill since. */
const ATTEMPTS_UNDER_WAY = `
  from payment_intents t
    join invoices i on i.org_id = t.org_id and i.id = t.invoice_id
    join policies p on p.org_id = t.org_id and p.id = i.policy_id
  where t.org_id = ? and ${UNDER_WAY}`;

/** Reads the bills of these insureds that have an autopay charge without an outcome. */
export async function billsUnderWay(em: EntityManager, insuredIds: readonly string[]): Promise<string[]> {
  const rows = await em.execute<{ id: string }[]>(
    `select distinct t.invoice_id as id ${ATTEMPTS_UNDER_WAY} and p.insured_id = any(?::text[]) order by id`,
    [organizationOf(em), arrayOf(insuredIds)],
  );
  return rows.map(({ id }) => id);
}

/** Reads the next insureds, by id, that have autopay or an autopay charge without an outcome. */
export async function insuredsWithAutopay(
  em: EntityManager,
  { after, limit }: { after: string; limit: number },
): Promise<string[]> {
  const orgId = organizationOf(em);
  const rows = await em.execute<{ insured_id: string }[]>(
    `(select insured_id from autopays where org_id = ? and status = 'active' and insured_id > ?
       order by insured_id limit ?)
     union
     select p.insured_id ${ATTEMPTS_UNDER_WAY} and p.insured_id > ?
     order by insured_id limit ?`,
    [orgId, after, limit, orgId, after, limit],
  );
  return rows.map(({ insured_id }) => insured_id);
}

/** Reads one bill; null when autopay may not charge it. */
export async function autopayBill(em: EntityManager, invoiceId: string): Promise<AutopayBill | null> {
  const [bill] = await em.execute<AutopayBill[]>(`${BILLS} and bill.id = ?`, [organizationOf(em), invoiceId]);
  return bill ?? null;
}

/** Records that the insured is notified of a bill's charge on a day. */
export async function keepChargeNotice(em: EntityManager, invoiceId: string, on: BusinessDate): Promise<void> {
  await em.execute('update invoices set autopay_notice_for = ? where org_id = ? and id = ?', [
    on,
    organizationOf(em),
    invoiceId,
  ]);
}

/**
 * The next organizations, by id, that have autopay or an autopay charge without an outcome. Needs the all-organizations
 * scope.
 */
export async function organizationsWithAutopay(
  em: EntityManager,
  { after, limit }: { after: string; limit: number },
): Promise<string[]> {
  const rows = await em.execute<{ org_id: string }[]>(
    `select org_id from autopays where status = 'active' and org_id > ?
     union
     select t.org_id from payment_intents t where ${UNDER_WAY} and t.org_id > ?
     order by org_id limit ?`,
    [after, after, limit],
  );
  return rows.map(({ org_id }) => org_id);
}
