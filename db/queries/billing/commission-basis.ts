// The basis of commission: the rates of a transaction, and what was earned on an invoice.
import type { EntityManager } from '@mikro-orm/postgresql';
import { type CommissionSchedule, type CommissionTerms, commissionTerms } from '../../../domain/billing/commission.ts';
import { addMonths, type BusinessDate } from '../../../domain/dates.ts';
import { CommissionRecord } from '../../entities/billing/commission-record.ts';
import { PolicyTransaction } from '../../entities/policy/policy-transaction.ts';
import { preparedRows } from '../../prepared.ts';
import { organizationOf } from '../../scope.ts';

/** A producer's premium in the last year decides their tier. Contract 3.4 "Commission record". */
const TIER_MONTHS = 12;

/**
 * Whether a transaction `t` has moved its premium by a date: a scheduled cancellation has not, nor has one that was
 * withdrawn or replaced before its day.
 */
const HAS_MOVED_PREMIUM = `(t.type <> 'cancellation' or (
  (t.effective_date <= $4 or exists
    (select from policies p where p.org_id = t.org_id and p.id = t.policy_id and t.effective_date <= p.effective_date))
  and coalesce(
    (select u.type = 'reinstatement' and u.changes->>'withdrawal' is distinct from 'true' from policy_transactions u
     where u.org_id = t.org_id and u.policy_id = t.policy_id and u.sequence > t.sequence
       and u.type in ('cancellation', 'reinstatement')
     order by u.sequence limit 1), true)))`;

/** Of an organization, a producer since a day, on a day, of a line; with the sixth only what came before it. */
const COMMISSION_BASIS = {
  name: 'commission basis',
  text: `select schedule, (select coalesce(sum(premium_change_cents), 0) from policy_transactions t
      where t.org_id = $1 and t.producer_id = $2 and t.issued_on > $3 and t.issued_on <= $4
        and ($6::text is null or t.id < $6) and ${HAS_MOVED_PREMIUM}) as premium,
      (select agent_rate from producer_terms a where a.org_id = $1 and a.producer_id = $2 and a.line_of_business = $5
        and a.effective_from <= $4 order by a.effective_from desc, a.id desc limit 1) as agreed
    from commission_schedules where org_id = $1 and line_of_business = $5 and effective_from <= $4
    order by effective_from desc, id desc limit 1`,
};

interface Basis {
  schedule: CommissionSchedule;
  premium: string;
  /** The rate that is agreed with the producer; null where the schedule applies. */
  agreed: string | null;
}

/** A transaction at issue: its line, its producer, the business date. */
export interface IssuedFor {
  /** Null where it is not known yet: then there is no schedule. */
  lineOfBusiness: string | null;
  producerId: string | null;
  on: BusinessDate;
  /** Counts only what was issued before this transaction; by default everything. */
  beforeId?: string;
}

/**
 * Returns a transaction's tier and rates at its issue date: by its line's schedule in force then, the producer's
 * premium issued in the 12 months before, and the rate that is agreed with them. One round trip. Null when the line
 * has no schedule.
 */
export async function commissionBasis(em: EntityManager, issued: IssuedFor): Promise<CommissionTerms | null> {
  const { lineOfBusiness, producerId, on, beforeId = null } = issued;
  const values = [organizationOf(em), producerId, addMonths(on, -TIER_MONTHS), on, lineOfBusiness, beforeId];
  const [row] = await preparedRows<Basis>(em, COMMISSION_BASIS, values);
  return row ? commissionTerms(row.schedule, Number(row.premium), row.agreed) : null;
}

/** A transaction on whose terms an invoice's premium is shared. */
export interface CommissionedTransaction {
  id: string;
  type: PolicyTransaction['type'];
  /** Its rates; null when the line has no schedule. */
  terms: CommissionTerms | null;
}

/** Reads transactions with their issued rates; where none are stored, computes them as of the issue. */
export async function commissionedTransactions(
  em: EntityManager,
  { ids, lineOfBusiness }: { ids: readonly string[]; lineOfBusiness: string },
): Promise<CommissionedTransaction[]> {
  const found: CommissionedTransaction[] = [];
  for (const { id, type, producerId, issuedOn, commission } of await em.find(PolicyTransaction, { id: [...ids] })) {
    const terms = commission ?? (await commissionBasis(em, { lineOfBusiness, producerId, on: issuedOn, beforeId: id }));
    found.push({ id, type, terms });
  }
  return found;
}

/** Reads an invoice's commission records, oldest first. */
export function commissionRecordsOf(em: EntityManager, invoiceId: string): Promise<CommissionRecord[]> {
  return em.find(CommissionRecord, { invoiceId }, { orderBy: { id: 'asc' } });
}
