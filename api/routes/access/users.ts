// The people of an organization: its administrators invite, change and deactivate them. An invitation is an offer;
// accepting it makes a person the user it names. Nothing here looks beyond the organization. Contract 3.10.
import type { EntityManager } from '@mikro-orm/postgresql';
import { z } from 'zod';
import type { User } from '../../../db/entities/access/user.ts';
import { isCheckViolation } from '../../../db/faults.ts';
import { newId } from '../../../db/ids.ts';
import { linkToken, newLinkSecret } from '../../../db/queries/access/password-links.ts';
import { memberTuple, putRelation } from '../../../db/queries/access/relations.ts';
import {
  endSessions,
  findUser,
  inviteUser,
  isDomainOfAnother,
  listUsers,
  lockUsers,
  producerIdsByUser,
  userStatus,
} from '../../../db/queries/access/users.ts';
import { findProducer } from '../../../db/queries/distribution/producers.ts';
import { writeAudit } from '../../../db/queries/platform/audit.ts';
import { findOrganization } from '../../../db/queries/platform/organizations.ts';
import { standingClaim } from '../../../domain/access/standing.ts';
import {
  ensureMayChange,
  ensureMayGive,
  ensureProducerFits,
  ensureStillMay,
} from '../../../domain/access/user-rules.ts';
import { changedFields } from '../../../domain/audit.ts';
import { DomainError, validationError } from '../../../domain/errors.ts';
import type { Actor } from '../../../domain/permissions.ts';
import { allow, type Resource } from '../../spine/access.ts';
import { entityTag, reply } from '../../spine/reply.ts';
import { route } from '../../spine/route.ts';
import { idParam } from '../../spine/schemas.ts';
import { instantToWire } from '../billing/charges.wire.ts';
import { present } from '../rows.ts';
import { takeGrantsBack } from './taken-grants.ts';
import { keysThatLiveOn } from './user-keys.ts';
import { INVITATION_LIFETIME_SECONDS, invitationMail, wasSent } from './user-mail.ts';
import {
  ChangedUserSchema,
  InvitedUserSchema,
  UserChangesSchema,
  UserInvitationSchema,
  UserListQuery,
  UserPageSchema,
  type UserWire,
} from './users.schemas.ts';

const TAG = 'Users';
const SPEC = 'Contract 3.10';
const entityType = 'user';
const params = z.strictObject({ id: idParam('user') });

export const userResource: Resource<User> = {
  name: entityType,
  load: findUser,
  facts: ({ orgId }) => ({ orgId }),
  version: ({ version }) => version,
};

const listUsersRoute = route({
  method: 'get',
  path: '/users',
  operationId: 'listUsers',
  tag: TAG,
  spec: SPEC,
  summary: 'List users',
  description: 'Filter by role, status or the text in `q`. An invited user has not accepted the invitation yet.',
  access: allow('user:read'),
  query: UserListQuery,
  response: { status: 200, body: UserPageSchema },
  errors: [],
  handler: ({ query, db }) =>
    db.read(async (em) => {
      const { data, nextCursor } = await listUsers(em, query, query);
      const producers = await producerIdsByUser(
        em,
        data.map(({ id }) => id),
      );
      return { data: data.map((user) => userToWire(user, producers.get(user.id) ?? [])), nextCursor };
    }),
});

const inviteUserRoute = route({
  method: 'post',
  path: '/users',
  operationId: 'inviteUser',
  tag: TAG,
  spec: SPEC,
  summary: 'Invite a user',
  description:
    'E-mails a token. The user stays invited until somebody who proves the address accepts with the token: by setting a password, while signed in, or by single sign-on. An address in a domain that another organization lists is refused. `invitationSent` says whether the mail server took the e-mail within three seconds.',
  access: allow('user:invite'),
  body: UserInvitationSchema,
  response: { status: 201, body: InvitedUserSchema },
  errors: ['already_exists'],
  handler: async ({ body, actor, requestId, db, command, deps }) => {
    const { email, role, name = email, producerId } = body;
    ensureMayGive(actor, role);
    ensureProducerFits(role, producerId);
    const { user, from, token } = await db.transaction(async (em) => {
      if (await isDomainOfAnother(em, email)) throw foreignDomain();
      if (producerId !== undefined && (await findProducer(em, producerId)) === null) throw unknownProducer();
      const { secret, hash } = newLinkSecret();
      const offer = { id: newId('user', command.seedUuid), email, name, role, hash };
      const id = await inviteUser(em, { ...offer, lifetimeSeconds: INVITATION_LIFETIME_SECONDS });
      if (id === null)
        throw new DomainError('already_exists', 'A user of the organization already has this e-mail address.');
      // A self-registered row may be taken over: its grants and keys then belong to no one.
      await takeGrantsBack(em, id, { actor, requestId, nowMs: deps.now() });
      if (producerId !== undefined) await putRelation(em, memberTuple(producerId, id));
      const changes = changedFields(null, { role, producerId });
      writeAudit(em, { actor, action: 'user:invite', entityType, entityId: id, requestId, changes });
      return { user: present(await findUser(em, id)), from: await senderOf(em, actor), token: linkToken(id, secret) };
    });
    const sending = deps.mail.send(invitationMail(deps.config, { email: user.email, ...from, token }));
    deps.inBackground('mailing an invitation', sending);
    const invitationSent = await wasSent(sending);
    return reply({
      body: { ...userToWire(user, producerId === undefined ? [] : [producerId]), invitationSent },
      etag: entityTag(user.id, user.version),
    });
  },
});

