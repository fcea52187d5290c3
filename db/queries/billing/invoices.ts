// Queries on invoices. The status is not a column: `havingStatus` says in SQL what `invoiceStatus` of
// domain/billing/invoice.ts says about one row, and a test keeps the two in agreement.
import { type FilterQuery, LockMode, raw } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { InvoiceAmounts, InvoiceStatus } from '../../../domain/billing/invoice.ts';
import type { BusinessDate } from '../../../domain/dates.ts';
import type { Visibility } from '../../../domain/permissions.ts';
import { Invoice, type InvoiceLine } from '../../entities/billing/invoice.ts';
import { Policy } from '../../entities/policy/policy.ts';
import { readRow, readRows } from '../../plain-table.ts';
import { onOneConnection, preparedRows } from '../../prepared.ts';
import { organizationOf } from '../../scope.ts';
import type { Orders } from '../orders.ts';
import { between, containing, equalTo, type Page, type PageRequest, pageOf, visibleTo } from '../pages.ts';

/** The orders of the list beside the one in which invoices were made. */
export const INVOICE_ORDERS = { dueDate: 'date', invoiceNumber: 'number' } as const satisfies Orders;

/** Filters of the list; both ends of the range of due dates are included. */
export interface InvoiceFilter {
  visibility: Visibility;
  status?: InvoiceStatus;
  policyId?: string;
  invoiceNumber?: string;
  dueFrom?: BusinessDate;
  dueTo?: BusinessDate;
  /** Part of the invoice number or of the insured's name, or how the reference of a payment begins. */
  q?: string;
}

/** Reads an invoice, or null. */
export function findInvoice(em: EntityManager, id: string): Promise<Invoice | null> {
  return em.findOne(Invoice, { id });
}

/** Reads an invoice and locks it until the transaction ends, after its policy. Null when there is none. */
export function lockInvoice(em: EntityManager, id: string): Promise<Invoice | null> {
  return em.findOne(Invoice, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE });
}

/** Reads an invoice's policy id without reading the invoice, which is locked later. Null when there is none. */
export async function policyIdOfInvoice(em: EntityManager, id: string): Promise<string | null> {
  const [row] = await em.execute<{ policy_id: string }[]>(
    'select policy_id from invoices where id = ? and org_id = ?',
    [id, organizationOf(em)],
  );
  return row?.policy_id ?? null;
}

/** The columns that decide an invoice's status and balance. */
export function invoiceAmounts(invoice: Invoice): InvoiceAmounts {
  const { totalCents, paidCents, refundedCents, refundedBeforePaidCents, dueDate } = invoice;
  const voided = invoice.voidedAt !== null;
  const uncollectible = invoice.uncollectibleAt !== null;
  return { totalCents, paidCents, refundedCents, refundedBeforePaidCents, voided, uncollectible, dueDate };
}

/** A policy and its bills. */
interface PolicyWithInvoices {
  policy: Readonly<Policy>;
  invoices: Readonly<Invoice>[];
}

/** Reads a policy's invoices by due date. */
export function invoicesOfPolicy(em: EntityManager, policyId: string): Promise<Invoice[]> {
  return em.find(Invoice, { policyId }, { orderBy: { dueDate: 'asc', invoiceNumber: 'asc' } });
}

/** Reads a policy with its invoices by due date, in one round trip; null when there is none. Read-only. */
export function findPolicyWithInvoices(em: EntityManager, policyId: string): Promise<PolicyWithInvoices | null> {
  return onOneConnection(em, async (own) => {
    const [policy, invoices] = await Promise.all([
      readRow(own, Policy, policyId),
      readRows(own, Invoice, 'org_id = $1 and policy_id = $2 order by due_date, invoice_number', [policyId]),
    ]);
    return policy && { policy, invoices };
  });
}

/**
 * An invoice that has one line in place of all that bill the same; what else its lines say is left out. A policy that
 * is changed often adds a line to each of its invoices every time.
 */
export type Bill = Readonly<Invoice>;

const SUMMED_LINES = `(
  select coalesce(jsonb_agg(jsonb_build_object('kind', kind, 'code', code, 'amountCents', cents)), '[]') from (
    select line ->> 'kind' as kind, line ->> 'code' as code, sum((line ->> 'amountCents')::bigint) as cents
      from jsonb_array_elements(lines) line group by 1, 2) sums)`;

const BILLS_OF_POLICY = 'org_id = $1 and policy_id = $2 order by due_date, invoice_number';

/** Reads a policy's bills by due date, read-only. */
export function billsOfPolicy(em: EntityManager, policyId: string): Promise<Bill[]> {
  return readRows(em, Invoice, BILLS_OF_POLICY, [policyId], { lines: SUMMED_LINES });
}

/** Reads a policy's bills, read-only, and locks them until the transaction ends, after their policy. */
export function lockBillsOfPolicy(em: EntityManager, policyId: string): Promise<Bill[]> {
  const condition = 'org_id = $1 and policy_id = $2 order by id for update';
  return readRows(em, Invoice, condition, [policyId], { lines: SUMMED_LINES });
}

/** A change of a bill: its lines are added to those that are there, and all else is replaced. */
export interface BillChange extends Pick<Invoice, 'id' | 'totalCents' | 'dueDate' | 'voidedAt' | 'voidedBy'> {
  addedLines: InvoiceLine[];
}

const CHANGE_BILLS = {
  name: 'change bills',
  text: `update invoices i set lines = i.lines || changed."addedLines", total_cents = changed."totalCents",
      due_date = changed."dueDate", voided_at = changed."voidedAt", voided_by = changed."voidedBy",
      updated_at = now(), version = i.version + 1
    from jsonb_to_recordset($2::jsonb) as changed ("id" text, "addedLines" jsonb, "totalCents" bigint, "dueDate" date,
      "voidedAt" timestamptz(3), "voidedBy" text)
    where i.org_id = $1 and i.id = changed.id`,
};

