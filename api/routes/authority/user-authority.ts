// A user's own authority: read and set. Contract 3.10.
import type { EntityManager } from '@mikro-orm/postgresql';
import { z } from 'zod';
import type { Relation } from '../../../db/entities/access/relation.ts';
import { authorityTupleOf, changeTuplesOf, putRelation, relationsOf } from '../../../db/queries/access/relations.ts';
import { contractsFor } from '../../../db/queries/authority/authority.ts';
import { writeAudit } from '../../../db/queries/platform/audit.ts';
import { changedFields } from '../../../domain/audit.ts';
import {
  type AuthorityCeiling,
  authorityCeiling,
  ensureWithinCeiling,
  underwritingLimits,
} from '../../../domain/authority/own-authority.ts';
import type { BusinessDate } from '../../../domain/dates.ts';
import { type Cents, fromDollars, toDollars } from '../../../domain/money.ts';
import type { UserAuthority } from '../../../domain/permissions.ts';
import { allow } from '../../spine/access.ts';
import { entityTag, reply } from '../../spine/reply.ts';
import { route } from '../../spine/route.ts';
import { idParam } from '../../spine/schemas.ts';
import { UserAuthorityChangesSchema, UserAuthoritySchema, type UserAuthorityWire } from '../access/users.schemas.ts';
import { userResource } from '../access/users.ts';
import { dollarsOrNull } from '../billing/charges.wire.ts';

const facts = { tag: 'Users', spec: 'Contract 3.10', path: '/users/:id/authority' } as const;
const params = z.strictObject({ id: idParam('user') });

/** Changing the authority does not change the user: it has its own version. */
const resource = { ...userResource, version: undefined };

const getAuthority = route({
  ...facts,
  method: 'get',
  operationId: 'getUserAuthority',
  summary: "Read a user's own authority",
  description:
    'The limits of the authority contract apply to a user without limits of their own. `inherited` is true when the response shows the limits of the contract.',
  access: allow('authority:read', resource),
  params,
  response: { status: 200, body: UserAuthoritySchema },
  errors: [],
  isTagged: true,
  handler: ({ row: { id }, db, org }) =>
    db.read(async (em) => {
      const own = authorityTupleOf(await relationsOf(em, id));
      return shown(toWire(id, own?.limits ?? (await ceilingOn(em, org.today)), own === null), own);
    }),
});

const setAuthority = route({
  ...facts,
  method: 'put',
  operationId: 'setUserAuthority',
  summary: "Set a user's own authority",
  description:
    'The limits can never exceed those of the authority contract. They apply from the next decision that the user makes. A claims adjuster or supervisor needs only `maxReserve` or `maxSettlement`.',
  access: allow('authority:write', resource),
  params,
  body: UserAuthorityChangesSchema,
  response: { status: 200, body: UserAuthoritySchema },
  errors: ['delegated_authority_exceeded'],
  isTagged: true,
  handler: ({ row: { id, orgId, role }, body, actor, requestId, db, org, ensureUnchanged }) =>
    db.transaction(async (em) => {
      await changeTuplesOf(em, id);
      const before = authorityTupleOf(await relationsOf(em, id));
      ensureUnchanged({ id, version: versionOf(before) });
      const limits: UserAuthority = {
        ...underwritingLimits(role, {
          maxLimitCents: centsOrUndefined(body.maxLimit, 'maxLimit'),
          maxPremiumCents: centsOrUndefined(body.maxPremium, 'maxPremium'),
          isForClaims: body.maxReserve !== null || body.maxSettlement !== null,
        }),
        linesOfBusiness: body.linesOfBusiness,
        maxReserveCents: centsOrNull(body.maxReserve, 'maxReserve'),
        maxSettlementCents: centsOrNull(body.maxSettlement, 'maxSettlement'),
      };
      ensureWithinCeiling(limits, await ceilingOn(em, org.today));
      await putRelation(em, { ...authorityTuple(orgId, id), limits });
      const changes = changedFields(before?.limits ?? null, limits);
      writeAudit(em, { actor, action: 'authority:write', entityType: 'user', entityId: id, requestId, changes });
      return shown(toWire(id, limits, false), authorityTupleOf(await relationsOf(em, id)));
    }),
});

export const userAuthorityRoutes = [getAuthority, setAuthority];

async function ceilingOn(em: EntityManager, today: BusinessDate): Promise<AuthorityCeiling> {
  return authorityCeiling(await contractsFor(em, { effectiveDate: today }), today);
}

/** The instant of its last change; 0 for the contract's limits. */
function versionOf(own: Relation | null): number {
  return own?.updatedAt.getTime() ?? 0;
}

function shown(body: UserAuthorityWire, own: Relation | null) {
  return reply({ body, etag: entityTag(body.userId, versionOf(own)) });
}

function authorityTuple(orgId: string, userId: string) {
  const subject = { subjectType: 'user', subjectId: userId };
  return { objectType: 'organization', objectId: orgId, relation: 'authority', ...subject };
}

function toWire(userId: string, limits: UserAuthority, inherited: boolean): UserAuthorityWire {
  return {
    userId,
    maxLimit: toDollars(limits.maxLimitCents),
    maxPremium: toDollars(limits.maxPremiumCents),
    linesOfBusiness: limits.linesOfBusiness as UserAuthorityWire['linesOfBusiness'],
    maxReserve: dollarsOrNull(limits.maxReserveCents ?? null),
    maxSettlement: dollarsOrNull(limits.maxSettlementCents ?? null),
    inherited,
  };
}

function centsOrNull(dollars: number | null, field: string): Cents | null {
  return dollars === null ? null : fromDollars(dollars, field);
}

function centsOrUndefined(dollars: number | undefined, field: string): Cents | undefined {
  return dollars === undefined ? undefined : fromDollars(dollars, field);
}
