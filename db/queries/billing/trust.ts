// An organization's trust by three records, read in one snapshot.
import { type EntityManager, IsolationLevel } from '@mikro-orm/postgresql';
import type { TrustFigures } from '../../../domain/billing/ledger/trust.ts';
import { organizationOf } from '../../scope.ts';
import { bound } from '../named-values.ts';
import { WAITING_CENTS } from './waiting-refunds.ts';

/** Rows per statement: a fraction of a second, however large the organization. */
const PAGE_ROWS = 10_000;

/** How the figures are read. */
export interface TrustReading {
  /**
   * A return settled after this instant may still be waiting for its entries and is left out of both sides of the
   * figures. Null, the default, is for books at rest: every return must be in the ledger.
   */
  outstandingSince?: Date | null;
  /** Rows per statement. */
  rows?: number;
}

/** One page of a record: its last row's id, its row count, and its part of the sums. */
type Sums = Record<string, string | number | null>;

/** Materialized, so that the limit applies before any join. */
const page = (columns: string, table: string) =>
  `page as materialized (select ${columns} from ${table} where org_id = :org and id > :after order by id limit :rows)`;
const PLACE = '(select max(id) from page) as last, (select count(*) from page) as rows';
const sumOf = (what: string, from: string) => `(select coalesce(sum(${what}), 0) from ${from})`;
/** Whether anyone has a share of an invoice; a reversed payment takes the shares back until it is paid again. */
const isShared = (invoice: string) => `coalesce((
      select sum(l.credit_cents - l.debit_cents) from ledger_entries e
        join ledger_lines l on l.org_id = :org and l.entry_id = e.id
        where e.org_id = :org and e.invoice_id = ${invoice} and l.account in (2010, 2020, 2030, 2040, 2050, 2090)
    ), 0) > 0`;
const isOutstanding = (payment: string) => `
      ${payment}.kind in ('refund', 'chargeback', 'reversal') and ${payment}.status = 'succeeded'
      and ${payment}.saga_ended_at is null and ${payment}.updated_at > cast(:since as timestamptz) and not exists (
        select from ledger_entries e where e.org_id = :org and e.source_type = 'refund' and e.source_id = ${payment}.id
          and e.entry_type in ('return', 'payout'))`;

/** What a journal moves has no other record, unless it makes up for a payment step: then the payment is the record. */
const isByHand = (entry: string) => `(${entry}.source_type = 'journal' and exists (
      select from journals j where j.org_id = :org and j.id = ${entry}.source_id and j.completes_step is null))`;
const BY_HAND = 'lines where by_hand and account';

const LEDGER = `
with ${page('id, entry_type, source_type, source_id', 'ledger_entries')}, lines as (
  select l.account, l.debit_cents - l.credit_cents as debit, p.entry_type, ${isByHand('p')} as by_hand
    from page p join ledger_lines l on l.org_id = :org and l.entry_id = p.id
)
select ${PLACE},
  ${sumOf('debit', 'lines where account in (1010, 1020, 1040, 1110, 1200)')} as assets,
  ${sumOf('-debit', 'lines where account in (2010, 2020, 2030, 2040, 2050, 2060, 2070, 2080, 2090)')} as liabilities,
  ${sumOf('debit', 'lines where account = 1010')} as "trustCash",
  ${sumOf('debit', 'lines where account = 1110')} as "cardClearing",
  ${sumOf('-debit', 'lines where account = 2070')} as unapplied,
  ${sumOf('-debit', 'lines where account = 2060')} as "returnsPayable",
  ${sumOf('debit', "lines where account = 1010 and entry_type in ('transfer', 'clawback_received')")} as moved,
  ${sumOf('debit', `${BY_HAND} = 1010`)} as "cashByHand",
  ${sumOf('debit', `${BY_HAND} = 1110`)} as "cardByHand",
  ${sumOf('-debit', `${BY_HAND} = 2070`)} as "unappliedByHand",
  ${sumOf('-debit', `${BY_HAND} = 2060`)} as "returnsByHand"`;

/**
 * A receipt lies where its method puts it. The card processor paid what cards took back, and a bank took back reversed
 * money; a refund owed by check leaves the trust as a disbursement. A refund's unapplied part is its amount less its
 * applied part.
 *
 * A return is settled in one transaction and posted in a later one. In between it is outstanding: it has no entry, its
 * saga is still running, and account 2070 still holds the part that had no owner yet. A receipt is posted as it is
 * recorded, so it is never outstanding.
 */
