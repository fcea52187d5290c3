// Tenants, and which platform operators may act in them. These operations belong to no organization. Contract 3.10.
import { z } from 'zod';
import type { Organization } from '../../../db/entities/platform/organization.ts';
import { newId } from '../../../db/ids.ts';
import type { Database } from '../../../db/orm.ts';
import { lockKeysOf } from '../../../db/queries/access/api-keys.ts';
import { operatedOrganizations, putRelation, removeRelation } from '../../../db/queries/access/relations.ts';
import { writeAudit } from '../../../db/queries/platform/audit.ts';
import { createOrganization } from '../../../db/queries/platform/new-organization.ts';
import { findOrganization, listOrganizations, lockOrganization } from '../../../db/queries/platform/organizations.ts';
import { changedFields } from '../../../domain/audit.ts';
import { organizationUuid } from '../../../domain/ids.ts';
import { type Action, type Actor, may, visibility } from '../../../domain/permissions.ts';
import { allowPlatform } from '../../spine/access.ts';
import { entityTag, reply } from '../../spine/reply.ts';
import { route } from '../../spine/route.ts';
import { pageQuery, pageToWire } from '../../spine/schemas.ts';
import { notFound } from '../../spine/validation.ts';
import { revokeKey } from '../access/api-key-revocation.ts';
import {
  OperatorParams,
  OperatorSchema,
  OrganizationChangesSchema,
  OrganizationCreateSchema,
  OrganizationPageSchema,
  OrganizationParams,
  OrganizationSchema,
} from './organizations.schemas.ts';

const facts = { tag: 'Organizations', spec: 'Contract 3.10', errors: [] } as const;
const entityType = 'organization';

const createOrganizationRoute = route({
  ...facts,
  method: 'post',
  path: '/organizations',
  operationId: 'createOrganization',
  summary: 'Create a tenant that can quote immediately',
  description:
    'The tenant gets an active authority contract, rate tables and commission schedules. A platform operator who creates it may act in it.',
  access: allowPlatform('organization:create'),
  body: OrganizationCreateSchema,
  response: { status: 201, body: OrganizationSchema },
  handler: async ({ body, actor, requestId, command, deps: { database } }) => {
    const id = newId('organization', command.seedUuid);
    const row = await database.transaction(id, async (em) => {
      const existing = await findOrganization(em, id);
      if (existing) return existing;
      const made = await createOrganization(em, { id, ...body });
      const changes = changedFields(null, { ...body });
      writeAudit(em, { actor, action: 'organization:create', entityType, entityId: id, requestId, changes });
      await em.flush();
      if (actor.role === 'platform_operator') await putRelation(em, operatorTuple(id, actor.id));
      return made;
    });
    return reply({ body: organizationToWire(row), etag: entityTag(row.id, row.version) });
  },
});

const listOrganizationsRoute = route({
  ...facts,
  method: 'get',
  path: '/organizations',
  operationId: 'listOrganizations',
  summary: 'List the tenants the caller may act in',
  description:
    'A platform operator sees the tenants that they were added to; a superadmin sees all of them. Name one with `orgId` or `X-Org-Id` to act in it.',
  access: allowPlatform('organization:read'),
  query: z.strictObject(pageQuery),
  response: { status: 200, body: OrganizationPageSchema },
  handler: async ({ query, actor, deps: { database } }) => {
    const visible = visibility(await withOperated(actor, database), 'organization:read');
    const filter = visible.kind === 'organizations' ? { ids: visible.orgIds } : {};
    const page = await database.acrossOrgs('list of organizations', (em) => listOrganizations(em, filter, query));
    return pageToWire(page, organizationToWire);
  },
});

const getOrganization = route({
  ...facts,
  method: 'get',
  path: '/organizations/:id',
  operationId: 'getOrganization',
  isTagged: true,
  summary: 'Read a tenant',
  description:
    'It shows the name, the tier, the domains whose users may join, and where insureds pay. A tenant that you may not act in returns 404.',
  access: allowPlatform('organization:read'),
  params: OrganizationParams,
  response: { status: 200, body: OrganizationSchema },
  handler: async ({ params: { id }, actor, deps: { database } }) => {
    const row = await visibleOrganization(id, 'organization:read', actor, database);
    return reply({ body: organizationToWire(row), etag: entityTag(id, row.version) });
  },
});

