// What the bank says about trust cash, compared with the ledger and the card processor.
import type { EntityManager } from '@mikro-orm/postgresql';
import { KEPT_FINDINGS } from '../../../../domain/billing/reconciliation/report.ts';
import type { BankReport } from '../../../../domain/billing/reconciliation/totals.ts';
import { organizationOf } from '../../../scope.ts';
import { bound } from '../../named-values.ts';

const FIGURES = `
with covered as (
  select min(from_date) as first, max(to_date) as last from bank_statements
    where org_id = :org and withdrawn_at is null
), open_lines as (
  select id, booked_on, amount_cents from bank_lines
    where org_id = :org and match_rule is null and repeat_of is null and not withdrawn
), balance as (
  select id, closing_cents, to_date from bank_statements
    where org_id = :org and closing_cents is not null and withdrawn_at is null
    order by to_date desc, id desc limit 1
), movements as (
  select e.date, l.debit_cents - l.credit_cents as cents, b.id is null as "isOpen"
    from ledger_lines l join ledger_entries e on e.org_id = :org and e.id = l.entry_id
    left join bank_matches b on b.org_id = :org and b.ledger_line_id = l.id and not b.released
    where l.org_id = :org and l.account = 1010
), ledger as (
  select coalesce(sum(cents), 0) as cash,
      coalesce(sum(cents) filter (where "isOpen" and cents > 0 and date >= covered.first), 0) as "inTransit",
      coalesce(-sum(cents) filter (where "isOpen" and cents < 0 and date >= covered.first), 0) as outstanding
    from movements, covered
), missing as (
  select c.id, c.net_cents from card_payouts c, covered
    where c.org_id = :org and c.status = 'paid' and c.net_cents <> 0
      and greatest(c.arrives_on, c.recorded_on) between covered.first and covered.last - 5
      and not exists (
        select from ledger_entries e
          join ledger_lines l on l.org_id = :org and l.entry_id = e.id and l.account = 1010
          join bank_matches b on b.org_id = :org and b.ledger_line_id = l.id and not b.released
          where e.org_id = :org and e.source_type = 'card_payout' and e.source_id = c.id
            and e.entry_type = 'card_payout')
)
select covered.first,
    (select balance.closing_cents + coalesce(sum(l.amount_cents), 0) from balance
      left join bank_lines l on l.org_id = :org and l.repeat_of is null and not l.withdrawn and (
        l.booked_on > balance.to_date or (l.booked_on = balance.to_date and l.bank_statement_id > balance.id))
      group by balance.closing_cents) as "bankBalance",
    (select coalesce(sum(amount_cents), 0) from open_lines) as "bankUnmatched",
    (select count(*) from open_lines) as "lineCount",
    (select jsonb_agg(line) from (select id, booked_on as "bookedOn", amount_cents as "amountCents"
      from open_lines order by id limit :kept) line) as lines,
    (select count(*) from missing) as "payoutCount",
    (select jsonb_agg(payout) from (select id, net_cents as "netCents"
      from missing order by id limit :kept) payout) as payouts,
    ledger.cash, ledger."inTransit", ledger.outstanding
  from covered, ledger`;

interface Row {
  first: string | null;
  bankBalance: string | null;
  bankUnmatched: string;
  cash: string;
  inTransit: string;
  outstanding: string;
  lineCount: string;
  lines: BankReport['unmatched'] | null;
  payoutCount: string;
  payouts: BankReport['missingPayouts'] | null;
}

/**
 * Reads what the statements say; null if there are none. A transfer arrives within five days, so a younger payout may
 * still be on its way.
 */
export async function bankReport(em: EntityManager): Promise<BankReport | null> {
  const [row] = await em.execute<Row[]>(...bound(FIGURES, { org: organizationOf(em), kept: KEPT_FINDINGS }));
  if (row === undefined || row.first === null) return null;
  return {
    bankBalanceCents: row.bankBalance === null ? null : Number(row.bankBalance),
    bankUnmatchedCents: Number(row.bankUnmatched),
    ledgerCashCents: Number(row.cash),
    inTransitCents: Number(row.inTransit),
    outstandingCents: Number(row.outstanding),
    unmatched: row.lines ?? [],
    unmatchedCount: Number(row.lineCount),
    missingPayouts: row.payouts ?? [],
    missingPayoutCount: Number(row.payoutCount),
  };
}
