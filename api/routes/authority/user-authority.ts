// What a user may commit the organization to, which is never more than its authority contract allows. Contract 3.10.
import type { EntityManager } from '@mikro-orm/postgresql';
import { z } from 'zod';
import type { RelationLimits } from '../../../db/entities/access/relation.ts';
import type { DaContract } from '../../../db/entities/authority/da-contract.ts';
import { authorityOf, putRelation, relationsOf } from '../../../db/queries/access/relations.ts';
import { contractsFor } from '../../../db/queries/authority/authority.ts';
import { writeAudit } from '../../../db/queries/platform/audit.ts';
import { changedFields } from '../../../domain/audit.ts';
import { type DaFlag, FLAG_SEVERITY, type FlagCode, isInForce } from '../../../domain/authority/authority.ts';
import type { BusinessDate } from '../../../domain/dates.ts';
import { DomainError } from '../../../domain/errors.ts';
import { fromDollars, toDollars } from '../../../domain/money.ts';
import { allow } from '../../spine/access.ts';
import { route } from '../../spine/route.ts';
import { idParam } from '../../spine/schemas.ts';
import { UserAuthorityChangesSchema, UserAuthoritySchema, type UserAuthorityWire } from '../access/users.schemas.ts';
import { userResource } from '../access/users.ts';

const facts = { tag: 'Users', spec: 'Contract 3.10', path: '/users/:id/authority' } as const;
const params = z.strictObject({ id: idParam('user') });

/** Changes of the authority are no changes of the user: it has no version. */
const resource = { ...userResource, version: undefined };

/** What the contracts in force allow together. */
interface Ceiling {
  maxLimitCents: number;
  maxPremiumCents: number;
  linesOfBusiness: string[];
}

const getAuthority = route({
  ...facts,
  method: 'get',
  operationId: 'getUserAuthority',
  summary: "Read a user's own authority",
  description: 'A user without limits of their own has those of the authority contract.',
  access: allow('authority:read', resource),
  params,
  response: { status: 200, body: UserAuthoritySchema },
  errors: [],
  handler: ({ row: { id }, db, org }) =>
    db.read(async (em) => {
      const own = authorityOf(await relationsOf(em, id));
      return toWire(id, own ?? (await ceilingOn(em, org.today)), own === null);
    }),
});

const setAuthority = route({
  ...facts,
  method: 'put',
  operationId: 'setUserAuthority',
  summary: "Set a user's own authority",
  access: allow('authority:write', resource),
  params,
  body: UserAuthorityChangesSchema,
  response: { status: 200, body: UserAuthoritySchema },
  errors: ['delegated_authority_exceeded'],
  handler: ({ row: { id, orgId }, body, actor, requestId, db, org }) =>
    db.transaction(async (em) => {
      const limits: RelationLimits = {
        maxLimitCents: fromDollars(body.maxLimit, 'maxLimit'),
        maxPremiumCents: fromDollars(body.maxPremium, 'maxPremium'),
        linesOfBusiness: body.linesOfBusiness,
      };
      ensureWithin(limits, await ceilingOn(em, org.today));
      const before = authorityOf(await relationsOf(em, id));
      await putRelation(em, { ...authorityTuple(orgId, id), limits });
      const changes = changedFields(before, limits);
      writeAudit(em, { actor, action: 'authority:write', entityType: 'user', entityId: id, requestId, changes });
      return toWire(id, limits, false);
    }),
});

export const userAuthorityRoutes = [getAuthority, setAuthority];

async function ceilingOn(em: EntityManager, today: BusinessDate): Promise<Ceiling> {
  const contracts = (await contractsFor(em, { effectiveDate: today })).filter((one) => isInForce(one, today));
  const most = (amount: (contract: DaContract) => number) => Math.max(0, ...contracts.map(amount));
  return {
    maxLimitCents: most(({ maxPolicyLimitCents }) => maxPolicyLimitCents),
    maxPremiumCents: most(({ maxPremiumCents }) => maxPremiumCents),
    linesOfBusiness: [...new Set(contracts.flatMap(({ linesOfBusiness }) => linesOfBusiness))],
  };
}

/** @throws DomainError delegated_authority_exceeded naming everything that goes beyond the contract */
function ensureWithin(limits: RelationLimits, ceiling: Ceiling): void {
  const flags: DaFlag[] = [];
  const compare = (code: FlagCode, message: string, actualCents: number, limitCents: number) => {
    if (actualCents > limitCents) flags.push(flag(code, message, toDollars(limitCents), toDollars(actualCents)));
  };
  const { maxLimitCents, maxPremiumCents, linesOfBusiness } = limits;
  compare('DA_LIMIT_EXCEEDED', 'maxLimit is above the contract.', maxLimitCents, ceiling.maxLimitCents);
  compare('DA_PREMIUM_EXCEEDED', 'maxPremium is above the contract.', maxPremiumCents, ceiling.maxPremiumCents);
  for (const line of linesOfBusiness ?? []) {
    if (ceiling.linesOfBusiness.includes(line)) continue;
    flags.push(flag('DA_LOB_NOT_AUTHORIZED', 'The contract does not have this line.', null, line));
  }
  if (flags.length === 0) return;
  const message = 'A user cannot have more authority than the organization has itself.';
  throw new DomainError('delegated_authority_exceeded', message, { daFlags: flags });
}

function flag(code: FlagCode, message: string, limit: DaFlag['limit'], actual: DaFlag['actual']): DaFlag {
  const uncleared = { referralId: null, clearedBy: null, clearedAt: null };
  return { code, severity: FLAG_SEVERITY[code], message, limit, actual, ...uncleared };
}

function authorityTuple(orgId: string, userId: string) {
  const subject = { subjectType: 'user', subjectId: userId };
  return { objectType: 'organization', objectId: orgId, relation: 'authority', ...subject };
}

function toWire(userId: string, limits: RelationLimits | Ceiling, inherited: boolean): UserAuthorityWire {
  return {
    userId,
    maxLimit: toDollars(limits.maxLimitCents),
    maxPremium: toDollars(limits.maxPremiumCents),
    linesOfBusiness: limits.linesOfBusiness as UserAuthorityWire['linesOfBusiness'],
    inherited,
  };
}
