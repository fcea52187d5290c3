// The chain of a policy's terms.
import type { EntityManager } from '@mikro-orm/postgresql';
import { Policy } from '../../db/entities/policy/policy.ts';
import { preparedRows } from '../../db/prepared.ts';
import { organizationOf } from '../../db/scope.ts';
import type { BusinessDate } from '../../domain/dates.ts';
import { DomainError } from '../../domain/errors.ts';

const OPEN_RENEWAL = {
  name: 'open renewal',
  text: `select id from policies where org_id = $1 and renewal_of = $2 and status not in ('cancelled', 'lapsed')`,
};
const TERMS = {
  name: 'terms through one',
  text: `with recursive terms as (
      select id, renewal_of, effective_date, expiration_date, 0 as back from policies where org_id = $1 and id = $2
      union all
      select earlier.id, earlier.renewal_of, earlier.effective_date, earlier.expiration_date, terms.back + 1
      from policies earlier join terms on earlier.id = terms.renewal_of where earlier.org_id = $1)
    select id, effective_date::text as "effectiveDate", expiration_date::text as "expirationDate"
    from terms order by back`,
};

type Term = Pick<Policy, 'id' | 'effectiveDate' | 'expirationDate'>;

/**
 * Finds a policy's current next term, or null. Its own `renewalPolicyId` may still name one cancelled before it began:
 * a step on the next term does not wait for the earlier term's lock.
 */
export async function openRenewalOf(em: EntityManager, policyId: string): Promise<string | null> {
  const [row] = await preparedRows<{ id: string }>(em, OPEN_RENEWAL, [organizationOf(em), policyId]);
  return row?.id ?? null;
}

/**
 * Refuses to reinstate a next term when another has replaced it, or while the term before it is cancelled.
 * @throws DomainError already_exists with `{renewalPolicyId}`, not_ready with `{missing, blockers}`. Contract 3.2
 * "reinstate"
 */
export async function ensureMayFollow(em: EntityManager, { id, renewalOf }: Readonly<Policy>): Promise<void> {
  if (renewalOf === null) return;
  const renewalPolicyId = await openRenewalOf(em, renewalOf);
  if (renewalPolicyId !== null && renewalPolicyId !== id) {
    throw new DomainError('already_exists', 'The policy has another renewal term instead of this one.', {
      renewalPolicyId,
    });
  }
  const prior = await em.findOneOrFail(Policy, { id: renewalOf });
  if (prior.status !== 'cancelled' && prior.status !== 'lapsed') return;
  throw new DomainError('not_ready', 'The term before this one has been cancelled.', {
    missing: [],
    blockers: ['PRIOR_TERM_CANCELLED'],
  });
}

/** Returns the first day of the policy's unbroken chain of terms. */
export async function firstDayOfCoverage(em: EntityManager, policyId: string): Promise<BusinessDate> {
  const [term, ...before] = await termsThrough(em, policyId);
  if (term === undefined) throw new Error('A policy has a first day');
  let first = term.effectiveDate;
  for (const { effectiveDate, expirationDate } of before) {
    if (expirationDate !== first) break;
    first = effectiveDate;
  }
  return first;
}

/** Reads a policy's terms up to a given one: that one, then earlier ones, latest first. */
export function termsThrough(em: EntityManager, policyId: string): Promise<Term[]> {
  return preparedRows<Term>(em, TERMS, [organizationOf(em), policyId]);
}
