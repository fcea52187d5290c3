// Queries on referrals.
import { type EntityManager, type FilterQuery, raw } from '@mikro-orm/postgresql';
import { OPEN_REFERRAL_STATUSES } from '../../../domain/authority/referral.ts';
import type { BusinessDate } from '../../../domain/dates.ts';
import {
  type Actor,
  type Lender,
  lenderOf,
  may,
  mayCoarse,
  type ResourceFacts,
  ROLES,
  type Role,
  roleMay,
} from '../../../domain/permissions.ts';
import { Relation } from '../../entities/access/relation.ts';
import { User } from '../../entities/access/user.ts';
import { Referral } from '../../entities/authority/referral.ts';
import { findById } from '../../entity-rows.ts';
import { readRows } from '../../plain-table.ts';
import { organizationOf } from '../../scope.ts';
import { authorityOf } from '../access/relations.ts';
import { equalTo, type Page, type PageRequest, pageOf } from '../pages.ts';
import { lendersTo } from './delegations.ts';

export interface ReferralFilter {
  status?: string | undefined;
  submissionId?: string | undefined;
  policyId?: string | undefined;
  dealRoomId?: string | undefined;
  requestedBy?: string | undefined;
  /** Only those this caller may decide now; null for all. */
  decider: Actor | null;
}

const IDS_SHOWN = 100;

/** Reads the one undecided referral of a submission or a policy, or null. */
export function openReferralOf(
  em: EntityManager,
  subject: { submissionId: string } | { policyId: string },
): Promise<Referral | null> {
  return em.findOne(Referral, { ...subject, status: { $in: [...OPEN_REFERRAL_STATUSES] } });
}

/** Reads the one undecided referral of a submission as a plain row, or null. */
export async function plainOpenReferral(em: EntityManager, submissionId: string): Promise<Readonly<Referral> | null> {
  const [row] = await readRows(
    em,
    Referral,
    "org_id = $1 and submission_id = $2 and status in ('pending', 'info_requested')",
    [submissionId],
  );
  return row ?? null;
}

/** Reads the newest referral of a policy, decided or not, or null. */
export function latestReferralOf(em: EntityManager, policyId: string): Promise<Referral | null> {
  return em.findOne(Referral, { policyId }, { orderBy: { id: 'desc' } });
}

/** Reads a referral, or null. */
export function findReferral(em: EntityManager, id: string): Promise<Referral | null> {
  return findById(em, Referral, id);
}

/**
 * Reads a page of referrals, newest first. With a `decider`, only those that `may` lets them decide.
 * @throws DomainError validation_failed for a bad cursor
 */
export function listReferrals(em: EntityManager, filter: ReferralFilter, page: PageRequest): Promise<Page<Referral>> {
  const { decider, ...equal } = filter;
  const conditions = [equalTo(equal), ...(decider === null ? [] : decidableBy(decider))];
  return pageOf(em, Referral, conditions as (FilterQuery<Referral> | null)[], page);
}

/** The conditions under which `may(decider, 'referral:decide', referralFacts(row))` holds of an open referral. */
function decidableBy(decider: Actor): (object | null)[] {
  if (!mayCoarse(decider, 'referral:decide')) return [null];
  const { id, lenders = [] } = decider;
  const lent = lenders.filter(({ role }) => roleMay(role, 'referral:decide'));
  const enough = [
    withinAuthority(decider),
    ...lent.map((lender) => [...byOthers(lender.id), ...withinAuthority(lender)]),
  ];
  const open = { status: { $in: [...OPEN_REFERRAL_STATUSES] } };
  const isAlways = enough.some((conditions) => conditions.length === 0);
  return [open, ...byOthers(id), ...(isAlways ? [] : [{ $or: enough.map(($and) => ({ $and })) }])];
}

/** The condition that a user has no part in the request. */
function byOthers(id: string): object[] {
  return [{ requestedBy: { $ne: id } }, sql('not jsonb_exists(requesters, ?)', [id])];
}

