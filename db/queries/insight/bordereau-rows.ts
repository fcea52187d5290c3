// The rows of a bordereau, by kind, ordered by policy number and reference. Amounts are in cents. Premium and risks are
// booked on the same days as in analytics (premium.ts).
import type { EntityManager } from '@mikro-orm/postgresql';
import type { BusinessDate } from '../../../domain/dates.ts';
import type { BordereauKind } from '../../../domain/insight/bordereau.ts';
import type { FoundRow } from '../../../domain/insight/bordereau-rows.ts';
import { organizationOf } from '../../scope.ts';
import { pagesOf } from '../cursor.ts';
import { INCURRED, moved, PAID_LOSSES } from './losses.ts';

/** What is reported: a carrier, and the days of a month, inclusive. */
export interface Reported {
  carrier: string;
  first: BusinessDate;
  last: BusinessDate;
}

const GIVEN = `given as (select ?::text as org, ?::text as carrier, ?::date as first, ?::date as last),
ours as not materialized (
  select p.*, d.id as contract from given g
  join da_contracts d on d.org_id = g.org and d.carrier = g.carrier
  join policies p on p.org_id = g.org and p.da_contract_id = d.id
)`;

/**
 * The terms of a policy after its transactions up to a given one, so that a rerun of a closed month shows what it
 * showed then: each term comes from the latest endorsement of it that was not voided by then.
 */
const termsAfter = (isIssued: string) => `lateral (
  select coalesce(jsonb_object_agg(term.key, term.value order by u.effective_date, u.sequence), '{}') as terms
  from policy_transactions u cross join lateral jsonb_each(u.after) term
  where u.org_id = g.org and u.policy_id = o.id and ${isIssued} and u.reverses is null
    and not exists (select from policy_transactions v
      where v.org_id = g.org and v.policy_id = o.id and v.reverses = u.id and ${isIssued.replaceAll('u.', 'v.')})
) so_far`;

/** The name of a producer on a day. */
const producerNameOn = (day: string) => `coalesce((
    select former.it ->> 'name' from jsonb_array_elements(pr.former_names) with ordinality as former(it, n)
    where (former.it ->> 'until')::date > ${day} order by former.n limit 1), pr.name)`;

/** An address may have been removed, which differs from never having been given. */
const addressIn = (terms: string) => `case when ${terms} -> 'insuredAddress' is null then o.insured_address
    else nullif(${terms} -> 'insuredAddress', 'null') end`;

/** The transactions whose money moved in the month, with the policy term, the insured and the resulting terms. */
const BOOKED = `days as (
  select t.id, t.issued_on as on_day from given g join policy_transactions t
    on t.org_id = g.org and t.type <> 'cancellation' and t.issued_on between g.first and g.last
  union all
  select t.id, b.booked_on from given g join transaction_billings b
    on b.org_id = g.org and b.booked_on between g.first and g.last
    join policy_transactions t on t.org_id = g.org and t.id = b.transaction_id and t.type = 'cancellation'
),
booked as (
  select o.policy_number as "policyNumber", t.id as reference, o.contract as "contractReference",
    t.type as "transactionType", days.on_day,
    t.effective_date::text as "effectiveDate", bound.issued_on::text as "issueDate",
    o.effective_date::text as "inceptionDate", o.expiration_date::text as "expirationDate",
    coalesce(stood.terms ->> 'insuredName', o.insured_name) as "insuredName",
    ${addressIn('stood.terms')} as address,
    o.state, o.line_of_business as "lineOfBusiness", o.naics_code as "naicsCode", o.renewal_of,
    ${producerNameOn('days.on_day')} as producer, t.producer_id is not null as has_producer, t.commission,
    coalesce((stood.terms ->> 'limitCents')::bigint, o.limit_cents) as "limit",
    coalesce((stood.terms ->> 'aggregateLimitCents')::bigint, o.aggregate_limit_cents) as "aggregateLimit",
    coalesce((stood.terms ->> 'deductibleCents')::bigint, o.deductible_cents) as deductible,
    coalesce((stood.terms ->> 'annualRevenueCents')::bigint, o.annual_revenue_cents) as "annualRevenue",
    t.premium_change_cents as "grossPremium", t.fee_change_cents as fees, t.tax_change_cents as taxes,
    t.gross_premium_after_cents as "grossPremiumAfter",
    STAMPING(t.after) - case when t.sequence = 1 then 0 else STAMPING(t.before) end as "stampingFee"
  from given g cross join days
  join policy_transactions t on t.org_id = g.org and t.id = days.id
  join ours o on o.id = t.policy_id
  join policy_transactions bound on bound.org_id = g.org and bound.policy_id = o.id and bound.sequence = 1
  left join producers pr on pr.org_id = g.org and pr.id = coalesce(t.producer_id, o.producer_id)
  cross join ${termsAfter('u.sequence <= t.sequence')}
  cross join lateral (select so_far.terms || coalesce(t.after, '{}') as terms) stood
)`.replaceAll(
  /STAMPING\((\S+)\)/g,
  `coalesce((select sum((tax ->> 'amountCents')::bigint) from jsonb_array_elements(coalesce($1 -> 'taxes', '[]')) tax
      where tax ->> 'code' = 'STAMPING_FEE'), 0)`,
);

