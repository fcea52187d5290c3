// Filings: the list, and those whose calendar has a step to make.
import type { FilterQuery } from '@mikro-orm/core';
import { type EntityManager, LockMode } from '@mikro-orm/postgresql';
import { TAX_REPORT } from '../../../domain/billing/remittance.ts';
import { type BusinessDate, monthOf } from '../../../domain/dates.ts';
import { TRUST_REMITTANCE } from '../../../domain/insight/bordereau.ts';
import type { Remittance } from '../../entities/billing/remittance.ts';
import { Filing } from '../../entities/insight/filing.ts';
import { organizationOf } from '../../scope.ts';
import { OWED, PAID } from '../billing/invoices.ts';
import { LACKS_RENEWAL } from '../distribution/producer-filings.ts';
import { bound } from '../named-values.ts';
import { between, equalTo, type Page, type PageRequest, pageOf } from '../pages.ts';

/** Filters of the list; both ends of the range of due dates are included. */
export interface FilingFilter {
  /** `overdue` and `open` exclude each other. */
  status?: string | undefined;
  kind?: string | undefined;
  state?: string | undefined;
  policyId?: string | undefined;
  producerId?: string | undefined;
  claimId?: string | undefined;
  dueFrom?: BusinessDate | undefined;
  dueTo?: BusinessDate | undefined;
  today: BusinessDate;
}

/** Reads a filing, or null. */
export function findFiling(em: EntityManager, id: string): Promise<Filing | null> {
  return em.findOne(Filing, { id });
}

/** Reads a filing and locks its row until the transaction ends; null when there is none. */
export function lockFiling(em: EntityManager, id: string): Promise<Filing | null> {
  return em.findOne(Filing, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE });
}

/**
 * Reads a page of filings, newest first.
 * @throws DomainError validation_failed for a bad cursor
 */
export function listFilings(em: EntityManager, filter: FilingFilter, page: PageRequest): Promise<Page<Filing>> {
  const { status, kind, state, policyId, producerId, claimId, dueFrom, dueTo, today } = filter;
  // An overdue filing is stored as the open one that it is.
  const stored = status === 'overdue' ? 'open' : status;
  const conditions: FilterQuery<Filing>[] = [
    equalTo({ kind, state, policyId, producerId, claimId, status: stored } as Record<string, string>),
  ];
  if (status === 'overdue') conditions.push({ dueDate: { $lt: today } });
  if (status === 'open') conditions.push({ dueDate: { $gte: today } });
  const due = between(dueFrom, dueTo);
  if (due) conditions.push({ dueDate: due });
  return pageOf(em, Filing, conditions, page);
}

/** Reads the deadlines of a claim, whatever has become of them. */
export function filingsOfClaim(em: EntityManager, claimId: string): Promise<Filing[]> {
  return em.find(Filing, { claimId });
}

/** Reads and locks the remittances to a carrier that are due for months that are over. */
export function openRemittancesTo(em: EntityManager, carrier: string, today: BusinessDate): Promise<Filing[]> {
  const period = { $lt: monthOf(today) };
  const due = { carrier, kind: TRUST_REMITTANCE, status: 'open', period } as const;
  return em.find(Filing, due, { lockMode: LockMode.PESSIMISTIC_WRITE, orderBy: { id: 'asc' } });
}

/** More tax of the policy of filing `f` is to come: of a bill that is unpaid, or paid and not shared out yet. */
const IS_MORE_TO_COME = `exists (select from invoices i
  where i.org_id = :org and i.policy_id = f.policy_id and i.lines @> '[{"kind": "tax"}]' and (${OWED}
    or (${PAID} and i.total_cents > 0 and not exists (select from ledger_entries e
      where e.org_id = :org and e.invoice_id = i.id and e.entry_type = 'split'))))`;

