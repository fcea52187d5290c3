// Queries on invoices. The status is not a column: `havingStatus` is the SQL form of `invoiceStatus` in
// domain/billing/invoice.ts, and a test keeps the two in agreement.
import { type FilterQuery, raw } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { InvoiceAmounts, InvoiceStatus } from '../../../domain/billing/invoice.ts';
import type { BusinessDate } from '../../../domain/dates.ts';
import type { Visibility } from '../../../domain/permissions.ts';
import { Invoice, type InvoiceLine } from '../../entities/billing/invoice.ts';
import { Policy } from '../../entities/policy/policy.ts';
import { findById, findWhere, lockById } from '../../entity-rows.ts';
import { readRow, readRows } from '../../plain-table.ts';
import { onOneConnection, preparedRows } from '../../prepared.ts';
import { organizationOf } from '../../scope.ts';
import type { Orders } from '../orders.ts';
import { between, containing, equalTo, type Page, type PageRequest, pageOf, visibleTo } from '../pages.ts';

/** List orders besides the default, the order of creation. */
export const INVOICE_ORDERS = { dueDate: 'date', invoiceNumber: 'number' } as const satisfies Orders;

/** Filters of the list; the due date range is inclusive. */
export interface InvoiceFilter {
  visibility: Visibility;
  status?: InvoiceStatus;
  policyId?: string;
  invoiceNumber?: string;
  dueFrom?: BusinessDate;
  dueTo?: BusinessDate;
  /** Part of the invoice number or the insured's name, or the start of a payment reference. */
  q?: string;
}

/** Reads an invoice, or null. */
export function findInvoice(em: EntityManager, id: string): Promise<Invoice | null> {
  return findById(em, Invoice, id);
}

/** Reads an invoice and locks it until the transaction ends, after its policy. Null when there is none. */
export function lockInvoice(em: EntityManager, id: string): Promise<Invoice | null> {
  return lockById(em, Invoice, id);
}

const POLICY_ID = {
  name: 'policy of an invoice',
  text: 'select policy_id as "policyId" from invoices where org_id = $1 and id = $2',
};

/** Reads an invoice's policy id without reading the invoice, which is locked later. Null when there is none. */
export async function policyIdOfInvoice(em: EntityManager, id: string): Promise<string | null> {
  const [row] = await preparedRows<{ policyId: string }>(em, POLICY_ID, [organizationOf(em), id]);
  return row?.policyId ?? null;
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
  return findWhere(em, Invoice, BILLS_OF_POLICY, [policyId]);
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
 * An invoice with one line in place of all that bill the same; the other details of its lines are left out. Every
 * change to a policy adds a line to each of its invoices.
 */
export type Bill = Readonly<Invoice>;

const SUMMED_LINES = `(
  select coalesce(jsonb_agg(jsonb_build_object('kind', kind, 'code', code, 'amountCents', cents)), '[]') from (
    select line ->> 'kind' as kind, line ->> 'code' as code, sum((line ->> 'amountCents')::bigint) as cents
      from jsonb_array_elements(lines) line group by 1, 2) sums)`;

const LOCKED_OF_POLICY = 'org_id = $1 and policy_id = $2 order by id for update';
const BILLS_OF_POLICY = 'org_id = $1 and policy_id = $2 order by due_date, invoice_number';

/** Reads a policy's bills by due date, read-only. */
export function billsOfPolicy(em: EntityManager, policyId: string): Promise<Bill[]> {
  return readRows(em, Invoice, BILLS_OF_POLICY, [policyId], { lines: SUMMED_LINES });
}

/** Reads a policy's bills, read-only, and locks them until the transaction ends, after their policy. */
export function lockBillsOfPolicy(em: EntityManager, policyId: string): Promise<Bill[]> {
  return readRows(em, Invoice, LOCKED_OF_POLICY, [policyId], { lines: SUMMED_LINES });
}

/** A change to a bill: its lines are added to the existing ones, and everything else is replaced. */
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

/** Changes locked bills, and rereads any of these invoices that the transaction had already read. */
export async function changeBills(em: EntityManager, changes: readonly BillChange[]): Promise<void> {
  if (changes.length === 0) return;
  const known = changes.flatMap(({ id }) => em.getUnitOfWork().getById(Invoice, id)?.id ?? []);
  if (known.length > 0) await em.flush();
  await preparedRows(em, CHANGE_BILLS, [organizationOf(em), JSON.stringify(changes)]);
  if (known.length > 0) await em.find(Invoice, { id: { $in: known } }, { refresh: true });
}

/** Reads a policy's invoices and locks them until the transaction ends, after their policy. */
export function lockInvoicesOfPolicy(em: EntityManager, policyId: string): Promise<Invoice[]> {
  return findWhere(em, Invoice, LOCKED_OF_POLICY, [policyId]);
}

/**
 * Reads a page of invoices, newest first unless another order is chosen. `today` is the organization's business date;
 * the status depends on it.
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

/** The SQL condition that a payment reference begins with a text, passed twice. Decision 0299. */
export const REFERENCE_BEGINS_WITH = `reference_key >= lower(?::text collate "C")
  and reference_key < lower(?::text collate "C") || U&'\\+10FFFF'`;

/** The condition that an invoice has a payment with such a reference. */
function paidBy(em: EntityManager, q: string): FilterQuery<Invoice> {
  const paid = `select invoice_id from payments where org_id = ? and ${REFERENCE_BEGINS_WITH}`;
  return { [raw((alias) => `${alias}.id in (${paid})`, [organizationOf(em), q, q])]: [] } as FilterQuery<Invoice>;
}

const STANDING = 'voided_at is null and uncollectible_at is null';
/** The SQL condition for an invoice paid in full. */
export const PAID = `${STANDING} and paid_cents - refunded_before_paid_cents >= total_cents`;
/** The SQL condition for an invoice with nothing left to pay: void, or once paid in full. */
export const SETTLED = 'voided_at is not null or paid_cents - refunded_before_paid_cents >= total_cents';
/** The SQL condition for an invoice with a balance. */
export const OWED = `${STANDING} and paid_cents - refunded_before_paid_cents < total_cents`;

/** The line code of the returned payment fee. */
export const RETURNED_PAYMENT_FEE = 'NSF_FEE';
/** Whether an invoice bills only the returned payment fee. */
export function isReturnedPaymentFee({ lines }: Pick<Invoice, 'lines'>): boolean {
  return lines.some(({ code }) => code === RETURNED_PAYMENT_FEE);
}

/** The same as an SQL condition, on an invoice's lines. */
export const IS_FEE_FOR_RETURNED_PAYMENT = (lines: string) => `${lines} @> '[{"code": "${RETURNED_PAYMENT_FEE}"}]'`;

/**
 * Whether an invoice's unpaid balance counts against its policy: not while a bank decides a dispute, and not such a
 * fee.
 */
export function countsAgainstPolicy(invoice: Pick<Invoice, 'disputed' | 'lines'>): boolean {
  return !invoice.disputed && !isReturnedPaymentFee(invoice);
}

/**
 * The SQL condition for an invoice that makes its policy past due: not a disputed one, and not the returned payment
 * fee, for which no policy lapses.
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
