// Flags: the switches of the platform and of the organization, and the organization's settings. Spec 4.12, Contract 3.7
// "Flags".
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
import { lockOrganization } from '../../../db/queries/platform/organizations.ts';
import { auditedChanges } from '../../../domain/audit.ts';
import { type Actor, ensureMay } from '../../../domain/permissions.ts';
import {
  ensureFlagValue,
  ensureRoomForFlag,
  FLAG_KEYS,
  FLAG_TYPES,
  type FlagValue,
  flagOf,
  flagValue,
  isPlatformFlag,
} from '../../../domain/platform/flags.ts';
import { allow } from '../../spine/access.ts';
import { route } from '../../spine/route.ts';
import { pageQuery, pageSchema, pageToWire } from '../../spine/schemas.ts';

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

const params = z.strictObject({
  key: z
    .string()
    .regex(/^[A-Za-z][A-Za-z0-9_.-]{0,63}$/)
    .meta({ description: 'A flag of the platform, or one of your own.', examples: ['auto_renewal'] }),
});

const listFlags = route({
  method: 'get',
  path: '/flags',
  operationId: 'listFlags',
  tag: TAG,
  spec: SPEC,
  summary: "List every flag of the platform with the organization's override, and the organization's own flags",
  description:
    "`value` is what applies now: the override if there is one, else the default. The organization's own flags have no default.",
  access: allow('flag:read'),
  query: z.strictObject(pageQuery),
  response: { status: 200, body: pageSchema('Flag', FlagSchema) },
  errors: [],
  handler: async ({ query, db }) => {
    const overrides = await db.read(flagOverrides);
    const own = [...overrides.keys()].filter((key) => !isPlatformFlag(key)).sort();
    const keys = [...FLAG_KEYS, ...own].map((id) => ({ id }));
    return pageToWire(pageWithin(keys, query), ({ id }) => flagToWire(id, overrides.get(id)));
  },
});

const putFlag = route({
  method: 'put',
  path,
  operationId: 'putFlag',
  tag: TAG,
  spec: SPEC,
  summary: 'Set a flag for the organization',
  description:
    'A flag of the platform takes values of its type. `refund_approval` and `renewal_requires_payment` also take `{"rollout": {"percent": 25, "by": "policy"}}`: on for that share of the policies, always the same ones; each renewal term is a policy of its own. API keys cannot set `refund_approval`: a person must sign in to do so. A change is in effect everywhere within two seconds. Any other key is a flag of your own, for your portals: it takes any JSON but null, of at most 4,096 characters, and the platform does nothing with it.',
  access: allow('flag:write'),
  params,
  body: FlagWriteSchema,
  response: { status: 200, body: FlagSchema },
  errors: [],
  handler: ({ params: { key }, body: { value }, actor, org, requestId, db }) => {
    ensureMayChange(actor, key);
    ensureFlagValue(key, value);
    return db.transaction(async (em) => {
      await lockOrganization(em, org.id);
      const before = await flagOverride(em, key);
      if (before === undefined && !isPlatformFlag(key)) ensureRoomForFlag((await flagOverrides(em)).keys());
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
  description:
    'The default applies from the next request on, and on every process within two seconds. A repeated call changes nothing.',
  access: allow('flag:write'),
  params,
  response: { status: 204, body: null },
  errors: [],
  handler: ({ params: { key }, actor, org, requestId, db }) => {
    ensureMayChange(actor, key);
    return db.transaction(async (em) => {
      await lockOrganization(em, org.id);
      const before = await flagOverride(em, key);
      if (before === undefined) return;
      await removeFlagOverride(em, key);
      audit(em, { actor, requestId, action: 'flag:remove', key, before, after: undefined });
    });
  },
});

export const flagRoutes = [listFlags, putFlag, deleteFlag];

function flagToWire(key: string, override: FlagValue | undefined): z.output<typeof FlagSchema> {
  const { description, type, defaultValue } = flagOf(key);
  const wire = { key, description, type, defaultValue, override: override ?? null, value: flagValue(key, override) };
  return wire as z.output<typeof FlagSchema>;
}

/** Only people may change a flag that makes people approve what others do. @throws DomainError forbidden */
function ensureMayChange(actor: Actor, key: string): void {
  if (flagOf(key).isControl) ensureMay(actor, 'flag:control', { orgId: actor.orgId });
}

interface FlagChange {
  actor: Actor;
  requestId: string;
  action: string;
  key: string;
  before: FlagValue | undefined;
  after: FlagValue | undefined;
}

function audit(em: EntityManager, { actor, requestId, action, key, before, after }: FlagChange): void {
  const changes = auditedChanges({ override: before ?? null }, { override: after ?? null });
  writeAudit(em, { actor, action, entityType: 'flag', entityId: key, requestId, changes });
}
