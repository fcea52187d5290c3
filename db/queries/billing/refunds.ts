// Queries on returned money. Failed returns do not count.
import type { EntityManager } from '@mikro-orm/postgresql';
import { type PaymentStatus, RESERVED_STATUSES, RETURN_KINDS } from '../../../domain/billing/payment.ts';
import type { BusinessDate } from '../../../domain/dates.ts';
import type { Cents } from '../../../domain/money.ts';
import type { Parts } from '../../../domain/policy/parts.ts';
import { LedgerEntry } from '../../entities/billing/ledger-entry.ts';
import { LedgerLine } from '../../entities/billing/ledger-line.ts';
import { Payment } from '../../entities/billing/payment.ts';
import { findWhere, lockById } from '../../entity-rows.ts';
import { preparedRows } from '../../prepared.ts';
import { organizationOf } from '../../scope.ts';
import { equalTo, type Page, type PageRequest, pageOf } from '../pages.ts';

const RETURNS = {
  kind: { $in: [...RETURN_KINDS] },
  status: { $in: [...RESERVED_STATUSES, 'succeeded'] },
} as const;

export interface RefundFilter {
  status?: PaymentStatus;
  policyId?: string;
  invoiceId?: string;
}

/** Reads a current payment and locks it, after its policy and invoice. Null when there is none. */
export function lockReceipt(em: EntityManager, id: string): Promise<Payment | null> {
  return lockById(em, Payment, id, { refresh: true });
}

/** Reads an invoice's completed and pending returns, oldest first. */
export function returnsOfInvoice(em: EntityManager, invoiceId: string): Promise<Payment[]> {
  return em.find(Payment, { invoiceId, ...RETURNS }, { orderBy: { id: 'asc' } });
}

/** Reads a receipt's completed and pending returns, oldest first. */
export async function returnsOfReceipt(em: EntityManager, { id, invoiceId }: Payment): Promise<Payment[]> {
  const returns = await em.find(Payment, { invoiceId, ...RETURNS }, { orderBy: { id: 'asc' } });
  return returns.filter(({ allocations }) => allocations.some(({ paymentId }) => paymentId === id));
}

const POLICIES_OF_REFUND = {
  name: 'policies of a refund',
  text: `select r.policy_id as id from payments r where r.org_id = $1 and r.id = $2 and r.policy_id is not null
    union
    select s.policy_id from payments r
        cross join jsonb_array_elements(r.allocations) part
        join payments a on a.org_id = r.org_id and a.id = part ->> 'paymentId'
        join payments s on s.org_id = r.org_id and s.id = a.source_payment_id
      where r.org_id = $1 and r.id = $2 and s.policy_id is not null
    order by id`,
};

/** Reads the policies whose money a refund returns, including its own, oldest first. */
export async function policiesOfRefund(em: EntityManager, refundId: string): Promise<string[]> {
  const rows = await preparedRows<{ id: string }>(em, POLICIES_OF_REFUND, [organizationOf(em), refundId]);
  return rows.map(({ id }) => id);
}

/** Reads a refund (not a chargeback), or null. */
export function findRefund(em: EntityManager, id: string): Promise<Payment | null> {
  return em.findOne(Payment, { id, kind: 'refund' });
}

/**
 * Totals manual refunds since a day, in cents, that were not approved and did not need approval. Return premium belongs
 * to the policy, and amounts that were declined, rejected or not paid out after all are not refunded. `of` is the
 * policy, or a receipt without one.
 */
export async function refundedUnapproved(
  em: EntityManager,
  of: { policyId: string } | { paymentId: string },
  since: BusinessDate,
): Promise<Cents> {
  const [condition, subject] =
    'policyId' in of
      ? ['policy_id = ?', of.policyId]
      : ['policy_id is null and allocations @> ?::jsonb', JSON.stringify([{ paymentId: of.paymentId }])];
  const [row] = await em.execute<{ cents: string }[]>(
    `select coalesce(sum(-amount_cents - coalesce((select sum(d.cancelled_cents) from disbursements d
         where d.org_id = payments.org_id and d.refund_id = payments.id), 0)), 0) as cents from payments
       where org_id = ? and kind = 'refund' and status <> 'failed' and policy_transaction_id is null
         and approval is null and received_on >= ?::date and ${condition}`,
    [organizationOf(em), since, subject],
  );
  return Number(row?.cents ?? 0);
}

/** Reads a page of refunds, newest first. @throws DomainError validation_failed for a bad cursor */
export function listRefunds(
  em: EntityManager,
  { status, policyId, invoiceId }: RefundFilter,
  page: PageRequest,
): Promise<Page<Payment>> {
  return pageOf(em, Payment, [{ kind: 'refund' }, equalTo({ status, policyId, invoiceId })], page);
}

/** Reads every refund of a receipt, whatever its outcome, oldest first. */
export async function refundsOfReceipt(em: EntityManager, { id, invoiceId }: Payment): Promise<Payment[]> {
  const refunds = await em.find(Payment, { invoiceId, kind: 'refund' }, { orderBy: { id: 'asc' } });
  return refunds.filter(({ allocations }) => allocations.some(({ paymentId }) => paymentId === id));
}

/** Reads a dispute's chargeback, won or not; null when there is none. */
export function findChargeback(em: EntityManager, disputeId: string): Promise<Payment | null> {
  return em.findOne(Payment, { kind: 'chargeback', reference: disputeId });
}

interface PostedRow extends Record<keyof Parts, string> {
  id: string;
}

/** Reads what returns have taken from each part in the ledger; unposted and reversed ones are missing. */
export async function postedReturns(em: EntityManager, ids: readonly string[]): Promise<Map<string, Parts>> {
  if (ids.length === 0) return new Map();
  const on = (accounts: string) =>
    `coalesce(sum(l.debit_cents - l.credit_cents) filter (where l.account in (${accounts})), 0)`;
  const rows = await em.execute<PostedRow[]>(
    `select e.source_id as id, ${on('2010, 2020, 2030')} as "premiumCents", ${on('2040')} as "taxCents",
         ${on('2050')} as "stampingCents", ${on('2090')} as "feeCents"
       from ledger_entries e join ledger_lines l on l.org_id = e.org_id and l.entry_id = e.id
       where e.org_id = ? and e.entry_type = 'return' and e.source_type = 'refund'
         and e.source_id in (${ids.map(() => '?').join(', ')})
         and not exists (select from ledger_entries r where r.org_id = e.org_id and r.reverses_entry_id = e.id)
       group by e.source_id`,
    [organizationOf(em), ...ids],
  );
  return new Map(
    rows.map(({ id, premiumCents, taxCents, stampingCents, feeCents }) => {
      const parts = { premiumCents: Number(premiumCents), taxCents: Number(taxCents) };
      return [id, { ...parts, stampingCents: Number(stampingCents), feeCents: Number(feeCents) }];
    }),
  );
}

/** Reads an invoice's entries in posting order. */
export function entriesOfInvoice(em: EntityManager, invoiceId: string): Promise<LedgerEntry[]> {
  return findWhere(em, LedgerEntry, 'org_id = $1 and invoice_id = $2 order by id', [invoiceId]);
}

/** Reads the lines of entries. */
export function ledgerLinesOf(em: EntityManager, entries: readonly LedgerEntry[]): Promise<LedgerLine[]> {
  const ids = entries.map(({ id }) => id);
  return findWhere(em, LedgerLine, 'org_id = $1 and entry_id = any ($2) order by id', [ids]);
}
