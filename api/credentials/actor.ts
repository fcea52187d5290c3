// The organization and relations a call acts with: from an authenticated caller to the actor of the permission check.
// Contract 2 "Machine secret", "superadmin / platform_operator", "Permissions".
import type { Database } from '../../db/orm.ts';
import { relationsJudged, relationsOf } from '../../db/queries/access/relations.ts';
import { lendersTo } from '../../db/queries/authority/delegations.ts';
import { businessDateAt } from '../../domain/business-day.ts';
import { validationError } from '../../domain/errors.ts';
import { organizationIdFrom } from '../../domain/ids.ts';
import { type Action, type Actor, mayBeLent } from '../../domain/permissions.ts';
import { notFound } from '../spine/validation.ts';
import type { Caller } from './caller.ts';
import type { OrganizationDirectory, OrganizationFacts } from './organizations.ts';

export interface ActingParts {
  database: Database;
  organizations: OrganizationDirectory;
  /** The organization of the machine if it names none. */
  defaultOrgId: string | null;
}

/** What a request says about the organization it means. */
export interface NamedOrganization {
  /** Query parameter `orgId`; a repeated one is an array. */
  query: string | string[] | undefined;
  /** Header `X-Org-Id`. */
  header: string | string[] | undefined;
  isRead: boolean;
}

/** Makes the actor of a caller at home, with no relations: enough for the coarse check. */
export function actorAtHome(caller: Caller): Actor {
  const homeOrgId = caller.home?.id ?? null;
  return {
    kind: caller.kind,
    id: caller.id,
    role: caller.role,
    orgId: homeOrgId ?? '',
    homeOrgId,
    scopes: caller.scopes,
    producerIds: [],
    authority: null,
  };
}

/**
 * Finds the organization a call acts in. A caller bound to one organization who names another gets not_found.
 * @throws DomainError not_found, validation_failed on `orgId`
 */
export async function actingOrganization(
  caller: Caller,
  named: NamedOrganization,
  parts: ActingParts,
): Promise<OrganizationFacts> {
  const orgId = readNamed(named);
  if (caller.home !== null && (orgId === null || orgId === caller.home.id)) return caller.home;
  const wanted = orgId ?? defaultFor(named, parts.defaultOrgId);
  if (!(await mayActIn(caller, wanted, parts))) throw notFound('organization');
  const organization = await parts.organizations.find(wanted);
  if (organization === null) throw notFound('organization');
  return organization;
}

/**
 * Completes the actor with the relations its role depends on: a producer's memberships and, for changes, the own
 * authority of underwriters and claims users; underwriters deciding a referral may have been lent more. Other roles
 * cost no query.
 */
export async function actorIn(
  caller: Caller,
  organization: OrganizationFacts,
  { isRead, action, database, nowMs }: { isRead: boolean; action: Action; database: Database; nowMs: number },
): Promise<Actor> {
  const actor = actorAtHome(caller);
  actor.orgId = organization.id;
  if (caller.kind !== 'user') return actor;
  if (caller.role === 'platform_operator') actor.operatorOf = [organization.id];
  // No one's own authority limits what they read.
  if (isRead && caller.role !== 'producer') return actor;
  const relations = await database.forOrg(organization.id, (em) => relationsJudged(em, caller));
  if (action !== 'referral:decide' || !mayBeLent(actor, action)) return { ...actor, ...relations };
  const today = businessDateAt(nowMs, organization.clockOffsetDays);
  const lenders = await database.forOrg(organization.id, (em) => lendersTo(em, [caller.id], today));
  return { ...actor, ...relations, lenders: lenders.get(caller.id) ?? [] };
}

function readNamed({ query, header }: NamedOrganization): string | null {
  const named = query ?? header;
  if (named === undefined) return null;
  if (Array.isArray(named)) throw validationError('orgId', 'type', 'orgId is given more than once.');
  const orgId = organizationIdFrom(named);
  if (orgId === null) throw validationError('orgId', 'format', 'orgId is not the id of an organization.');
  return orgId;
}

function defaultFor({ isRead }: NamedOrganization, defaultOrgId: string | null): string {
  const orgId = isRead ? organizationIdFrom(defaultOrgId) : null;
  if (orgId === null)
    throw validationError(
      'orgId',
      'required',
      'Name the organization with the query parameter orgId or the header X-Org-Id.',
    );
  return orgId;
}

/** The machine and superadmins act everywhere; a platform operator, where a tuple grants it. Spec 5.8. */
async function mayActIn(caller: Caller, orgId: string, { database }: ActingParts): Promise<boolean> {
  if (caller.kind === 'machine' || (caller.kind === 'user' && caller.role === 'superadmin')) return true;
  if (caller.kind !== 'user' || caller.role !== 'platform_operator') return false;
  const relations = await database.forOrg(orgId, (em) => relationsOf(em, caller.id));
  return relations.some(
    ({ objectType, objectId, relation }) =>
      objectType === 'organization' && objectId === orgId && relation === 'operator',
  );
}