/**
 * The entries that share money out among its owners or take it back: payments from the trust to an owner, and manual
 * entries, are not premium that came in.
 */
const SHARED = `shared as (
  select o.policy_number as "policyNumber", e.id as reference, o.contract as "contractReference",
    e.entry_type as "transactionType", e.date as on_day, bound.issued_on::text as "issueDate",
    o.effective_date::text as "inceptionDate", o.expiration_date::text as "expirationDate",
    coalesce(so_far.terms ->> 'insuredName', o.insured_name) as "insuredName",
    ${addressIn('so_far.terms')} as address, o.state, o.line_of_business as "lineOfBusiness",
    o.naics_code as "naicsCode", ${producerNameOn('e.date')} as producer, i.installment_number as installment,
    sums.carrier as "settledNetToCarrier", sums.commission as "settledCommission",
    sums.carrier + sums.commission as "settledPremium", sums.tax as "settledSurplusLinesTax",
    sums.stamping as "settledStampingFee", sums.fee as "settledFees"
  from given g
  join ledger_entries e on e.org_id = g.org and e.ledger = 'fiduciary' and e.policy_id is not null
    and e.date between g.first and g.last and e.source_type <> 'journal'
    and e.entry_type in ('split', 'reclassification', 'sharing', 'return', 'reversal')
  join ours o on o.id = e.policy_id
  join policy_transactions bound on bound.org_id = g.org and bound.policy_id = o.id and bound.sequence = 1
  left join invoices i on i.org_id = g.org and i.id = e.invoice_id
  left join producers pr on pr.org_id = g.org and pr.id = o.producer_id
  cross join ${termsAfter('u.issued_on <= e.date')}
  cross join lateral (
    select CREDIT(2010) as carrier, CREDIT(2020, 2030) as commission, CREDIT(2040) as tax, CREDIT(2050) as stamping,
      CREDIT(2090) as fee, count(*) filter (where l.account in (2010, 2020, 2030, 2040, 2050, 2090)) as lines
    from ledger_lines l where l.org_id = g.org and l.entry_id = e.id
  ) sums
  where sums.lines > 0
)`.replaceAll(
  /CREDIT\(([\d, ]+)\)/g,
  'coalesce(sum(l.credit_cents - l.debit_cents) filter (where l.account in ($1)), 0)',
);

const PREMIUM = `with ${GIVEN}, ${BOOKED}, ${SHARED}
select 'transaction' as entry, "policyNumber", reference, "contractReference", "transactionType",
  on_day::text as "transactionDate", "effectiveDate", "issueDate", "inceptionDate", "expirationDate", "insuredName",
  address, state, "lineOfBusiness", "naicsCode", producer, has_producer as "hasProducer", commission as terms,
  "grossPremium", fees, taxes, "stampingFee", null::int as installment,
  0 as "settledPremium", 0 as "settledCommission", 0 as "settledNetToCarrier", 0 as "settledSurplusLinesTax",
  0 as "settledStampingFee", 0 as "settledFees"
from booked where "grossPremium" <> 0 or fees <> 0 or taxes <> 0
union all
select 'settlement', "policyNumber", reference, "contractReference", "transactionType", on_day::text, null, "issueDate",
  "inceptionDate", "expirationDate", "insuredName", address, state, "lineOfBusiness", "naicsCode", producer, false, null,
  0, 0, 0, 0, installment, "settledPremium", "settledCommission", "settledNetToCarrier", "settledSurplusLinesTax",
  "settledStampingFee", "settledFees"
from shared`;

