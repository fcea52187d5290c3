// Flags: the switches of the platform, and what the organization has set them to. Spec 4.12, Contract 3.7 "Flags".
import type { EntityManager } from '@mikro-orm/postgresql';
import { z } from 'zod';
import { pageWithin } from '../../../db/queries/pages.ts';
import { writeAudit } from '../../../db/queries/platform/audit.ts';
import {
  flagOverride,
  flagOverrides,
  putFlagOverride,
  removeFlagOverride,
} from '../../../db/queries/platform/flags.ts';
import { auditedChanges } from '../../../domain/audit.ts';
import type { Actor } from '../../../domain/permissions.ts';
import {
  ensureFlagValue,
  FLAG_KEYS,
  FLAG_TYPES,
  FLAGS,
  type FlagKey,
  type FlagValue,
  flagValue,
} from '../../../domain/platform/flags.ts';
import { allow } from '../../spine/access.ts';
import { route } from '../../spine/route.ts';
import { pageOf, pageQuery, pageToWire } from '../../spine/schemas.ts';

const TAG = 'Flags';
const SPEC = '4.12, Contract 3.7';
const path = '/flags/:key';

const json = z
  .json()
  .meta({ description: 'A boolean, a number, text or JSON, depending on the flag.', examples: [true] });

const FlagSchema = z
  .strictObject({
    key: z.string(),
    description: z.string(),
    type: z.enum(FLAG_TYPES).meta({ description: 'The type of the values that the flag takes.' }),
    defaultValue: json,
    override: json.meta({ description: 'The value that the organization has set. It is null if it has set none.' }),
    value: json.meta({ description: 'The value in effect: the override, or else the default.' }),
  })
  .meta({ id: 'Flag' });

const FlagWriteSchema = z.strictObject({ value: json }).meta({ id: 'FlagWrite' });

const params = z.strictObject({ key: z.enum(FLAG_KEYS) });

/** In their order, as rows of a list. */
const KEYS = FLAG_KEYS.map((id) => ({ id }));

const listFlags = route({
  method: 'get',
  path: '/flags',
  operationId: 'listFlags',
  tag: TAG,
  spec: SPEC,
  summary: "List every flag with its default and the organization's override",
  access: allow('flag:read'),
  query: z.strictObject(pageQuery),
  response: { status: 200, body: pageOf('Flag', FlagSchema) },
  errors: [],
  handler: async ({ query, db }) => {
    const overrides = await db.read(flagOverrides);
    return pageToWire(pageWithin(KEYS, query), ({ id }) => flagToWire(id, overrides.get(id)));
  },
});

const putFlag = route({
  method: 'put',
  path,
  operationId: 'putFlag',
  tag: TAG,
  spec: SPEC,
  summary: 'Set a flag for the organization',
  access: allow('flag:write'),
  params,
  body: FlagWriteSchema,
  response: { status: 200, body: FlagSchema },
  errors: ['not_found'],
  handler: ({ params: { key }, body: { value }, actor, requestId, db }) => {
    ensureFlagValue(key, value);
    return db.transaction(async (em) => {
      const before = await flagOverride(em, key);
      await putFlagOverride(em, key, value);
      audit(em, { actor, requestId, action: 'flag:set', key, before, after: value });
      return flagToWire(key, value);
    });
  },
});

const deleteFlag = route({
  method: 'delete',
  path,
  operationId: 'deleteFlag',
  tag: TAG,
  spec: SPEC,
  summary: 'Remove an override, so that the default applies',
  access: allow('flag:write'),
  params,
  response: { status: 204, body: null },
  errors: ['not_found'],
  handler: ({ params: { key }, actor, requestId, db }) =>
    db.transaction(async (em) => {
      const before = await flagOverride(em, key);
      if (before === undefined) return;
      await removeFlagOverride(em, key);
      audit(em, { actor, requestId, action: 'flag:remove', key, before, after: undefined });
    }),
});

export const flagRoutes = [listFlags, putFlag, deleteFlag];

function flagToWire(key: FlagKey, override: FlagValue | undefined): z.output<typeof FlagSchema> {
  const { description, type, defaultValue } = FLAGS[key];
  const wire = { key, description, type, defaultValue, override: override ?? null, value: flagValue(key, override) };
  return wire as z.output<typeof FlagSchema>;
}

interface FlagChange {
  actor: Actor;
  requestId: string;
  action: string;
  key: FlagKey;
  before: FlagValue | undefined;
  after: FlagValue | undefined;
}

function audit(em: EntityManager, { actor, requestId, action, key, before, after }: FlagChange): void {
  const changes = auditedChanges({ override: before ?? null }, { override: after ?? null });
  writeAudit(em, { actor, action, entityType: 'flag', entityId: key, requestId, changes });
}
