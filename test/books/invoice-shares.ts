// Whether every invoice that has been shared out is held in the parts that it bills, at any moment: also in the middle
// of a life, and where money was refunded by hand, which takes from every part in proportion. Contract 3.4 "Ledgers".
import type { Rows } from '../faults/bind.ts';
import { centsOfReturn, IS_APART, IS_OURS, PART, PART_OF_ACCOUNT, SHARES } from './part-sql.ts';

interface Share {
  invoiceId: string;
  part: string;
  billed: string;
  held: string;
  billedInAll: string;
  heldInAll: string;
  returns: string;
}

/** Each return rounds every account to the cent, and a premium has three. */
const CENTS_OF_A_RETURN = 3;

/** How many parts were compared, and a sentence for each that differs. Policies with money moving are left out. */
export async function shareFindings(
  rows: Pick<Rows, 'query'>,
  policyIds: readonly string[],
): Promise<{ compared: number; findings: string[] }> {
  const shares = await rows.query<Share & Record<string, unknown>>(SHARED_OUT, [policyIds]);
  const findings = shares.flatMap(({ invoiceId, part, ...share }) => {
    const [billed, held, returns] = [Number(share.billed), Number(share.held), Number(share.returns)];
    const [billedInAll, heldInAll] = [Number(share.billedInAll), Number(share.heldInAll)];
    const expected = billedInAll === 0 ? 0 : (billed * heldInAll) / billedInAll;
    const allowed = heldInAll === billedInAll ? 0 : CENTS_OF_A_RETURN * returns;
    if (Math.abs(held - expected) <= allowed) return [];
    return [`${invoiceId}: ${part} bills ${billed} of ${billedInAll}, the ledger holds ${held} of ${heldInAll}`];
  });
  return { compared: shares.length, findings };
}

/** A policy change has altered what it bills: then an earlier refund by hand was in proportion to other parts. */
const IS_CHANGED = `exists (select from payments r where r.invoice_id = totals.id and r.composition is not null)
  or exists (select from invoices i where i.id = totals.id and jsonb_path_exists(i.lines, '$[*].transactionId'))`;

const SHARED_OUT = `
with mine as (
  select * from invoices i where policy_id = any($1) and voided_at is null and not ${IS_APART}
    and not exists (select from payments p where p.policy_id = i.policy_id and (p.saga_ended_at is null
      or p.status in ('pending_approval', 'pending')))
), amounts as (
  select i.id, ${PART} as part, (line ->> 'amountCents')::bigint as billed, 0::bigint as held
    from mine i cross join jsonb_array_elements(i.lines) line
  union all select i.id, part, -given, 0 from payments r join mine i on i.id = r.invoice_id
    cross join lateral ${centsOfReturn} back (part, given) where r.composition is not null and r.status <> 'failed'
  union all select i.id, ${PART_OF_ACCOUNT}, 0, credit_cents - debit_cents
    from mine i join ledger_entries e on e.invoice_id = i.id join ledger_lines l on l.entry_id = e.id
    where account in ${SHARES} and ${IS_OURS}
), parts as (
  select id, part, sum(billed) as billed, sum(held) as held from amounts group by id, part
), totals as (
  select *, sum(billed) over (partition by id) as billed_in_all, sum(held) over (partition by id) as held_in_all,
    (select count(*) from payments r where r.invoice_id = parts.id and r.kind in ('refund', 'chargeback', 'reversal')) as returns
  from parts
)
select id as "invoiceId", part, billed::text, held::text, billed_in_all::text as "billedInAll",
  held_in_all::text as "heldInAll", returns::text
from totals where held_in_all <> 0 and (held_in_all = billed_in_all or not (${IS_CHANGED}))`;
