// Queries on referrals.
import { type EntityManager, type FilterQuery, raw } from '@mikro-orm/postgresql';
import { OPEN_REFERRAL_STATUSES } from '../../../domain/authority/referral.ts';
import {
  type Actor,
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
import { readRows } from '../../plain-table.ts';
import { authorityOf } from '../access/relations.ts';
import { equalTo, type Page, type PageRequest, pageOf } from '../pages.ts';

export interface ReferralFilter {
  status?: string | undefined;
  submissionId?: string | undefined;
  policyId?: string | undefined;
  dealRoomId?: string | undefined;
  requestedBy?: string | undefined;
  /** Only those that this caller may decide on now; null for all. */
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
  return em.findOne(Referral, { id });
}

/**
 * Reads a page of referrals, newest first. With a `decider`, those that `may` lets them decide on.
 * @throws DomainError validation_failed for a bad cursor
 */
export function listReferrals(em: EntityManager, filter: ReferralFilter, page: PageRequest): Promise<Page<Referral>> {
  const { decider, ...equal } = filter;
  const conditions = [equalTo(equal), ...(decider === null ? [] : decidableBy(decider))];
  return pageOf(em, Referral, conditions as (FilterQuery<Referral> | null)[], page);
}

/** The conditions under which `may(decider, 'referral:decide', referralFacts(row))` holds of an open referral. */
function decidableBy(decider: Actor): (object | null)[] {
  const { id, role, authority } = decider;
  if (!mayCoarse(decider, 'referral:decide')) return [null];
  const open = { status: { $in: [...OPEN_REFERRAL_STATUSES] } };
  const others = [{ requestedBy: { $ne: id } }, sql('not jsonb_exists(requesters, ?)', [id])];
  if (role !== 'underwriter') return [open, ...others];
  const withinContract = sql(
    `not flags @> '[{"code": "DA_LIMIT_EXCEEDED"}]' and not flags @> '[{"code": "DA_PREMIUM_EXCEEDED"}]'`,
  );
  if (authority === null) return [open, ...others, withinContract];
  const { maxLimitCents, maxPremiumCents, linesOfBusiness } = authority;
  const upTo = (field: string, most: number) => ({ $or: [{ [field]: null }, { [field]: { $lte: most } }] });
  const ofLines =
    linesOfBusiness === null ? [] : [{ $or: [{ lineOfBusiness: null }, { lineOfBusiness: { $in: linesOfBusiness } }] }];
  const own = [upTo('limitCents', maxLimitCents), upTo('premiumCents', maxPremiumCents), ...ofLines];
  return [open, ...others, withinContract, ...own];
}

function sql(condition: string, values: unknown[] = []): object {
  return { [raw(`(${condition})`, values)]: [] };
}

const DECIDING_ROLES: readonly Role[] = ROLES.filter((role) => roleMay(role, 'referral:decide'));
const DECIDERS_SHOWN = 100;

/** Reads the active members who may decide on a referral with these facts. */
export async function decidersOf(em: EntityManager, facts: ResourceFacts): Promise<{ userId: string; role: Role }[]> {
  const where = { active: true, memberSince: { $ne: null }, role: { $in: [...DECIDING_ROLES] } };
  const users = await em.find(User, where, { orderBy: { id: 'asc' }, limit: DECIDERS_SHOWN });
  const tuples = await em.find(Relation, { subjectType: 'user', subjectId: { $in: users.map(({ id }) => id) } });
  const { orgId } = facts;
  return users
    .filter(({ id, role }) => {
      const authority = authorityOf(tuples.filter(({ subjectId }) => subjectId === id));
      const actor = {
        kind: 'user' as const,
        id,
        role,
        orgId,
        homeOrgId: orgId,
        scopes: null,
        producerIds: [],
        authority,
      };
      return may(actor, 'referral:decide', facts);
    })
    .map(({ id, role }) => ({ userId: id, role }));
}

/** Reads the ids of the last 100 referrals of a submission, newest first. */
export async function referralIdsOf(em: EntityManager, submissionId: string): Promise<string[]> {
  const rows = await em.find(Referral, { submissionId }, { fields: ['id'], orderBy: { id: 'desc' }, limit: IDS_SHOWN });
  return rows.map(({ id }) => id);
}