/** The trust holds tax of the policy of filing `f`: it has come in, and no remittance that is paid covers it. */
const IS_HELD = `exists (select from invoices i
  join ledger_entries e on e.org_id = :org and e.invoice_id = i.id and e.entry_type <> 'transfer'
  join ledger_lines l on l.org_id = :org and l.entry_id = e.id and l.account = 2040 and l.credit_cents > 0
  where i.org_id = :org and i.policy_id = f.policy_id and not exists (select from remittance_lines r
    join remittances m on m.org_id = :org and m.id = r.remittance_id and m.status = 'paid'
    where r.org_id = :org and r.line_id = l.id and not r.released))`;

/**
 * Reads and locks the open tax reports that a remittance to a state pays: the one that it names, and each that it pays
 * whole. It pays one whole where it covers tax of its policy, no more of it is to come or held, and the change that
 * requires the report was issued by the day up to which it pays.
 */
export async function taxReportsPaidBy(
  em: EntityManager,
  { id: remittanceId, payee: state, through, filingId }: Pick<Remittance, 'id' | 'payee' | 'through' | 'filingId'>,
): Promise<Filing[]> {
  const sql = `
select f.id from filings f
  join policy_transactions t on t.org_id = :org and t.id = f.transaction_id and t.issued_on <= cast(:through as date)
  where f.org_id = :org and f.kind = '${TAX_REPORT}' and f.status = 'open' and f.state = :state
    and f.policy_id in (select i.policy_id from remittance_lines r
      join invoices i on i.org_id = :org and i.id = r.invoice_id
      where r.org_id = :org and r.remittance_id = :remittanceId)
    and not ${IS_MORE_TO_COME} and not ${IS_HELD}`;
  const values = { org: organizationOf(em), remittanceId, state, through };
  const whole = await em.execute<{ id: string }[]>(...bound(sql, values));
  const ids = [...whole.map(({ id }) => id), ...(filingId === null ? [] : [filingId])];
  const paid = { id: { $in: ids }, status: 'open' } as const;
  return em.find(Filing, paid, { lockMode: LockMode.PESSIMISTIC_WRITE, orderBy: { id: 'asc' } });
}

/** Whether a tax report of a policy for this day is still to be made. */
export async function hasOpenTaxReport(em: EntityManager, policyId: string, dueDate: BusinessDate): Promise<boolean> {
  return (await em.count(Filing, { policyId, kind: TAX_REPORT, dueDate, status: 'open' })) > 0;
}

/** Reads and locks the open filings whose next step has come by a day, earliest first. */
export function dueFilings(em: EntityManager, today: BusinessDate, limit: number): Promise<Filing[]> {
  return em.find(
    Filing,
    { status: 'open', nextStepOn: { $lte: today } },
    { lockMode: LockMode.PESSIMISTIC_WRITE, orderBy: { nextStepOn: 'asc', id: 'asc' }, limit },
  );
}

/**
 * Reads the ids of organizations with a filing or an open referral whose next step has come by their business date, or
 * with an appointment that lacks its renewal, in order, after a given one. Needs the scope of all organizations.
 */
export async function organizationsWithDueSteps(
  em: EntityManager,
  { after, limit, now, hasFilings }: { after: string; limit: number; now: Date; hasFilings: boolean },
): Promise<string[]> {
  const rows = await em.execute<{ id: string }[]>(
    `select o.id from organizations o
     cross join lateral (select (?::timestamptz at time zone 'UTC')::date + o.clock_offset_days as today) c
     where o.id > ? and (exists (select from filings f
         where f.org_id = o.id and f.status = 'open' and f.next_step_on <= c.today)
       or exists (select from referrals r
         where r.org_id = o.id and r.status in ('pending', 'info_requested') and r.next_step_on <= c.today)
       or ? and exists (select from appointments a
         where a.org_id = o.id and a.expiration_date > c.today and ${LACKS_RENEWAL}))
     order by o.id limit ?`,
    [now, after, hasFilings, limit],
  );
  return rows.map(({ id }) => id);
}