/** The condition that a user's own authority covers it. */
function withinAuthority({ role, authority }: Lender): object[] {
  if (role !== 'underwriter') return [];
  const withinContract = sql(
    `not flags @> '[{"code": "DA_LIMIT_EXCEEDED"}]' and not flags @> '[{"code": "DA_PREMIUM_EXCEEDED"}]'`,
  );
  if (authority === null) return [withinContract];
  const { maxLimitCents, maxPremiumCents, linesOfBusiness } = authority;
  const upTo = (field: string, most: number) => ({ $or: [{ [field]: null }, { [field]: { $lte: most } }] });
  const ofLines =
    linesOfBusiness === null ? [] : [{ $or: [{ lineOfBusiness: null }, { lineOfBusiness: { $in: linesOfBusiness } }] }];
  return [withinContract, upTo('limitCents', maxLimitCents), upTo('premiumCents', maxPremiumCents), ...ofLines];
}

function sql(condition: string, values: unknown[] = []): object {
  return { [raw(`(${condition})`, values)]: [] };
}

const DECIDING_ROLES: readonly Role[] = ROLES.filter((role) => roleMay(role, 'referral:decide'));
const DECIDERS_SHOWN = 100;

/** Somebody who may decide, and the one who is away and has lent them the authority that it takes. */
export interface Decider {
  userId: string;
  role: Role;
  decidesFor: string | null;
}

/** Reads the active members who may decide a referral with these facts, 100 at most. */
export async function decidersOf(em: EntityManager, facts: ResourceFacts, today: BusinessDate): Promise<Decider[]> {
  const where = { active: true, memberSince: { $ne: null }, role: { $in: [...DECIDING_ROLES] } };
  // Reads all of them: the only one with enough authority may be the last one invited.
  const users = await em.find(User, where, { orderBy: { id: 'asc' } });
  const ids = users.map(({ id }) => id);
  const relations = await em.find(Relation, { subjectType: 'user', subjectId: { $in: ids } });
  const tuples = Map.groupBy(relations, ({ subjectId }) => subjectId);
  const lenders = await lendersTo(em, ids, today);
  const { orgId } = facts;
  const deciders = users.flatMap(({ id, role }) => {
    const authority = authorityOf(tuples.get(id) ?? []);
    const at = { orgId, homeOrgId: orgId, scopes: null, producerIds: [] };
    const actor = { kind: 'user' as const, id, role, ...at, authority, lenders: lenders.get(id) ?? [] };
    if (!may(actor, 'referral:decide', facts)) return [];
    return [{ userId: id, role, decidesFor: lenderOf(actor, 'referral:decide', facts)?.id ?? null }];
  });
  return deciders.slice(0, DECIDERS_SHOWN);
}

/** An open referral with a step due, and what it is about. */
export type DueReferral = Pick<Referral, 'id' | 'submissionId' | 'policyId'>;

/** Reads the next open referrals whose next step is due, by id. */
export function dueReferrals(
  em: EntityManager,
  { today, after, limit }: { today: BusinessDate; after: string; limit: number },
): Promise<DueReferral[]> {
  const where = { status: { $in: [...OPEN_REFERRAL_STATUSES] }, nextStepOn: { $lte: today }, id: { $gt: after } };
  return em.find(Referral, where, { fields: ['id', 'submissionId', 'policyId'], orderBy: { id: 'asc' }, limit });
}

/**
 * Records the day of the next step. A reminder does not change the referral: its version stays the same for those who
 * decide.
 */
export async function noteReminder(em: EntityManager, id: string, nextStepOn: BusinessDate): Promise<void> {
  const values = [nextStepOn, organizationOf(em), id];
  await em.execute('update referrals set next_step_on = ? where org_id = ? and id = ?', values);
}

/** Reads the ids of the last 100 referrals of a submission, newest first. */
export async function referralIdsOf(em: EntityManager, submissionId: string): Promise<string[]> {
  const rows = await em.find(Referral, { submissionId }, { fields: ['id'], orderBy: { id: 'desc' }, limit: IDS_SHOWN });
  return rows.map(({ id }) => id);
}