const changeOrganization = route({
  ...facts,
  method: 'patch',
  path: '/organizations/:id',
  operationId: 'changeOrganization',
  isTagged: true,
  summary: 'Change a tenant',
  description: 'The tier sets the rate limits. Fields that you leave out stay as they are.',
  access: allowPlatform('organization:update'),
  params: OrganizationParams,
  body: OrganizationChangesSchema,
  response: { status: 200, body: OrganizationSchema },
  errors: ['precondition_failed'],
  handler: async ({ params: { id }, body, actor, requestId, ensureUnchanged, deps }) => {
    await visibleOrganization(id, 'organization:update', actor, deps.database);
    const changed = await deps.database.transaction(id, async (em) => {
      const row = await lockOrganization(em, id);
      if (row === null) throw notFound(entityType);
      ensureUnchanged(row);
      const changes = changedFields(pick(row, body), { ...body });
      Object.assign(row, body);
      writeAudit(em, { actor, action: 'organization:update', entityType, entityId: id, requestId, changes });
      await em.flush();
      return row;
    });
    deps.organizations.forget(id);
    return reply({ body: organizationToWire(changed), etag: entityTag(id, changed.version) });
  },
});

const addOperator = route({
  ...facts,
  method: 'put',
  path: '/organizations/:id/operators/:userId',
  operationId: 'addOperator',
  summary: 'Let a platform operator act in a tenant',
  description:
    'From their next request on they may name the tenant with `orgId` or `X-Org-Id`. Repeating the call changes nothing.',
  access: allowPlatform('organization:operate'),
  params: OperatorParams,
  response: { status: 200, body: OperatorSchema },
  handler: async ({ params: { id, userId }, actor, requestId, deps: { database } }) => {
    await visibleOrganization(id, 'organization:operate', actor, database);
    await database.transaction(id, async (em) => {
      await putRelation(em, operatorTuple(id, userId));
      const changes = { operator: { before: null, after: userId } };
      writeAudit(em, { actor, action: 'organization:operate', entityType, entityId: id, requestId, changes });
    });
    return { orgId: id, userId };
  },
});

const removeOperator = route({
  ...facts,
  method: 'delete',
  path: '/organizations/:id/operators/:userId',
  operationId: 'removeOperator',
  summary: 'Stop a platform operator from acting in a tenant',
  description:
    'Revokes the API keys that they created in it. From their next request on they can no longer act in it. A repeated call changes nothing.',
  access: allowPlatform('organization:operate'),
  params: OperatorParams,
  response: { status: 204, body: null },
  handler: async ({ params: { id, userId }, actor, requestId, deps: { database, now } }) => {
    await visibleOrganization(id, 'organization:operate', actor, database);
    await database.transaction(id, async (em) => {
      if (!(await removeRelation(em, operatorTuple(id, userId)))) return;
      for (const key of await lockKeysOf(em, userId, { throughOperator: true }))
        revokeKey(em, key, { actor, requestId, nowMs: now(), reason: 'operator_removed' });
      const changes = { operator: { before: userId, after: null } };
      writeAudit(em, { actor, action: 'organization:operate', entityType, entityId: id, requestId, changes });
    });
  },
});

export const organizationRoutes = [
  createOrganizationRoute,
  listOrganizationsRoute,
  getOrganization,
  changeOrganization,
  addOperator,
  removeOperator,
];

/** Adds the organizations named by a platform operator's tuples. */
async function withOperated(actor: Actor, database: Database): Promise<Actor> {
  if (actor.role !== 'platform_operator') return actor;
  const operatorOf = await database.acrossOrgs('organizations of an operator', (em) =>
    operatedOrganizations(em, actor.id),
  );
  return { ...actor, operatorOf };
}

/** Reads an organization; one that the caller may not act in looks nonexistent. */
async function visibleOrganization(
  id: string,
  action: Action,
  actor: Actor,
  database: Database,
): Promise<Organization> {
  const row = await database.forOrg(id, (em) => findOrganization(em, id));
  if (row !== null && may(await withOperated(actor, database), action, { orgId: id })) return row;
  throw notFound(entityType);
}

function operatorTuple(orgId: string, userId: string) {
  return { objectType: entityType, objectId: orgId, relation: 'operator', subjectType: 'user', subjectId: userId };
}

function pick(row: Organization, body: object): Record<string, unknown> {
  return Object.fromEntries(Object.keys(body).map((name) => [name, row[name as keyof Organization]]));
}

function organizationToWire(row: Organization): z.output<typeof OrganizationSchema> {
  const { id, name, tier, emailDomains, paymentInstructions, version } = row;
  return {
    ...{ id, uuid: organizationUuid(id), name, tier, emailDomains, paymentInstructions, version },
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
