// A producer's commission account: commission earned and taken back, payouts, and the ledger balances.
import type { EntityManager } from '@mikro-orm/postgresql';
import type { BusinessDate } from '../../../../domain/dates.ts';
import type { Cents } from '../../../../domain/money.ts';
import { CommissionRecord } from '../../../entities/billing/commission-record.ts';
import { Remittance } from '../../../entities/billing/remittance.ts';
import { organizationOf } from '../../../scope.ts';
import { bound } from '../../named-values.ts';

/** Inclusive days. */
export interface StatementPeriod {
  from: BusinessDate;
  to: BusinessDate;
}

/** All positive except the balances, which may be negative if the producer owes. */
interface StatementFigures {
  openingCents: Cents;
  earnedCents: Cents;
  reversedCents: Cents;
  paidCents: Cents;
  /** Ledger balances at the end of the period: accounts 2020 and 1130. */
  payableCents: Cents;
  chargebackCents: Cents;
  recordCount: number;
}

const FIGURES = `
with records as (
  select agent_commission_cents as cents, recorded_on as day from commission_records
    where org_id = :org and producer_id = :producer and recorded_on <= cast(:to as date)
), payouts as (
  select amount_cents, netted_cents, paid_on as day from remittances
    where org_id = :org and kind = 'commission' and payee = :producer and status = 'paid'
      and paid_on <= cast(:to as date)
), shared as (
  select l.credit_cents - l.debit_cents as cents from invoices i
    join ledger_entries e on e.org_id = :org and e.invoice_id = i.id and e.date <= cast(:to as date)
    join ledger_lines l on l.org_id = :org and l.entry_id = e.id and l.account = 2020
    where i.org_id = :org and i.producer_id = :producer
), owed_back as (
  select coalesce(sum(amount_cents), 0) as cents from trust_shortfalls
    where org_id = :org and kind = 'commission' and payee = :producer and arose_on <= cast(:to as date)
)
select
  (select coalesce(sum(cents), 0) from records where day < cast(:from as date))
    - (select coalesce(sum(amount_cents), 0) from payouts where day < cast(:from as date)) as "openingCents",
  (select coalesce(sum(cents), 0) from records where day >= cast(:from as date) and cents > 0) as "earnedCents",
  (select coalesce(-sum(cents), 0) from records where day >= cast(:from as date) and cents < 0) as "reversedCents",
  (select coalesce(sum(amount_cents), 0) from payouts where day >= cast(:from as date)) as "paidCents",
  (select coalesce(sum(cents), 0) from shared) + (select cents from owed_back)
    - (select coalesce(sum(amount_cents + netted_cents), 0) from payouts) as "payableCents",
  (select cents from owed_back) - (select coalesce(sum(netted_cents), 0) from payouts) as "chargebackCents",
  (select count(*) from records where day >= cast(:from as date)) as "recordCount"`;

/** Adds up a producer's account for a period. */
export async function statementFigures(
  em: EntityManager,
  producer: string,
  { from, to }: StatementPeriod,
): Promise<StatementFigures> {
  const values = { org: organizationOf(em), producer, from, to };
  const [row = {}] = await em.execute<Record<string, string>[]>(...bound(FIGURES, values));
  const figures = Object.entries(row).map(([name, value]) => [name, Number(value)]);
  return Object.fromEntries(figures) as unknown as StatementFigures;
}

/** Reads the first records of a period, oldest first. */
export function recordsOfPeriod(em: EntityManager, producerId: string, { from, to }: StatementPeriod, limit: number) {
  const recordedOn = { $gte: from, $lte: to };
  return em.find(CommissionRecord, { producerId, recordedOn }, { orderBy: { id: 'asc' }, limit });
}

/** Reads what was paid to a producer in a period, oldest first. */
export function payoutsOfPeriod(
  em: EntityManager,
  producerId: string,
  { from, to }: StatementPeriod,
): Promise<Remittance[]> {
  const paid = { kind: 'commission', payee: producerId, status: 'paid', paidOn: { $gte: from, $lte: to } } as const;
  return em.find(Remittance, paid, { orderBy: { id: 'asc' } });
}
