// Keys for programs: administrators create, list and revoke them with a JWT, never with a key. Spec 4.3, 5.3, Contract
// 2.

import { z } from 'zod';
import { ApiKey } from '../../../db/entities/access/api-key.ts';
import { isUniqueViolation } from '../../../db/faults.ts';
import { newId } from '../../../db/ids.ts';
import { addRow } from '../../../db/new-rows.ts';
import { findApiKey, listApiKeys, lockApiKey, makerStandings } from '../../../db/queries/access/api-keys.ts';
import { writeAudit } from '../../../db/queries/platform/audit.ts';
import { isMakerActive, type MakerStanding, makerOf } from '../../../domain/access/key-makers.ts';
import { DomainError, validationError } from '../../../domain/errors.ts';
import { SCOPES } from '../../../domain/permissions.ts';
import { displayPrefix, hashOfApiKey, newApiKey } from '../../credentials/api-keys.ts';
import { allow, type Resource } from '../../spine/access.ts';
import { route } from '../../spine/route.ts';
import {
  actorId,
  businessText,
  idParam,
  idReference,
  instant,
  pageQuery,
  pageSchema,
  pageToWire,
  sentInstant,
} from '../../spine/schemas.ts';
import { present } from '../rows.ts';
import { holdEntitledMaker } from './api-key-makers.ts';
import { revokeKey } from './api-key-revocation.ts';

const TAG = 'API keys';
const entityType = 'api_key';
const params = z.strictObject({ id: idParam('apiKey') });
const scope = z.enum(SCOPES as [string, ...string[]]).meta({ id: 'Scope' });

const ApiKeyCreateSchema = z
  .strictObject({
    name: businessText,
    scopes: z.array(scope).min(1).max(SCOPES.length),
    expiresAt: sentInstant
      .nullable()
      .default(null)
      .meta({ description: 'When the key expires. Null or left out: never.' }),
  })
  .meta({ id: 'ApiKeyCreate' });

const keyFields = {
  id: idReference('apiKey'),
  orgId: idReference('organization'),
  name: z.string(),
  scopes: z.array(z.string()),
  displayPrefix: z.string().meta({ description: 'The first characters of the key.', examples: ['svck_test_a1B2'] }),
  expiresAt: instant.nullable(),
  revokedAt: instant.nullable(),
  lastUsedAt: instant.nullable().meta({ description: 'When the key was last used, to the minute.' }),
  createdBy: actorId.meta({
    description: 'The `sub` of the token that created the key, or `machine` for the machine secret.',
  }),
  creatorActive: z.boolean().meta({
    description: 'False when the user who created it is deactivated; the key stays valid until it is revoked.',
  }),
  createdAt: instant,
  updatedAt: instant,
  version: z.int(),
};
const ApiKeySchema = z.strictObject(keyFields).meta({ id: 'ApiKey' });
const CreatedApiKeySchema = z
  .strictObject({
    key: z.string().meta({ description: 'The full key. It is shown only once.' }).optional(),
    ...keyFields,
  })
  .meta({ id: 'CreatedApiKey' });

const apiKeyResource: Resource<ApiKey> = {
  name: entityType,
  load: findApiKey,
  facts: ({ orgId }) => ({ orgId }),
  version: ({ version }) => version,
};

