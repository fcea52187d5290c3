// What a policy's refunds owe by check: when each check was issued and stopped, and how much of it is not owed after
// all.
import type { EntityManager } from '@mikro-orm/postgresql';
import type { AccountCheck, CheckMove } from '../../../domain/billing/account/checks.ts';
import type { Cents } from '../../../domain/money.ts';
import { Disbursement } from '../../entities/billing/disbursement.ts';
import { organizationOf } from '../../scope.ts';
import { bound } from '../named-values.ts';
import { notOwed, reversalsBehind } from './disbursements.ts';

interface PolicyChecks {
  checks: AccountCheck[];
  /** What is still to be paid out. */
  refundDueCents: Cents;
}

/** Reads what a policy's refunds owe, or owed, by check. */
export async function checksOfPolicy(em: EntityManager, policyId: string): Promise<PolicyChecks> {
  const rows = await em.find(Disbursement, { policyId }, { orderBy: { id: 'asc' } });
  const moves = rows.length === 0 ? [] : await movesOf(em, policyId);
  const checks: AccountCheck[] = [];
  let refundDueCents = 0;
  for (const row of rows) {
    const { id, refundId, cause, amountCents, cancelledCents, keptCents, owedOn, createdAt } = row;
    const isOpen = row.status === 'pending' || row.status === 'stopped';
    const blockedCents = isOpen ? (await notOwed(em, row)).cents : 0;
    if (isOpen) refundDueCents += amountCents - cancelledCents - blockedCents;
    const notOwedCents = cancelledCents - keptCents + blockedCents;
    const own = moves.filter(({ disbursementId }) => disbursementId === id);
    checks.push({
      ...{ id, refundId, cause, amountCents, owedOn, createdAt, notOwedCents },
      moves: own.map(({ disbursementId: _id, ...move }) => move),
      reversed: notOwedCents === 0 ? [] : await reversedBehind(em, row),
    });
  }
  return { checks, refundDueCents };
}

async function reversedBehind(em: EntityManager, row: Readonly<Disbursement>) {
  return (await reversalsBehind(em, row)).map(({ reversal: { id, createdAt: at, receivedOn: date }, cents }) => {
    return { id, at, date, amountCents: cents };
  });
}

/**
 * Payments made before disbursements were rows have no entry of their own. The intended date counts, even if its month
 * was closed.
 */
const MOVES = `
select d.id as "disbursementId", coalesce(l.id, d.id || ':1') as id, coalesce(e.created_at, d.created_at) as at,
    coalesce(e.original_date, e.date, d.owed_on)::text as date,
    coalesce(d.issued_as ->> n::text, d.reference) as reference,
    coalesce(l.credit_cents - l.debit_cents, d.amount_cents) as cents
  from disbursements d cross join generate_series(1, d.issues) n
  left join ledger_entries e on e.org_id = d.org_id and e.source_type = 'disbursement'
    and e.source_id = d.id || ':' || n
  left join ledger_lines l on l.org_id = e.org_id and l.entry_id = e.id and l.account = 1010
  where d.org_id = :org and d.policy_id = :policy
  order by d.id, e.id nulls first`;

async function movesOf(em: EntityManager, policyId: string): Promise<(CheckMove & { disbursementId: string })[]> {
  const values = { org: organizationOf(em), policy: policyId };
  const rows = await em.execute<
    { disbursementId: string; id: string; at: string | Date; date: string; reference: string; cents: string }[]
  >(...bound(MOVES, values));
  return rows.map(({ cents, at, ...row }) => ({ ...row, at: new Date(at), amountCents: Number(cents) }));
}
