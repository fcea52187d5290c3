// How policies stand in the database, in the words of the model.
import type { Rows } from '../faults/bind.ts';
import type { Books, Standing, TermEnd } from './model.ts';

export interface FoundTerm extends Omit<TermEnd, 'inLedger'> {
  id: string;
  renewalOf: string | null;
  inLedger: Books;
}

/** The charge of a code in a list of charges. */
const charge = (list: string, code: string) =>
  `(select coalesce(sum((c->>'amountCents')::int), 0) from json_array_elements(p.${list}::json) c where c->>'code' = '${code}')`;

/** What a policy's entries owe on accounts. */
const owed = (...accounts: number[]) =>
  `(select coalesce(sum(l.credit_cents - l.debit_cents), 0) from ledger_entries e
    join ledger_lines l on l.org_id = e.org_id and l.entry_id = e.id
    where e.policy_id = p.id and l.account in (${accounts.join(', ')}))`;

const PARTS_WRITTEN = `json_build_object('premium', gross_premium_cents, 'tax', ${charge('taxes', 'SL_TAX')},
  'stamping', ${charge('taxes', 'STAMPING_FEE')}, 'fee', ${charge('fees', 'POLICY_FEE')})`;
const IN_LEDGER = `json_build_object('premium', ${owed(2010, 2020, 2030)}, 'tax', ${owed(2040)},
  'stamping', ${owed(2050)}, 'fee', ${owed(2090)}, 'owedBack', ${owed(2060)}, 'cash', 0 - ${owed(1010, 1110)})`;

/** Every term of every policy. */
export function foundTerms(rows: Rows): Promise<FoundTerm[]> {
  return rows.query<FoundTerm>(
    `select id, renewal_of as "renewalOf", status, ${PARTS_WRITTEN} as written, ${IN_LEDGER} as "inLedger",
            (select count(*)::int from invoices i
             where i.policy_id = p.id and i.paid_cents > i.refunded_before_paid_cents) as "paidInstallments",
            (select count(*)::int from policy_transactions x
             where x.policy_id = p.id and (x.changes->>'lapse')::boolean) as notices
     from policies p`,
  );
}

export async function standingOf(rows: Rows, policyId: string): Promise<Standing> {
  const [found] = await rows.query<Standing>(
    `select status, ${PARTS_WRITTEN} as written from policies p where id = $1`,
    [policyId],
  );
  if (found === undefined) throw new Error(`There is no policy ${policyId}`);
  return found;
}
