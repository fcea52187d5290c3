// Delegations: a user who is away names a deputy, who decides referrals with the lent authority. Decision 0118.
import { z } from 'zod';
import { Delegation } from '../../../db/entities/authority/delegation.ts';
import { newId } from '../../../db/ids.ts';
import { addRow } from '../../../db/new-rows.ts';
import { findUser, userStatus } from '../../../db/queries/access/users.ts';
import { findDelegation, listDelegations, lockDelegation } from '../../../db/queries/authority/delegations.ts';
import { writeAudit } from '../../../db/queries/platform/audit.ts';
import { auditedChanges } from '../../../domain/audit.ts';
import {
  delegationStatus,
  ensureDeputy,
  ensureEndable,
  ensureOwnOrganization,
  ensurePeriod,
} from '../../../domain/authority/delegation.ts';
import type { BusinessDate } from '../../../domain/dates.ts';
import { allow, type Resource } from '../../spine/access.ts';
import { entityTag, reply } from '../../spine/reply.ts';
import { route } from '../../spine/route.ts';
import {
  actorId,
  idParam,
  idReference,
  instant,
  isoDate,
  pageQuery,
  pageSchema,
  pageToWire,
  tokenSubject,
} from '../../spine/schemas.ts';
import { instantOrNull, instantToWire } from '../billing/charges.wire.ts';
import { present } from '../rows.ts';

const facts = { tag: 'Referrals', spec: '4.11, Contract 3.7' } as const;
const path = '/delegations';
const params = z.strictObject({ id: idParam('delegation') });
const entityType = 'delegation';

const days = {
  from: isoDate.meta({ description: 'The first day, by the business clock.' }),
  to: isoDate.meta({ description: 'The last day. At most 92 days in all.' }),
};

const DelegationCreateSchema = z.strictObject({ toUserId: tokenSubject, ...days }).meta({ id: 'DelegationCreate' });

const DelegationSchema = z
  .strictObject({
    id: idReference('delegation'),
    orgId: idReference('organization'),
    fromUserId: tokenSubject.meta({ description: 'Who lends their authority.' }),
    toUserId: tokenSubject.meta({ description: 'The deputy.' }),
    ...days,
    status: z.enum(['planned', 'active', 'ended']),
    endedAt: instant.nullable().meta({ description: 'When it was ended early.' }),
    endedBy: actorId.nullable(),
    version: z.number().int(),
    createdAt: instant,
    updatedAt: instant,
  })
  .meta({ id: 'Delegation', description: 'An authority to decide on referrals, lent to a deputy for a time.' });

const delegationResource: Resource<Delegation> = {
  name: entityType,
  load: findDelegation,
  facts: ({ orgId, lenderId, deputyId }) => ({ orgId, participantIds: [lenderId, deputyId] }),
  version: ({ version }) => version,
};

const createDelegation = route({
  ...facts,
  method: 'post',
  path,
  operationId: 'createDelegation',
  summary: 'Name a deputy for a period',
  description:
    "On these days the deputy may decide on any referral that the caller could decide on, whatever the deputy's own authority. The deputy cannot decide on a request made by either of them and cannot pass the authority on. The caller keeps their own authority.",
  access: allow('delegation:create'),
  body: DelegationCreateSchema,
  response: { status: 201, body: DelegationSchema },
  errors: [],
  handler: ({ body: { toUserId, from, to }, actor, requestId, db, org: { today }, command }) =>
    db.answer(async (em) => {
      ensureOwnOrganization(actor);
      ensurePeriod({ from, to }, today);
      const deputy = await findUser(em, toUserId);
      ensureDeputy(actor, toUserId, deputy && { isActive: userStatus(deputy) === 'active', role: deputy.role });
      const id = newId('delegation', command.seedUuid);
      const named = { lenderId: actor.id, deputyId: toUserId, startsOn: from, endsOn: to };
      const row = addRow(em, Delegation, { id, ...named, lenderRole: actor.role, endedAt: null, endedBy: null });
      const changes = auditedChanges(null, named);
      writeAudit(em, { actor, action: 'delegation:create', entityType, entityId: id, requestId, changes });
      await em.flush();
      return reply({ body: delegationToWire(row, today), etag: entityTag(id, row.version) });
    }),
});

const listDelegationsRoute = route({
  ...facts,
  method: 'get',
  path,
  operationId: 'listDelegations',
  summary: 'List delegations, newest first',
  description:
    'Filter by the person who lends the authority, or by the deputy. Delegations that have ended stay in the list.',
  access: allow('delegation:read'),
  query: z.strictObject({ ...pageQuery, fromUserId: tokenSubject.optional(), toUserId: tokenSubject.optional() }),
  response: { status: 200, body: pageSchema('Delegation', DelegationSchema) },
  errors: [],
  handler: async ({ query: { limit, cursor, fromUserId: lenderId, toUserId: deputyId }, db, org: { today } }) => {
    const page = await db.read((em) => listDelegations(em, { lenderId, deputyId }, { limit, cursor }));
    return pageToWire(page, (row) => delegationToWire(row, today));
  },
});

const endDelegation = route({
  ...facts,
  method: 'post',
  path: `${path}/:id/end`,
  operationId: 'endDelegation',
  summary: 'End a delegation before its last day',
  description: 'The caller, the deputy or an administrator can end it. It no longer counts for the next decision.',
  access: allow('delegation:end', delegationResource),
  params,
  response: { status: 200, body: DelegationSchema },
  errors: ['invalid_state_transition'],
  handler: ({ row: { id }, actor, requestId, db, org: { today }, deps, ensureUnchanged }) =>
    db.answer(async (em) => {
      const row = present(await lockDelegation(em, id));
      ensureUnchanged(row);
      ensureEndable(row, today);
      Object.assign(row, { endedAt: new Date(deps.now()), endedBy: actor.id });
      const changes = auditedChanges({ endedBy: null }, { endedBy: actor.id });
      writeAudit(em, { actor, action: 'delegation:end', entityType, entityId: id, requestId, changes });
      await em.flush();
      return reply({ body: delegationToWire(row, today), etag: entityTag(id, row.version) });
    }),
});

export const delegationRoutes = [createDelegation, listDelegationsRoute, endDelegation];

function delegationToWire(row: Readonly<Delegation>, today: BusinessDate): z.output<typeof DelegationSchema> {
  return {
    id: row.id,
    orgId: row.orgId,
    fromUserId: row.lenderId,
    toUserId: row.deputyId,
    from: row.startsOn,
    to: row.endsOn,
    status: delegationStatus(row, today),
    endedAt: instantOrNull(row.endedAt),
    endedBy: row.endedBy,
    version: row.version,
    createdAt: instantToWire(row.createdAt),
    updatedAt: instantToWire(row.updatedAt),
  };
}
