// Deal room participants: add, change role, remove. Contract 2 "Permissions", 3.7.
import type { EntityManager } from '@mikro-orm/postgresql';
import { User } from '../../../db/entities/access/user.ts';
import type { DealRoomParticipant } from '../../../db/entities/dealroom/deal-room-participant.ts';
import {
  addParticipant,
  changeDealRoom,
  changeParticipant,
  type PeopledRoom,
  removeParticipant,
} from '../../../db/queries/dealroom/deal-rooms.ts';
import { writeAudit } from '../../../db/queries/platform/audit.ts';
import { changedFields } from '../../../domain/audit.ts';
import { ensureParticipantsMayChange, mayTakePart } from '../../../domain/dealroom/deal-room.ts';
import { DomainError, validationError } from '../../../domain/errors.ts';
import { DEAL_ROOM_PARTICIPANTS_MAX } from '../../../domain/limits.ts';
import type { Actor } from '../../../domain/permissions.ts';
import { allow } from '../../spine/access.ts';
import { type OrganizationDatabase, route } from '../../spine/route.ts';
import { notFound } from '../../spine/validation.ts';
import { dealRoomResource, entityType, lockedRoom } from './deal-room-row.ts';
import {
  ParticipantChangesSchema,
  ParticipantSchema,
  ParticipantWriteSchema,
  params,
  participantParams,
} from './deal-rooms.schemas.ts';
import { participantToWire } from './deal-rooms.wire.ts';

const facts = { tag: 'Deal rooms', spec: 'Contract 3.7', access: allow('deal_room:manage', dealRoomResource) };
const path = '/deal-rooms/:id/participants';

const addDealRoomParticipant = route({
  ...facts,
  method: 'post',
  path,
  operationId: 'addDealRoomParticipant',
  summary: 'Add a participant to a deal room',
  description:
    'They see all earlier messages; a producer does not see internal ones. A closed room takes new participants too; an archived one does not.',
  params,
  body: ParticipantWriteSchema,
  response: { status: 201, body: ParticipantSchema },
  errors: ['already_exists', 'deal_room_closed', 'limit_exhausted'],
  handler: ({ row, body: { userId, role }, actor, requestId, db, ensureUnchanged }) =>
    changed({ id: row.id, actor, requestId, db, ensureUnchanged }, userId, async (em, { participants }, known) => {
      if (known) throw new DomainError('already_exists', 'This user already takes part in the deal room.', { userId });
      if (participants.length >= DEAL_ROOM_PARTICIPANTS_MAX) throw full();
      await ensureMayTakePart(em, [userId], () => 'userId');
      return addParticipant(em, { dealRoomId: row.id, userId, role, addedBy: actor.id });
    }),
});

const changeDealRoomParticipant = route({
  ...facts,
  method: 'patch',
  path: `${path}/:userId`,
  operationId: 'changeDealRoomParticipant',
  summary: 'Change the role of a participant of a deal room',
  description:
    'A member may write messages; an observer may only read them. For a user who does not take part, the call returns 404.',
  params: participantParams,
  body: ParticipantChangesSchema,
  response: { status: 200, body: ParticipantSchema },
  errors: ['deal_room_closed'],
  handler: ({ row, params: { userId }, body: { role }, actor, requestId, db, ensureUnchanged }) =>
    changed({ id: row.id, actor, requestId, db, ensureUnchanged }, userId, async (em, _room, known) => {
      if (!known) throw notFound('participant');
      await changeParticipant(em, known, { role });
      return { ...known, role };
    }),
});

const removeDealRoomParticipant = route({
  ...facts,
  method: 'delete',
  path: `${path}/:userId`,
  operationId: 'removeDealRoomParticipant',
  summary: 'Remove a participant from a deal room',
  description:
    'Their open sockets to the room are closed. Their messages stay in the room. A repeated call changes nothing.',
  params: participantParams,
  response: { status: 204, body: null },
  errors: ['deal_room_closed'],
  handler: async ({ row, params: { userId }, actor, requestId, db, ensureUnchanged }) => {
    await changed({ id: row.id, actor, requestId, db, ensureUnchanged }, userId, async (em, { id }, known) => {
      if (known) await removeParticipant(em, id, userId);
      return null;
    });
  },
});

export const dealRoomParticipantRoutes = [addDealRoomParticipant, changeDealRoomParticipant, removeDealRoomParticipant];

/**
 * Rejects people who could not enter a room. A user not stored here may be known to the signer of their token; a stored
 * user must be active and have a role that uses deal rooms.
 * @throws DomainError validation_failed (unknown_reference) on the field that `fieldOf` names
 */
export async function ensureMayTakePart(
  em: EntityManager,
  userIds: readonly string[],
  fieldOf: (index: number) => string,
): Promise<void> {
  const users = await em.find(User, { id: { $in: [...userIds] } });
  const barred = users.find((user) => !mayTakePart(user));
  if (!barred) return;
  const field = fieldOf(userIds.indexOf(barred.id));
  throw validationError(field, 'unknown_reference', 'This user cannot take part in a deal room.');
}

interface Change {
  id: string;
  actor: Actor;
  requestId: string;
  db: OrganizationDatabase;
  ensureUnchanged: (row: { id: string; version: number }) => void;
}

type Deed<After> = (
  em: EntityManager,
  room: PeopledRoom,
  known: Readonly<DealRoomParticipant> | undefined,
) => Promise<After>;

/**
 * Changes one participant of a locked room, bumps its version, and responds with the participant. Someone who neither
 * was nor becomes a participant leaves the room unchanged.
 */
function changed(call: Change, userId: string, deed: Deed<Readonly<DealRoomParticipant> | null>) {
  const { id, actor, requestId, db, ensureUnchanged } = call;
  return db.transaction(async (em) => {
    const locked = await lockedRoom(em, id, actor, 'deal_room:manage');
    ensureUnchanged(locked.room);
    ensureParticipantsMayChange(locked.room.status);
    const known = locked.participants.find((each) => each.userId === userId);
    const after = await deed(em, locked, known);
    if (!known && after === null) return null;
    await changeDealRoom(em, locked.room);
    const changes = changedFields(
      { participant: known ? userId : null, role: known?.role ?? null },
      { participant: after ? userId : null, role: after?.role ?? null },
    );
    writeAudit(em, { actor, action: 'deal_room:manage', entityType, entityId: id, requestId, changes });
    return after && participantToWire(after);
  });
}

function full(): DomainError {
  const message = `A deal room can have at most ${DEAL_ROOM_PARTICIPANTS_MAX} participants.`;
  return new DomainError('limit_exhausted', message, { limit: DEAL_ROOM_PARTICIPANTS_MAX });
}