const PAYMENTS = `
with ${page('*', 'payments')}, outstanding as (
  select id, -amount_cents as cents, covered_cents,
      case when ${isShared('page.invoice_id')} then -applied_cents - before_paid_cents else 0 end as shared_cents
    from page where ${isOutstanding('page')}
), received as (
  select method = 'card' as by_card, amount_cents as cents from page where kind in ('card', 'manual') and method <> 'kept_refund'
  union all
  select part ->> 'method' = 'card', -(part ->> 'amountCents')::bigint from page, jsonb_array_elements(allocations) part
    where kind in ('refund', 'chargeback', 'reversal') and status = 'succeeded' and id not in (select id from outstanding)
      and (part ->> 'method' = 'card' or kind <> 'refund' and method <> 'kept_refund') and part -> 'failedAt' is null
)
select ${PLACE},
  ${sumOf('cents', 'received where not by_card')} as "cashReceived",
  ${sumOf('cents', 'received where by_card')} as "cardReceived",
  ${sumOf('amount_cents - applied_cents + covered_cents', "page where status = 'succeeded'")} as unapplied,
  ${sumOf('cents', 'outstanding')} as outstanding,
  ${sumOf('cents - covered_cents - shared_cents', 'outstanding')} as "outstandingUnshared"`;

/** Paid by check or transfer, and owed if the return is in the ledger. An amount no longer owed is neither. */
const DISBURSEMENTS = `
with ${page('id, status, amount_cents - cancelled_cents as cents, refund_id', 'disbursements')}, owed as (
  select page.cents from page join payments p on p.org_id = :org and p.id = page.refund_id
    where page.status in ('pending', 'stopped') and (${isOutstanding('p')}) is not true
)
select ${PLACE},
  ${sumOf('cents', "page where status in ('issued', 'cleared')")} as paid,
  ${sumOf('cents', 'owed')} as owed`;

/** Paid to others; the ledger itself moves what goes to operating cash. */
const REMITTANCES = `
with ${page('id, kind, status, cash_cents', 'remittances')}
select ${PLACE}, ${sumOf('cash_cents', "page where status = 'paid' and kind <> 'transfer'")} as paid`;

/** Paid out by the card processor, with its fees funded by operating cash; only the fees if the payout came back. */
const CARD_PAYOUTS = `
with ${page('id, status, gross_cents, fee_cents', 'card_payouts')}
select ${PLACE}, ${sumOf("case when status = 'paid' then gross_cents else fee_cents end", 'page')} as swept`;

const INVOICES = `
with ${page('id, total_cents, paid_cents, refunded_cents, refunded_before_paid_cents', 'invoices')}, unshared as (
  select case when ${isShared('page.id')} then ${WAITING_CENTS('page')} else paid_cents - refunded_cents end as cents
    from page where paid_cents > 0
)
select ${PLACE}, ${sumOf('cents', 'unshared')} as unshared`;

/**
 * Reads the trust according to the ledger, payments and invoices: page by page in one snapshot, so that no statement
 * grows with the books. The claims fund counts only on the ledger, on both sides. Do not call it inside another
 * transaction, which would have its own snapshot.
 */
export function trustFigures(em: EntityManager, reading: TrustReading = {}): Promise<TrustFigures> {
  const read = async (snapshot: EntityManager): Promise<TrustFigures> => {
    const ledger = await summed(snapshot, LEDGER, reading);
    const payments = await summed(snapshot, PAYMENTS, reading);
    const disbursements = await summed(snapshot, DISBURSEMENTS, reading);
    const remittances = await summed(snapshot, REMITTANCES, reading);
    const cardPayouts = await summed(snapshot, CARD_PAYOUTS, reading);
    const invoices = await summed(snapshot, INVOICES, reading);
    return {
      assetsCents: ledger('assets'),
      liabilitiesCents: ledger('liabilities'),
      trustCashCents: ledger('trustCash'),
      cardClearingCents: ledger('cardClearing'),
      cashReceivedCents:
        ledger('moved') +
        ledger('cashByHand') +
        payments('cashReceived') +
        cardPayouts('swept') -
        disbursements('paid') -
        remittances('paid'),
      cardReceivedCents: ledger('cardByHand') + payments('cardReceived') - cardPayouts('swept'),
      sweptCents: cardPayouts('swept'),
      unappliedCents: ledger('unapplied'),
      unsharedCents:
        ledger('unappliedByHand') + invoices('unshared') + payments('unapplied') + payments('outstandingUnshared'),
      returnsPayableCents: ledger('returnsPayable'),
      owedByCheckCents: ledger('returnsByHand') + disbursements('owed'),
      outstandingCents: payments('outstanding'),
    };
  };
  return em.transactional(read, { isolationLevel: IsolationLevel.REPEATABLE_READ });
}

/** Adds up the sums of every page, by name. */
async function summed(em: EntityManager, sql: string, reading: TrustReading): Promise<(name: string) => number> {
  const limit = reading.rows ?? PAGE_ROWS;
  const since = reading.outstandingSince?.toISOString() ?? null;
  const totals: Record<string, number> = {};
  for (let after: string | null = ''; after !== null; ) {
    const values: Sums = { org: organizationOf(em), after, rows: limit, since };
    const [sums]: Sums[] = await em.execute<Sums[]>(...bound(sql, values));
    const { last = null, rows = 0, ...parts }: Sums = sums ?? {};
    for (const [name, cents] of Object.entries(parts)) totals[name] = (totals[name] ?? 0) + Number(cents);
    after = Number(rows) < limit ? null : String(last);
  }
  return (name) => totals[name] ?? 0;
}
