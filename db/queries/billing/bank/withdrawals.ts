// Withdraws a statement from everything. Its bookings that other statements repeat count there from then on.
import type { EntityManager } from '@mikro-orm/postgresql';
import { BankLine } from '../../../entities/billing/bank-line.ts';
import { BankMatch } from '../../../entities/billing/bank-match.ts';
import type { BankStatement } from '../../../entities/billing/bank-statement.ts';
import { organizationOf } from '../../../scope.ts';
import { bound } from '../../named-values.ts';

/** The first statement that repeats a booking takes it over, and the others now repeat that one. */
const HAND_OVER = `
with heirs as (
  select distinct on (r.repeat_of) r.repeat_of, r.id, r.bank_statement_id
  from bank_lines r join bank_lines l on l.org_id = r.org_id and l.id = r.repeat_of
  where r.org_id = :org and l.bank_statement_id = :statement and not r.withdrawn order by r.repeat_of, r.id
), handed as (
  update bank_lines r set repeat_of = nullif(h.id, r.id), version = r.version + 1, updated_at = now()
  from heirs h where r.org_id = :org and r.repeat_of = h.repeat_of and not r.withdrawn
)
update bank_statements s set new_line_count = s.new_line_count + added.count, updated_at = now()
from (select bank_statement_id as id, count(*) as count from heirs group by 1) added
where s.org_id = :org and s.id = added.id`;

/** Withdraws a statement and its bookings, and undoes their matches. The caller holds `lockBankLines`. */
export async function withdrawStatement(
  em: EntityManager,
  row: BankStatement,
  { by, at }: { by: string; at: Date },
): Promise<void> {
  Object.assign(row, { withdrawnBy: by, withdrawnAt: at });
  const lines = await em.find(BankLine, { bankStatementId: row.id });
  const ids = lines.map(({ id }) => id);
  for (const match of await em.find(BankMatch, { bankLineId: { $in: ids }, released: false })) match.released = true;
  for (const line of lines) {
    Object.assign(line, { matchRule: null, matchedBy: null, matchedAt: null, withdrawn: true });
  }
  await em.flush();
  await em.execute(...bound(HAND_OVER, { org: organizationOf(em), statement: row.id }));
}
