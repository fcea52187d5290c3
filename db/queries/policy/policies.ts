// Queries on policies and their history.

import { type FilterQuery, raw } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { DaFlag } from '../../../domain/authority/authority.ts';
import type { BusinessDate } from '../../../domain/dates.ts';
import type { Visibility } from '../../../domain/permissions.ts';
import type { PolicyStanding } from '../../../domain/policy/policy.ts';
import { LIVE_STATUSES } from '../../../domain/policy/policy.ts';
import { Policy } from '../../entities/policy/policy.ts';
import { type IssuedTransaction, PolicyTransaction } from '../../entities/policy/policy-transaction.ts';
import { lockById } from '../../entity-rows.ts';
import { readRow, readRows } from '../../plain-table.ts';
import { preparedRows } from '../../prepared.ts';
import { organizationOf } from '../../scope.ts';
import { DUE } from '../billing/invoices.ts';
import { assignedOnPolicy } from '../claim/assigned.ts';
import type { Orders } from '../orders.ts';
import { between, containing, equalTo, type Page, type PageRequest, pageOf, visibleTo } from '../pages.ts';

/** List orders besides the default, the order of creation. */
export const POLICY_ORDERS = {
  effectiveDate: 'date',
  expirationDate: 'date',
  policyNumber: 'number',
} as const satisfies Orders;

/** Filters of the list; date ranges are inclusive. */
export interface PolicyFilter {
  visibility: Visibility;
  status?: PolicyStanding;
  producerId?: string;
  lineOfBusiness?: string;
  state?: string;
  /** Part of the insured's name. */
  insuredName?: string;
  /** Part of the policy number or the insured's name. */
  q?: string;
  effectiveFrom?: BusinessDate;
  effectiveTo?: BusinessDate;
  expiringFrom?: BusinessDate;
  expiringTo?: BusinessDate;
}

const WHOLE_POLICY_NUMBER = /^[A-Z]{2,5}-[A-Z]{2}-\d{4}-\d{6,}$/;

/** Reads a current policy, or null, read-only: `findOne` costs four times the CPU. */
export function findPolicy(em: EntityManager, id: string): Promise<Readonly<Policy> | null> {
  return readRow(em, Policy, id);
}

/** Reads policies by id. */
export async function findPolicies(em: EntityManager, ids: readonly string[]): Promise<Readonly<Policy>[]> {
  if (ids.length === 0) return [];
  return readRows(em, Policy, 'org_id = $1 and id = any($2)', [[...ids]]);
}

/** Finds the organization's policy with a number, or null. */
export function policyNumbered(em: EntityManager, policyNumber: string): Promise<Policy | null> {
  return em.findOne(Policy, { policyNumber });
}

/** Reads a policy and locks its row until the transaction ends; null when there is none. */
export function lockPolicy(em: EntityManager, id: string): Promise<Policy | null> {
  return lockById(em, Policy, id);
}

/**
 * Waits for those who lock a policy, and keeps them from locking it until the transaction ends; several may hold it.
 */
export async function holdPolicy(em: EntityManager, id: string): Promise<void> {
  await em.execute('select from policies where org_id = ? and id = ? for key share', [organizationOf(em), id]);
}

/** Like lockPolicy, after locking the prior term: ending that term locks the two in this order. */
export async function lockPolicyAfterPrior(em: EntityManager, id: string): Promise<Policy | null> {
  const renewalOf = (await findPolicy(em, id))?.renewalOf ?? null;
  if (renewalOf !== null) await lockPolicy(em, renewalOf);
  return lockPolicy(em, id);
}

/**
 * Reads a page of policies, newest first unless another order is chosen. `today` is the organization's business date,
 * which decides what is past due.
 * @throws DomainError validation_failed for a bad cursor
 */
export function listPolicies(
  em: EntityManager,
  filter: PolicyFilter,
  today: BusinessDate,
  page: PageRequest,
): Promise<Page<Policy>> {
  const { visibility, status, producerId, lineOfBusiness, state, insuredName, q } = filter;
  const conditions: (FilterQuery<Policy> | null)[] = [
    seenBy(visibility),
    equalTo({ producerId, lineOfBusiness, state }),
  ];
  if (status) conditions.push(standing(em, status, today));
  if (insuredName) conditions.push({ insuredName: containing(insuredName) });
  if (q) conditions.push(found(q));
  const effective = between(filter.effectiveFrom, filter.effectiveTo);
  if (effective) conditions.push({ effectiveDate: effective });
  const expiring = between(filter.expiringFrom, filter.expiringTo);
  if (expiring) conditions.push({ expirationDate: expiring });
  return pageOf(em, Policy, conditions, page);
}

