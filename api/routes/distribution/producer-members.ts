// The users who act for a producer: tuples `producer:p#member@user:u`. Contract 2 "Permissions".
import type { EntityManager } from '@mikro-orm/postgresql';
import { z } from 'zod';
import type { User } from '../../../db/entities/access/user.ts';
import { isMember, membersOf, memberTuple, putRelation, removeRelation } from '../../../db/queries/access/relations.ts';
import { findUser, findUsers, userStatus } from '../../../db/queries/access/users.ts';
import { pageWithin } from '../../../db/queries/pages.ts';
import { writeAudit } from '../../../db/queries/platform/audit.ts';
import { validationError } from '../../../domain/errors.ts';
import { allow } from '../../spine/access.ts';
import { route } from '../../spine/route.ts';
import { idParam, idReference, pageQuery, pageSchema, tokenSubject } from '../../spine/schemas.ts';
import { notFound } from '../../spine/validation.ts';
import { producerOfPath } from './producers.ts';

const facts = { tag: 'Producers', spec: 'Contract 2, 3.7', errors: [] } as const;
const params = z.strictObject({ id: idParam('producer') });
const one = z.strictObject({ id: idParam('producer'), userId: tokenSubject });
const entityType = 'producer';

const MemberSchema = z
  .strictObject({
    producerId: idReference('producer'),
    userId: tokenSubject,
    email: z.string().nullable().meta({ description: 'Null for a user who is not stored here.' }),
    name: z.string().nullable(),
    status: z.enum(['invited', 'active', 'deactivated']).nullable(),
  })
  .meta({ id: 'ProducerMember' });

const listMembers = route({
  ...facts,
  method: 'get',
  path: '/producers/:id/members',
  operationId: 'listProducerMembers',
  summary: 'List the users who act for a producer',
  description:
    'Members see and do what their role allows for the business of this producer. `status` is null for a user who is not stored here.',
  access: allow('producer_member:read', producerOfPath),
  params,
  query: z.strictObject(pageQuery),
  response: { status: 200, body: pageSchema('ProducerMember', MemberSchema) },
  handler: ({ row, query, db }) =>
    db.read(async (em) => {
      const { data, nextCursor } = pageWithin(await membersOf(em, row.id), query);
      const users = await findUsers(
        em,
        data.map(({ subjectId }) => subjectId),
      );
      return { data: data.map(({ subjectId }) => memberToWire(row.id, subjectId, users.get(subjectId))), nextCursor };
    }),
});

const getMember = route({
  ...facts,
  method: 'get',
  path: '/producers/:id/members/:userId',
  operationId: 'getProducerMember',
  summary: 'Read a user who acts for a producer',
  description:
    'The name and the e-mail address are there for users who are stored here. A user who does not act for the producer returns 404.',
  access: allow('producer_member:read', producerOfPath),
  params: one,
  response: { status: 200, body: MemberSchema },
  handler: ({ row: { id }, params: { userId }, db }) =>
    db.read(async (em) => {
      if (!(await isMember(em, id, userId))) throw notFound('member');
      return memberToWire(id, userId, (await findUser(em, userId)) ?? undefined);
    }),
});

const putMember = route({
  ...facts,
  method: 'put',
  path: '/producers/:id/members/:userId',
  operationId: 'addProducerMember',
  summary: 'Let a user act for a producer',
  description:
    'A new person is invited at `POST /users` with the producer. A stored user must be active and have the role producer. If the user is already a member, nothing changes.',
  access: allow('producer_member:manage', producerOfPath),
  params: one,
  response: { status: 200, body: MemberSchema },
  handler: ({ row: { id }, params: { userId }, actor, requestId, db }) =>
    db.transaction(async (em) => {
      const user = await memberToBe(em, userId);
      if (await putRelation(em, memberTuple(id, userId))) {
        const changes = { member: { before: null, after: userId } };
        writeAudit(em, { actor, action: 'producer_member:add', entityType, entityId: id, requestId, changes });
      }
      return memberToWire(id, userId, user ?? undefined);
    }),
});

const removeMember = route({
  ...facts,
  method: 'delete',
  path: '/producers/:id/members/:userId',
  operationId: 'removeProducerMember',
  summary: 'Stop a user from acting for a producer',
  description:
    "They lose access to the producer's business with their next request. Their account stays. A repeated call changes nothing.",
  access: allow('producer_member:manage', producerOfPath),
  params: one,
  response: { status: 204, body: null },
  handler: ({ row: { id }, params: { userId }, actor, requestId, db }) =>
    db.transaction(async (em) => {
      if (!(await removeRelation(em, memberTuple(id, userId)))) return;
      const changes = { member: { before: userId, after: null } };
      writeAudit(em, { actor, action: 'producer_member:remove', entityType, entityId: id, requestId, changes });
    }),
});

export const producerMemberRoutes = [listMembers, getMember, putMember, removeMember];

/** A user not stored here may belong to another directory. @throws DomainError validation_failed */
async function memberToBe(em: EntityManager, userId: string): Promise<User | null> {
  const user = await findUser(em, userId);
  if (user === null || (user.active && user.role === 'producer')) return user;
  throw validationError(
    'userId',
    'unknown_reference',
    'Only an active user with the role producer can act for a producer.',
  );
}

function memberToWire(producerId: string, userId: string, user: User | undefined) {
  if (user === undefined) return { producerId, userId, email: null, name: null, status: null };
  return { producerId, userId, email: user.email, name: user.name, status: userStatus(user) };
}
