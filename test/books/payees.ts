// Whether the trust's payees have got what they earned, less what is still owed either way. Domain facts 4.2.

import type { OwnerRows } from './owner-rows.ts';
import { IS_OURS } from './part-sql.ts';

/** Who is paid from which accounts, by which remittances, and where stands what they owe back. */
const PAYEES = [
  { who: 'carrier and states', accounts: [2010, 2040, 2050], kinds: ['carrier', 'tax', 'stamping'], owes: 1200 },
  { who: 'producers', accounts: [2020], kinds: ['commission'], owes: 1130 },
  { who: 'ourselves', accounts: [2030, 2090], kinds: ['transfer'], owes: null },
];

/**
 * A sentence for each that does not add up: earned less paid is owed to them, less owed by them. For a return after a
 * transfer, operating cash pays our share back into the trust, and the next transfer takes it out again.
 */
export async function payeeFindings(rows: OwnerRows, orgId: string): Promise<string[]> {
  const found = [];
  for (const { who, accounts, kinds, owes } of PAYEES) {
    const [row] = await rows.query<Record<string, string>>(STANDING, [orgId, accounts, kinds, owes]);
    const [earned, paid, standing] = [
      Number(row?.earned),
      Number(row?.paid) - (owes === null ? Number(row?.put_back) : 0),
      Number(row?.standing),
    ];
    if (earned - paid !== standing) found.push(`${who} earned ${earned}, got ${paid}, and stand at ${standing}`);
  }
  return found;
}

const STANDING = `
with lines as (select l.account, l.debit_cents, l.credit_cents - l.debit_cents as credit, e.entry_type, ${IS_OURS} as is_earned
  from ledger_entries e join ledger_lines l on l.org_id = e.org_id and l.entry_id = e.id where e.org_id = $1)
select coalesce(sum(credit) filter (where account = any($2) and is_earned), 0) as earned,
  (select coalesce(sum(amount_cents), 0) from remittances where org_id = $1 and status = 'paid' and kind = any($3)) as paid,
  coalesce(sum(debit_cents) filter (where account = 1010 and entry_type = 'transfer'), 0) as put_back,
  coalesce(sum(credit) filter (where account = any($2) or account = $4), 0) as standing
from lines`;
