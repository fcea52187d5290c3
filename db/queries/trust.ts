// An organization's trust by three records, read as one snapshot.
import type { EntityManager } from '@mikro-orm/postgresql';
import type { BusinessDate } from '../../domain/dates.ts';
import type { TrustFigures } from '../../domain/ledger/trust.ts';
import { TrustReconciliation } from '../entities/trust-reconciliation.ts';
import { organizationOf } from '../scope.ts';

/**
 * Receipts lie where their method puts them; a refund is paid from where each of its receipts lies. The unapplied part
 * of a refund is its amount beyond its applied part.
 */
const FIGURES = `
with accounts as (
  select account, sum(debit_cents - credit_cents) as debit from ledger_lines where org_id = :org group by account
), moved as (
  select coalesce(sum(l.debit_cents - l.credit_cents), 0) as cents from ledger_lines l
    join ledger_entries e on e.org_id = l.org_id and e.id = l.entry_id
    where l.org_id = :org and l.account = 1010 and e.entry_type in ('transfer', 'clawback_received')
), receipts as (
  select method = 'card' as by_card, sum(amount_cents) as cents from payments
    where org_id = :org and kind in ('card', 'manual') group by 1
), returned as (
  select part ->> 'method' = 'card' as by_card, sum((part ->> 'amountCents')::bigint) as cents
    from payments, jsonb_array_elements(allocations) part
    where org_id = :org and kind in ('refund', 'chargeback') and status = 'succeeded' group by 1
), shared as (
  select invoice_id from ledger_entries
    where org_id = :org and source_type = 'invoice' and entry_type = 'split'
), unshared as (
  select coalesce(sum(paid_cents - refunded_cents), 0) as cents from invoices i
    where org_id = :org and paid_cents > 0 and not exists (select from shared s where s.invoice_id = i.id)
), unapplied as (
  select coalesce(sum(amount_cents - applied_cents), 0) as cents from payments
    where org_id = :org and status = 'succeeded'
)
select
  (select coalesce(sum(debit), 0) from accounts where account in (1010, 1110, 1200)) as assets,
  (select coalesce(-sum(debit), 0) from accounts where account in (2010, 2020, 2030, 2040, 2050, 2060, 2070, 2090))
    as liabilities,
  (select coalesce(sum(debit), 0) from accounts where account = 1010) as trust_cash,
  (select coalesce(sum(debit), 0) from accounts where account = 1110) as card_clearing,
  (select coalesce(-sum(debit), 0) from accounts where account = 2070) as unapplied,
  (select cents from moved) + (select coalesce(sum(cents), 0) from receipts where not by_card)
    - (select coalesce(sum(cents), 0) from returned where not by_card) as cash_received,
  (select coalesce(sum(cents), 0) from receipts where by_card)
    - (select coalesce(sum(cents), 0) from returned where by_card) as card_received,
  (select cents from unshared) + (select cents from unapplied) as unshared`;

/**
 * Reads the trust figures of ledger, payments and invoices at one moment. The claims fund has its own accounts and is
 * left out.
 */
export async function trustFigures(em: EntityManager): Promise<TrustFigures> {
  const sql = FIGURES.replaceAll(':org', '?');
  const places = FIGURES.split(':org').length - 1;
  const [row] = await em.execute<Record<string, string>[]>(sql, Array(places).fill(organizationOf(em)));
  const cents = (name: string) => Number(row?.[name] ?? 0);
  return {
    assetsCents: cents('assets'),
    liabilitiesCents: cents('liabilities'),
    trustCashCents: cents('trust_cash'),
    cardClearingCents: cents('card_clearing'),
    cashReceivedCents: cents('cash_received'),
    cardReceivedCents: cents('card_received'),
    unappliedCents: cents('unapplied'),
    unsharedCents: cents('unshared'),
  };
}

/** Stores a day's result; a later check of the same day replaces it. */
export async function saveReconciliation(
  em: EntityManager,
  result: { date: BusinessDate; isClean: boolean; figures: TrustFigures },
): Promise<void> {
  const figures = { ...result.figures };
  await em.upsert(
    TrustReconciliation,
    { ...result, figures, orgId: organizationOf(em) },
    { onConflictFields: ['orgId', 'date'], onConflictExcludeFields: ['id', 'createdAt'] },
  );
}