const RISKS = `with ${GIVEN}, ${BOOKED}
select b.*, b.on_day::text as "transactionDate", earlier.policy_number as "renewalOf"
from booked b left join policies earlier on earlier.org_id = (select org from given) and earlier.id = b.renewal_of`;

/** Claims open at any time in the month, or whose money moved in it, as of its end. */
const CLAIMS = `with ${GIVEN},
standing as (
  select e.claim_id, bool_or(e.happened_on >= g.first) as has_moved,
    (array_agg(e.changes #>> '{status,after}' order by e.sequence desc)
      filter (where e.changes #>> '{status,after}' is not null))[1] as status,
    coalesce(max(e.sequence) filter (where e.action = 'deny'), 0)
      > coalesce(max(e.sequence) filter (where e.action = 'reopen'), 0) as is_denied,
    sum(${PAID_LOSSES} + ${moved('recoveredCents')}) filter (where e.happened_on >= g.first) as paid_now,
    sum(${moved('recoveredCents')}) filter (where e.happened_on >= g.first) as recovered_now,
    sum(${INCURRED}) filter (where e.happened_on >= g.first) as incurred_now,
    sum(${moved('paidIndemnityCents')}) as paid_indemnity, sum(${moved('paidExpenseCents')}) as paid_expense,
    sum(${moved('recoveredCents')}) as recovered,
    sum(${moved('reserveIndemnityCents')}) as reserve_indemnity, sum(${moved('reserveExpenseCents')}) as reserve_expense
  from given g cross join ours o join claims c on c.org_id = g.org and c.policy_id = o.id
  join claim_entries e on e.org_id = g.org and e.claim_id = c.id and e.happened_on <= g.last
  group by e.claim_id
),
fund as (
  select cp.claim_id, sum(l.credit_cents - l.debit_cents) as paid from given g
  join ledger_entries e on e.org_id = g.org and e.ledger = 'fiduciary' and e.policy_id is not null
    and e.date between g.first and g.last and e.source_type = 'claim_payment'
  join ledger_lines l on l.org_id = g.org and l.entry_id = e.id and l.account = 1020
  join claim_payments cp on cp.org_id = g.org and cp.id = e.source_id
  group by cp.claim_id
)
select o.policy_number as "policyNumber", c.claim_number as reference, o.contract as "contractReference",
  c.insured_name as "insuredName", c.state, c.line_of_business as "lineOfBusiness",
  o.effective_date::text as "inceptionDate", o.expiration_date::text as "expirationDate",
  c.loss_date::text as "lossDate", c.reported_on::text as "notifiedDate",
  case when not c.contains_phi then w.cause end as cause, s.status, s.is_denied as "isDenied",
  case when w.claimant_name is null then c.state when not c.contains_phi then w.claimant_address->>'state' end
    as "claimantState",
  coalesce(s.paid_now, 0) as "paidThisMonth", coalesce(s.recovered_now, 0) as "recoveredThisMonth",
  coalesce(s.incurred_now, 0) as "incurredThisMonth", coalesce(f.paid, 0) as "fundPaidThisMonth",
  s.paid_indemnity as "paidIndemnityToDate", s.paid_expense as "paidExpenseToDate", s.recovered as "recoveredToDate",
  s.reserve_indemnity - s.paid_indemnity as "reserveIndemnity", s.reserve_expense - s.paid_expense as "reserveExpense",
  s.reserve_indemnity + s.reserve_expense - s.recovered as "totalIncurred"
from given g cross join ours o join claims c on c.org_id = g.org and c.policy_id = o.id
join standing s on s.claim_id = c.id
left join claim_particulars w on w.org_id = g.org and w.claim_id = c.id
left join fund f on f.claim_id = c.id
where s.has_moved or s.status <> 'closed' or f.claim_id is not null`;

const STATEMENTS: Readonly<Record<BordereauKind, string>> = { premium: PREMIUM, risk: RISKS, claims: CLAIMS };

/** Reads the rows of a bordereau in pages; needs a transaction. */
export function bordereauPages(
  em: EntityManager,
  kind: BordereauKind,
  { carrier, first, last }: Reported,
): AsyncGenerator<FoundRow[]> {
  const ordered = `select * from (${STATEMENTS[kind]}) reported
    order by "policyNumber" collate "C", reference collate "C"`;
  return pagesOf(em, ordered, [organizationOf(em), carrier, first, last]);
}
