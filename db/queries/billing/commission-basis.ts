// The basis of commission: a transaction's rates, and what was earned on an invoice.
import type { EntityManager } from '@mikro-orm/postgresql';
import { type CommissionSchedule, type CommissionTerms, commissionTerms } from '../../../domain/billing/commission.ts';
import { addMonths, type BusinessDate } from '../../../domain/dates.ts';
import { CommissionRecord } from '../../entities/billing/commission-record.ts';
import { PolicyTransaction } from '../../entities/policy/policy-transaction.ts';
import { findWhere } from '../../entity-rows.ts';
import { preparedRows } from '../../prepared.ts';
import { organizationOf } from '../../scope.ts';

/** A producer's premium over the last year sets their tier. Contract 3.4 "Commission record". */
const TIER_MONTHS = 12;

/**
 * Whether a transaction `t` has moved its premium by a date: a cancellation that is scheduled, or was withdrawn or
 * replaced before its effective date, has not.
 */
const HAS_MOVED_PREMIUM = `(t.type <> 'cancellation' or (
  (t.effective_date <= $4 or exists
    (select from policies p where p.org_id = t.org_id and p.id = t.policy_id and t.effective_date <= p.effective_date))
  and coalesce(
    (select u.type = 'reinstatement' and u.changes->>'withdrawal' is distinct from 'true' from policy_transactions u
     where u.org_id = t.org_id and u.policy_id = t.policy_id and u.sequence > t.sequence
       and u.type in ('cancellation', 'reinstatement')
     order by u.sequence limit 1), true)))`;

/**
 * Parameters: organization, producer, since, on, line of business; with the sixth, only transactions before that id.
 */
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
  /** The rate agreed with the producer; null where the schedule applies. */
  agreed: string | null;
}

/** A transaction at issue: its line, its producer, the business date. */
export interface IssuedFor {
  /** Null while unknown: then there is no schedule. */
  lineOfBusiness: string | null;
  producerId: string | null;
  on: BusinessDate;
  /** Counts only premium issued before this transaction; by default all of it. */
  beforeId?: string;
}

/**
 * Returns a transaction's tier and rates at its issue date, from its line's schedule then in force, the producer's
 * premium issued in the prior 12 months, and any rate agreed with them. One round trip. Null when the line has no
 * schedule.
 */
export async function commissionBasis(em: EntityManager, issued: IssuedFor): Promise<CommissionTerms | null> {
  const { lineOfBusiness, producerId, on, beforeId = null } = issued;
  const values = [organizationOf(em), producerId, addMonths(on, -TIER_MONTHS), on, lineOfBusiness, beforeId];
  const [row] = await preparedRows<Basis>(em, COMMISSION_BASIS, values);
  return row ? commissionTerms(row.schedule, Number(row.premium), row.agreed) : null;
}

/** A transaction whose terms share out an invoice's premium. */
export interface CommissionedTransaction {
  id: string;
  type: PolicyTransaction['type'];
  /** Its rates; null when the line has no schedule. */
  terms: CommissionTerms | null;
}

/** Reads transactions with their issued rates; if none are stored, computes them as of issue. */
export async function commissionedTransactions(
  em: EntityManager,
  { ids, lineOfBusiness }: { ids: readonly string[]; lineOfBusiness: string },
): Promise<CommissionedTransaction[]> {
  const found: CommissionedTransaction[] = [];
  const transactions = await findWhere(em, PolicyTransaction, 'org_id = $1 and id = any ($2)', [ids]);
  for (const { id, type, producerId, issuedOn, commission } of transactions) {
    const terms = commission ?? (await commissionBasis(em, { lineOfBusiness, producerId, on: issuedOn, beforeId: id }));
    found.push({ id, type, terms });
  }
  return found;
}

/** Reads an invoice's commission records, oldest first. */
export function commissionRecordsOf(em: EntityManager, invoiceId: string): Promise<CommissionRecord[]> {
  return findWhere(em, CommissionRecord, 'org_id = $1 and invoice_id = $2 order by id', [invoiceId]);
}