/** Changes locked bills; what the transaction has read of these invoices before is read again. */
export async function changeBills(em: EntityManager, changes: readonly BillChange[]): Promise<void> {
  if (changes.length === 0) return;
  const known = changes.flatMap(({ id }) => em.getUnitOfWork().getById(Invoice, id)?.id ?? []);
  if (known.length > 0) await em.flush();
  await preparedRows(em, CHANGE_BILLS, [organizationOf(em), JSON.stringify(changes)]);
  if (known.length > 0) await em.find(Invoice, { id: { $in: known } }, { refresh: true });
}

/** Reads a policy's invoices and locks them until the transaction ends, after their policy. */
export function lockInvoicesOfPolicy(em: EntityManager, policyId: string): Promise<Invoice[]> {
  return em.find(Invoice, { policyId }, { orderBy: { id: 'asc' }, lockMode: LockMode.PESSIMISTIC_WRITE });
}

/**
 * Reads a page of invoices, newest first unless another order is chosen. `today` is the organization's business date,
 * on which the status depends.
 * @throws DomainError validation_failed for a bad cursor
 */
export function listInvoices(
  em: EntityManager,
  filter: InvoiceFilter,
  today: BusinessDate,
  page: PageRequest,
): Promise<Page<Invoice>> {
  const { visibility, status, policyId, invoiceNumber, q } = filter;
  const conditions: (FilterQuery<Invoice> | null)[] = [visibleTo(visibility), equalTo({ policyId, invoiceNumber })];
  if (status) conditions.push(havingStatus(status, today));
  if (q) conditions.push({ $or: [{ invoiceNumber: containing(q) }, { insuredName: containing(q) }, paidBy(em, q)] });
  const due = between(filter.dueFrom, filter.dueTo);
  if (due) conditions.push({ dueDate: due });
  return pageOf(em, Invoice, conditions, page);
}

/** The SQL condition that the reference of a payment begins with a text, given twice. Decision 0299. */
export const REFERENCE_BEGINS_WITH = `reference_key >= lower(?::text collate "C")
  and reference_key < lower(?::text collate "C") || U&'\\+10FFFF'`;

/** The condition that an invoice has a payment with such a reference. */
function paidBy(em: EntityManager, q: string): FilterQuery<Invoice> {
  const paid = `select invoice_id from payments where org_id = ? and ${REFERENCE_BEGINS_WITH}`;
  return { [raw((alias) => `${alias}.id in (${paid})`, [organizationOf(em), q, q])]: [] } as FilterQuery<Invoice>;
}

const STANDING = 'voided_at is null and uncollectible_at is null';
/** The SQL condition for an invoice whose whole total has been paid. */
export const PAID = `${STANDING} and paid_cents - refunded_before_paid_cents >= total_cents`;
/** The SQL condition for an invoice on which nothing is left to pay: void, or once fully paid. */
export const SETTLED = 'voided_at is not null or paid_cents - refunded_before_paid_cents >= total_cents';
/** The SQL condition for an invoice with a balance. */
export const OWED = `${STANDING} and paid_cents - refunded_before_paid_cents < total_cents`;

/** The code of the line for a payment that came back. */
export const RETURNED_PAYMENT_FEE = 'NSF_FEE';
/** Whether an invoice bills the fee for a payment that came back, and nothing else. */
export function isReturnedPaymentFee({ lines }: Pick<Invoice, 'lines'>): boolean {
  return lines.some(({ code }) => code === RETURNED_PAYMENT_FEE);
}

/** The SQL condition for the same, by the lines of an invoice. */
export const IS_FEE_FOR_RETURNED_PAYMENT = (lines: string) => `${lines} @> '[{"code": "${RETURNED_PAYMENT_FEE}"}]'`;

/** Whether what is unpaid on an invoice counts against its policy: not what a bank decides about, and no such fee. */
export function countsAgainstPolicy(invoice: Pick<Invoice, 'disputed' | 'lines'>): boolean {
  return !invoice.disputed && !isReturnedPaymentFee(invoice);
}

/**
 * The SQL condition for an invoice that makes its policy past due: not one that a bank decides about, and not the fee
 * for a payment that came back, for which no policy lapses.
 */
export const DUE = `${OWED} and not disputed and not ${IS_FEE_FOR_RETURNED_PAYMENT('lines')}`;

/** The SQL condition for each status; the question marks are the business date. */
const STATUS_SQL: Record<InvoiceStatus, string> = {
  void: 'voided_at is not null',
  uncollectible: 'voided_at is null and uncollectible_at is not null',
  paid: `${PAID} and refunded_cents <= refunded_before_paid_cents`,
  refunded: `${PAID} and refunded_cents > refunded_before_paid_cents and refunded_cents >= paid_cents`,
  partially_refunded: `${PAID} and refunded_cents > refunded_before_paid_cents and refunded_cents < paid_cents`,
  past_due: `${OWED} and due_date < ?::date`,
  partially_paid: `${OWED} and due_date >= ?::date and paid_cents > refunded_cents`,
  open: `${OWED} and due_date >= ?::date and paid_cents <= refunded_cents`,
};

/** The condition that an invoice has a status on a business date. Contract 3.4. */
export function havingStatus(status: InvoiceStatus, today: BusinessDate): FilterQuery<Invoice> {
  const sql = STATUS_SQL[status];
  return { [raw(`(${sql})`, sql.includes('?') ? [today] : [])]: [] } as FilterQuery<Invoice>;
}