/** The policies with a balance past due, and those with a pending notice for non-payment. */
const OWING = `
  select policy_id from invoices where org_id = ? and ${DUE} and due_date < ?
  union all select id from policies
    where org_id = ? and status = 'pending_cancellation' and delinquency ->> 'noticeOn' is not null`;

/** The condition that a policy has this among its `statuses`, as `policyStatuses` of domain/policy/policy.ts has it. */
function standing(em: EntityManager, status: PolicyStanding, today: BusinessDate): FilterQuery<Policy> {
  if (status === 'non_renewed') return { nonRenewal: { $ne: null } };
  if (status !== 'delinquent') return { status };
  const orgId = organizationOf(em);
  const owing = raw((alias) => `${alias}.id in (${OWING})`, [orgId, today, orgId]);
  return { status: { $in: [...LIVE_STATUSES] }, [owing]: [] } as FilterQuery<Policy>;
}

/** An adjuster sees the policies on which they were assigned a claim; filing one gives no access. */
function seenBy(visibility: Visibility): FilterQuery<Policy> | null {
  if (visibility.kind !== 'adjuster') return visibleTo(visibility);
  const handled = raw(
    (alias) => assignedOnPolicy({ orgId: `${alias}.org_id`, policyId: `${alias}.id` }),
    [visibility.userId],
  );
  return { [handled]: [] } as FilterQuery<Policy>;
}

/** A whole number is looked up in its index; anything else is searched for. */
function found(q: string): FilterQuery<Policy> {
  const number = q.toUpperCase();
  if (WHOLE_POLICY_NUMBER.test(number)) return { policyNumber: number };
  return { $or: [{ policyNumber: containing(q) }, { insuredName: containing(q) }] };
}

/** Reads a policy's transactions in order of issue. */
export function policyTransactions(em: EntityManager, policyId: string): Promise<IssuedTransaction[]> {
  return transactionsOf(em, [policyId]);
}

/**
 * Reads the transactions of several policies, each policy's in order of issue. They are never altered, so they are not
 * tracked: for a policy that changes often, tracking would be most of a change's cost.
 */
export async function transactionsOf(em: EntityManager, policyIds: readonly string[]): Promise<IssuedTransaction[]> {
  if (policyIds.length === 0) return [];
  const condition = 'org_id = $1 and policy_id = any($2) order by sequence';
  return (await readRows(em, PolicyTransaction, condition, [[...policyIds]])) as IssuedTransaction[];
}

/** The positions of the non-endorsement transactions, the last issued endorsement, and the one last to take effect. */
const PRESENT = `
  select sequence from policy_transactions where org_id = $1 and policy_id = $2 and type <> 'endorsement'
  union all (select sequence from policy_transactions where org_id = $1 and policy_id = $2 and type = 'endorsement'
    order by sequence desc limit 1)
  union all (select sequence from policy_transactions where org_id = $1 and policy_id = $2 and type = 'endorsement'
    order by effective_date desc, sequence desc limit 1)`;

/**
 * Reads a policy's transactions, but only the last issued endorsement and the one last to take effect: the row count
 * does not grow with endorsements.
 */
export async function presentTransactions(em: EntityManager, policyId: string): Promise<IssuedTransaction[]> {
  const condition = `org_id = $1 and policy_id = $2 and sequence = any(array(${PRESENT})) order by sequence` as const;
  return (await readRows(em, PolicyTransaction, condition, [policyId])) as IssuedTransaction[];
}

/** Reads a transaction, the one that voids it, and those that are not endorsements: what its status depends on. */
export async function transactionInStack(
  em: EntityManager,
  policyId: string,
  transactionId: string,
): Promise<IssuedTransaction[]> {
  const condition = `org_id = $1 and id = any(array(
    select id from policy_transactions where org_id = $1 and policy_id = $2 and type <> 'endorsement'
    union select $3 union select id from policy_transactions where org_id = $1 and reverses = $3
  )) and policy_id = $2 order by sequence` as const;
  return (await readRows(em, PolicyTransaction, condition, [policyId, transactionId])) as IssuedTransaction[];
}

const DA_FLAGS = {
  name: 'flags of a policy',
  text: `select da_flags from policy_transactions
    where org_id = $1 and policy_id = $2 and da_flags <> '[]' order by sequence`,
};

/** Reads the flags that a policy's transactions were issued with, oldest first. */
export async function daFlagsOf(em: EntityManager, policyId: string): Promise<DaFlag[]> {
  const rows = await preparedRows<{ da_flags: DaFlag[] }>(em, DA_FLAGS, [organizationOf(em), policyId]);
  return rows.flatMap(({ da_flags }) => da_flags);
}
