// The state of policies in the database, in the model's terms.
import type { Rows } from '../faults/bind.ts';
import type { Books, TermEnd } from './model.ts';

export interface FoundTerm extends TermEnd {
  id: string;
  renewalOf: string | null;
}

/** The charge with a given code in a list of charges. */
const charge = (list: string, code: string) =>
  `(select coalesce(sum((c->>'amountCents')::int), 0) from json_array_elements(p.${list}::json) c where c->>'code' = '${code}')`;

const PARTS_WRITTEN = `json_build_object('premium', gross_premium_cents, 'tax', ${charge('taxes', 'SL_TAX')},
  'stamping', ${charge('taxes', 'STAMPING_FEE')}, 'fee', ${charge('fees', 'POLICY_FEE')})`;

/** Each policy's balance on every account, credits less debits. */
const OWED = `select policy_id, json_object_agg(account, cents) as accounts
  from (select e.policy_id, l.account, sum(l.credit_cents - l.debit_cents) as cents
        from ledger_entries e join ledger_lines l on l.org_id = e.org_id and l.entry_id = e.id
        group by e.policy_id, l.account) balances
  group by policy_id`;

type Row = Omit<FoundTerm, 'inLedger'> & { accounts: Record<number, number> | null };

/** Every term of every policy. */
export async function foundTerms(rows: Rows): Promise<FoundTerm[]> {
  const found = await rows.query<Row>(
    `select id, renewal_of as "renewalOf", status, ${PARTS_WRITTEN} as written, accounts,
            (select count(*)::int from invoices i
             where i.policy_id = p.id and i.paid_cents > i.refunded_before_paid_cents) as "paidInstallments",
            (select count(*)::int from policy_transactions x
             where x.policy_id = p.id and (x.changes->>'lapse')::boolean) as notices
     from policies p left join (${OWED}) owed on owed.policy_id = p.id`,
  );
  return found.map(({ accounts, ...term }) => ({ ...term, inLedger: booksOf(accounts ?? {}) }));
}

function booksOf(accounts: Record<number, number>): Books {
  const owed = (...numbers: number[]) => numbers.reduce((sum, number) => sum + (accounts[number] ?? 0), 0);
  return {
    ...{ carrier: owed(2010), agent: owed(2020), ours: owed(2030), tax: owed(2040), stamping: owed(2050) },
    ...{ fee: owed(2090), owedBack: owed(2060), unapplied: owed(2070), cash: 0 - owed(1010, 1110) },
    income: owed(4010, 4020),
  };
}
