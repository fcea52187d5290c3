// Whether a policy's parts tie out, worked out from the rows alone: what is written, what the live invoices bill less
// what policy changes returned, and what the ledger holds, for premium, each tax, stamping and fee. Contract 3.2.
import type { OwnerRows } from './owner-rows.ts';
import { centsOfReturn, IS_APART, IS_OURS, PART, PART_OF_ACCOUNT, SHARES } from './part-sql.ts';

interface Held {
  policyId: string;
  part: string;
  written: string;
  billed: string;
  held: string;
  /** Its premium by owner: the carrier, the agent and us. */
  shares: Record<string, number>;
  commissions: Record<string, number>;
  hasProducer: boolean;
  /** Money was refunded without a change of the policy, or a change returned less than it should. */
  isLoose: boolean;
}

/** A sentence for each part that does not tie out. Where money was refunded by hand, only what must hold regardless. */
export async function partFindings(rows: OwnerRows, policyIds: readonly string[]): Promise<string[]> {
  const findings: string[] = [];
  for (const row of await rows.query<Held & Record<string, unknown>>(PARTS, [policyIds])) {
    const { policyId, part, written, billed, held, isLoose } = row;
    if (isLoose) continue;
    if (billed !== written) findings.push(`${policyId}: ${part} written ${written}, billed ${billed}`);
    if (held !== written) findings.push(`${policyId}: ${part} written ${written}, in the ledger ${held}`);
  }
  const [cash] = await rows.query<Record<string, string>>(CASH, [policyIds]);
  const { received, returned, covered, trust, unapplied, owed, shared, earned, income } = cash ?? {};
  const expected = Number(received) - Number(returned);
  if (Number(trust) !== expected) findings.push(`${policyIds}: received less returned ${expected}, trust ${trust}`);
  if (Number(shared) !== expected + Number(covered))
    findings.push(`${policyIds}: shared out ${shared} of ${expected}, covered ${covered}`);
  if (Number(unapplied) !== 0) findings.push(`${policyIds}: ${unapplied} is unapplied`);
  if (Number(owed) !== 0) findings.push(`${policyIds}: ${owed} is owed to the insured`);
  if (earned !== income) findings.push(`${policyIds}: held for us ${earned}, income ${income}`);
  for (const row of await rows.query<Record<string, unknown>>(COMMISSION, [policyIds])) {
    if (row.recorded !== row.held) findings.push(`${row.policy_id}: commission ${row.recorded}, shares ${row.held}`);
  }
  for (const row of await rows.query(UNPAID, [policyIds])) findings.push(`${JSON.stringify(row)} is not settled`);
  return findings;
}

/** How many of the policies are checked on all three. */
export async function tightOnes(rows: OwnerRows, policyIds: readonly string[]): Promise<number> {
  const found = await rows.query<{ policyId: string; isLoose: boolean }>(PARTS, [policyIds]);
  return new Set(found.filter(({ isLoose }) => !isLoose).map(({ policyId }) => policyId)).size;
}

const PARTS = `
with p as (select * from policies where id = any($1)),
live as (select i.* from invoices i join p on p.id = i.policy_id where i.voided_at is null and not ${IS_APART}),
amounts as (
  select id, 'premium' as part, gross_premium_cents as written, 0::bigint as billed, 0::bigint as held from p
  union all select id, 'fee', (c ->> 'amountCents')::bigint, 0, 0 from p, jsonb_array_elements(fees) c
  union all select id, case c ->> 'code' when 'STAMPING_FEE' then 'stamping' else 'tax' end,
      (c ->> 'amountCents')::bigint, 0, 0 from p, jsonb_array_elements(taxes) c
  union all select policy_id, ${PART}, 0, (line ->> 'amountCents')::bigint, 0
      from live i cross join jsonb_array_elements(i.lines) line
  union all select i.policy_id, part, 0, -given, 0 from payments r join invoices i on i.id = r.invoice_id
      join p on p.id = i.policy_id
      cross join lateral ${centsOfReturn} back (part, given)
      where r.composition is not null and r.status <> 'failed' and i.voided_at is null
  union all select i.policy_id, ${PART_OF_ACCOUNT}, 0, 0, credit_cents - debit_cents
      from invoices i join p on p.id = i.policy_id join ledger_entries e on e.invoice_id = i.id
      join ledger_lines l on l.entry_id = e.id
      where not ${IS_APART} and account in ${SHARES} and ${IS_OURS}
), loose as (
  select distinct i.policy_id from payments r join invoices i on i.id = r.invoice_id join p on p.id = i.policy_id
    where r.kind = 'refund' and (r.composition is null and r.applied_cents <> 0 and r.status <> 'failed'
      or r.composition is not null and (r.status = 'failed' or -r.amount_cents <> (select sum(given) from ${centsOfReturn} back (part, given))))
)
select id as "policyId", part, sum(written)::text as written, sum(billed)::text as billed, sum(held)::text as held,
  exists (select from loose where policy_id = id) as "isLoose"
from amounts group by id, part order by id, part`;

const on = (accounts: string) => `coalesce((select sum(credit) from lines where account in (${accounts})), 0)`;
/**
 * The cancelled amount of a check was not returned. To keep a refund, and to take that back, moves no cash; to pay it
 * out later does.
 */
const CASH = `
with money as (select * from payments where policy_id = any($1)
  and (kind = 'refund' or method is distinct from 'kept_refund')),
lines as (select l.account, l.credit_cents - l.debit_cents as credit from ledger_entries e
  join ledger_lines l on l.entry_id = e.id where e.policy_id = any($1) and ${IS_OURS})
select (select coalesce(sum(amount_cents), 0) from money where kind in ('card', 'manual')) as received,
  (select coalesce(-sum(amount_cents), 0) from money
    where kind in ('refund', 'chargeback', 'reversal') and status = 'succeeded')
  - (select coalesce(sum(cancelled_cents), 0) from disbursements where policy_id = any($1)) as returned,
  ${on('1040')} * -1 as covered, ${on('1010, 1110')} * -1 as trust, ${on('2070')} as unapplied, ${on('2060')} as owed,
  ${on('2010, 2020, 2030, 2040, 2050, 2090')} as shared, ${on('2030, 2090')} as earned, ${on('4010, 4020')} as income`;

/** The premium of invoices with an agent, by the commission records and by the ledger. */
const COMMISSION = `
select p.id as policy_id,
  (select jsonb_build_array(coalesce(sum(carrier_net_cents), 0), coalesce(sum(agent_commission_cents), 0),
     coalesce(sum(mga_commission_cents), 0)) from commission_records c where c.policy_id = p.id)::text as recorded,
  (select jsonb_build_array(coalesce(sum(cents) filter (where account = 2010), 0),
      coalesce(sum(cents) filter (where account = 2020), 0), coalesce(sum(cents) filter (where account = 2030), 0))
    from (select l.account, l.credit_cents - l.debit_cents as cents from invoices i
      join ledger_entries e on e.invoice_id = i.id and ${IS_OURS}
      join ledger_lines l on l.entry_id = e.id where i.policy_id = p.id) booked)::text as held
from policies p where p.id = any($1) and p.producer_id is not null`;

/** A live invoice must be paid, or have been paid and refunded. */
const UNPAID = `
select id, total_cents, paid_cents, refunded_cents, refunded_before_paid_cents from invoices
where policy_id = any($1) and voided_at is null and paid_cents - refunded_before_paid_cents <> total_cents`;