const changeUser = route({
  method: 'patch',
  path: '/users/:id',
  operationId: 'changeUser',
  tag: TAG,
  spec: SPEC,
  summary: "Change a user's role, deactivate or reactivate them",
  description:
    "Earlier tokens stop working within 30 seconds. A deactivated user is signed out; the response names the API keys that they created, which stay valid. A deactivated invitation cannot be accepted. The person's other organizations are not affected.",
  access: allow('user:update', userResource),
  params,
  body: UserChangesSchema,
  response: { status: 200, body: ChangedUserSchema },
  errors: [],
  handler: ({ row: { id }, body, actor, requestId, ensureUnchanged, db, deps }) =>
    db.transaction(async (em) => {
      const locked = await lockUsers(em, [id, actor.id]);
      const user = present(locked.get(id) ?? null);
      ensureStillMay(actor, locked.get(actor.id));
      ensureUnchanged(user);
      const { role = user.role, active = user.active } = body;
      ensureMayChange(actor, user);
      ensureMayGive(actor, role);
      const changes = changedFields({ role: user.role, active: user.active }, { role, active });
      if (Object.keys(changes).length > 0) {
        Object.assign(user, { role, active, tokensValidFrom: nextStanding(user, deps.now()) });
        if (!active) await endSessions(em, id);
        writeAudit(em, { actor, action: 'user:update', entityType, entityId: id, requestId, changes });
        await flushChange(em);
      }
      const producers = await producerIdsByUser(em, [id]);
      const wire = userToWire(user, producers.get(id) ?? []);
      const { database, now } = deps;
      const left = active ? {} : { apiKeys: await keysThatLiveOn(em, user, { database, nowMs: now() }) };
      return reply({ body: { ...wire, ...left }, etag: entityTag(id, user.version) });
    }),
});

export const userRoutes = [listUsersRoute, inviteUserRoute, changeUser];

/** The inviter's name for an invitation; without a person on file, only the organization's. */
async function senderOf(em: EntityManager, { id, orgId }: Actor) {
  const { name: organization } = present(await findOrganization(em, orgId));
  return { organization, inviter: (await findUser(em, id))?.name ?? null };
}

function userToWire(user: User, producerIds: string[]): UserWire {
  const { id, orgId, email, name, role, active, origin, emailVerified, version } = user;
  if (role === 'policyholder') throw new TypeError('A policyholder is no user');
  return {
    ...{ id, orgId, email, name, role, active, origin, emailVerified, producerIds, version },
    status: userStatus(user),
    createdAt: instantToWire(user.createdAt),
    updatedAt: instantToWire(user.updatedAt),
  };
}

/** Later than the last one even if both changes fall in one millisecond: tokens identify their standing by it. */
function nextStanding(user: User, nowMs: number): Date {
  return new Date(Math.max(nowMs, standingClaim(user) + 1));
}

/** @throws DomainError validation_failed if a person with a platform role belongs to another organization */
async function flushChange(em: EntityManager): Promise<void> {
  await em.flush().catch((error: unknown) => {
    if (!isCheckViolation(error, 'platform_role_has_one_home')) throw error;
    throw validationError('role', 'enum', 'A user with a platform role can belong to only one organization.');
  });
}

function foreignDomain(): DomainError {
  return validationError('email', 'enum', 'The domain of this e-mail address belongs to another organization.');
}

function unknownProducer(): DomainError {
  return validationError('producerId', 'unknown_reference', 'There is no such producer.');
}