const createApiKey = route({
  method: 'post',
  path: '/api-keys',
  operationId: 'createApiKey',
  tag: TAG,
  spec: '4.3, Contract 2',
  summary: 'Create an API key',
  description:
    'The key is shown only in this answer; a repeated call with the same Idempotency-Key returns the response without it. The key acts with the role of its creator, limited to its scopes. A scope beyond that role returns 403 with `requiredScope`.',
  access: allow('api_key:manage'),
  body: ApiKeyCreateSchema,
  response: { status: 201, body: CreatedApiKeySchema },
  errors: ['already_exists'],
  shownOnce: ['key'],
  handler: async ({ body, actor, org, requestId, db, command, deps }) => {
    const { name } = body;
    const scopes = [...new Set(body.scopes)];
    const expiresAt = futureInstant(body.expiresAt, deps.now());
    const maker = makerOf(actor, scopes);
    const key = newApiKey(deps.config.environment);
    const id = newId('apiKey', command.seedUuid);
    const kept = { id, name, scopes, expiresAt, hash: hashOfApiKey(key), displayPrefix: displayPrefix(key) };
    return db
      .transaction(async (em) => {
        const standing = await holdEntitledMaker(em, { orgId: org.id, scopes, ...maker });
        const made = addRow(em, ApiKey, { ...kept, ...maker });
        const changes = { name: { before: null, after: name }, scopes: { before: null, after: scopes } };
        writeAudit(em, { actor, action: 'api_key:create', entityType, entityId: id, requestId, changes });
        await em.flush();
        return { key, ...apiKeyToWire(made, standing) };
      })
      .catch((error: unknown) => {
        throw isUniqueViolation(error, 'api_keys_pkey') ? lostKey(id) : error;
      });
  },
});

const listKeys = route({
  method: 'get',
  path: '/api-keys',
  operationId: 'listApiKeys',
  tag: TAG,
  spec: 'Contract 2',
  summary: 'List API keys, revoked ones too',
  description:
    'The key itself is never listed; it came with the response that created it. Each key shows its scopes, when it expires and whether its creator is still active.',
  access: allow('api_key:read'),
  query: z.strictObject(pageQuery),
  response: { status: 200, body: pageSchema('ApiKey', ApiKeySchema) },
  errors: [],
  handler: ({ query, db }) =>
    db.read(async (em) => {
      const page = await listApiKeys(em, query);
      const makers = await makerStandings(
        em,
        page.data.map(({ createdBy }) => createdBy),
      );
      return pageToWire(page, (row) => apiKeyToWire(row, makers.get(row.createdBy) ?? []));
    }),
});

const revokeApiKey = route({
  method: 'delete',
  path: '/api-keys/:id',
  operationId: 'revokeApiKey',
  tag: TAG,
  spec: 'Contract 2',
  summary: 'Revoke an API key',
  description: 'The key stops working immediately. A repeated call changes nothing.',
  access: allow('api_key:manage', apiKeyResource),
  params,
  response: { status: 204, body: null },
  errors: [],
  handler: ({ params: { id }, actor, requestId, db, deps }) =>
    db.transaction(async (em) => {
      const key = present(await lockApiKey(em, id));
      if (key.revokedAt !== null) return;
      revokeKey(em, key, { actor, requestId, nowMs: deps.now(), reason: 'requested' });
    }),
});

export const apiKeyRoutes = [createApiKey, listKeys, revokeApiKey];

/**
 * An earlier attempt under the same Idempotency-Key made the key but ended before it could respond: no one has seen it.
 */
function lostKey(id: string): DomainError {
  const message =
    'The key was created, but the response was lost and the key cannot be shown again. Revoke it and create another.';
  return new DomainError('already_exists', message, { id });
}

function futureInstant(text: string | null, nowMs: number): Date | null {
  if (text === null) return null;
  const instantMs = Date.parse(text);
  if (instantMs > nowMs) return new Date(instantMs);
  throw validationError('expiresAt', 'min', 'expiresAt must lie in the future.');
}

function apiKeyToWire(row: ApiKey, maker: readonly MakerStanding[]): z.output<typeof ApiKeySchema> {
  const { id, orgId, name, scopes, displayPrefix: shown, createdBy } = row;
  return {
    ...{ id, orgId, name, scopes, displayPrefix: shown, createdBy },
    creatorActive: isMakerActive(orgId, maker),
    expiresAt: row.expiresAt?.toISOString() ?? null,
    revokedAt: row.revokedAt?.toISOString() ?? null,
    lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    version: row.version,
  };
}
