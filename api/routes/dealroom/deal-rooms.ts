// Deal rooms: list, create, detail, and lifecycle moves. Spec 4.11, Contract 3.7.
import type { EntityManager } from '@mikro-orm/postgresql';
import { DealRoom } from '../../../db/entities/dealroom/deal-room.ts';
import { newId } from '../../../db/ids.ts';
import { addRow } from '../../../db/new-rows.ts';
import {
  addParticipant,
  changeDealRoom,
  listDealRooms,
  type PeopledRoom,
} from '../../../db/queries/dealroom/deal-rooms.ts';
import { unreadMessages } from '../../../db/queries/dealroom/messages.ts';
import { writeAudit } from '../../../db/queries/platform/audit.ts';
import { findSubmission } from '../../../db/queries/submission/submissions.ts';
import { changedFields } from '../../../domain/audit.ts';
import {
  type DealRoomAction,
  nextDealRoomStatus,
  type ParticipantRole,
  seesInternal,
} from '../../../domain/dealroom/deal-room.ts';
import { validationError } from '../../../domain/errors.ts';
import { type Actor, visibility } from '../../../domain/permissions.ts';
import { allow } from '../../spine/access.ts';
import { entityTag, reply } from '../../spine/reply.ts';
import { route } from '../../spine/route.ts';
import { pageToWire } from '../../spine/schemas.ts';
import { dealRoomResource, entityType, lockedRoom, participantOf } from './deal-room-row.ts';
import {
  DealRoomCreateSchema,
  DealRoomDetailSchema,
  DealRoomListQuery,
  DealRoomPageSchema,
  DealRoomSchema,
  params,
} from './deal-rooms.schemas.ts';
import { dealRoomToWire } from './deal-rooms.wire.ts';
import { ensureMayTakePart } from './participants.ts';

const facts = { tag: 'Deal rooms', spec: '4.11, Contract 3.7' };
const path = '/deal-rooms';

const createDealRoom = route({
  ...facts,
  method: 'post',
  path,
  operationId: 'createDealRoom',
  summary: 'Open a deal room for a submission',
  description:
    'Only its participants, administrators and auditors can see it. It closes when the submission is bound or declined.',
  access: allow('deal_room:create'),
  body: DealRoomCreateSchema,
  response: { status: 201, body: DealRoomSchema },
  errors: [],
  handler: ({ body, actor, requestId, db, command }) => {
    const id = newId('dealRoom', command.seedUuid);
    return db.answer(async (em) => shown(await createRoom(em, { id, actor, requestId, ...body })));
  },
});

const listDealRoomsRoute = route({
  ...facts,
  method: 'get',
  path,
  operationId: 'listDealRooms',
  summary: 'List deal rooms',
  description:
    'You see the rooms that you take part in, and those that your role may read. Filter by status or submission.',
  access: allow('deal_room:read'),
  query: DealRoomListQuery,
  response: { status: 200, body: DealRoomPageSchema },
  errors: [],
  handler: async ({ query: { limit, cursor, ...filter }, actor, db }) => {
    const seen = { visibility: visibility(actor, 'deal_room:read'), ...filter };
    return pageToWire(await db.read((em) => listDealRooms(em, seen, { limit, cursor })), dealRoomToWire);
  },
});

const getDealRoom = route({
  ...facts,
  method: 'get',
  path: `${path}/:id`,
  operationId: 'getDealRoom',
  summary: 'Read a deal room',
  description: 'It shows the participants, and up to which message you have read. Messages are a list of their own.',
  access: allow('deal_room:read', dealRoomResource),
  params,
  response: { status: 200, body: DealRoomDetailSchema },
  errors: [],
  handler: async ({ row, actor, db }) => ({ ...dealRoomToWire(row), readMarker: await db.read(markerOf(row, actor)) }),
});

const closeDealRoom = moveRoute(
  'close',
  'Close a deal room',
  'Its messages can still be read, but nobody can post new ones. It can be reopened until it is archived.',
);
const archiveDealRoom = moveRoute(
  'archive',
  'Archive a closed deal room',
  'An archived room cannot be reopened. Its messages can still be read, and its participants no longer change.',
);
const reopenDealRoom = moveRoute(
  'reopen',
  'Reopen a closed deal room',
  'Participants can post messages again. An archived room returns 422.',
);

export const dealRoomRoutes = [
  createDealRoom,
  listDealRoomsRoute,
  getDealRoom,
  closeDealRoom,
  archiveDealRoom,
  reopenDealRoom,
];

interface NewRoom {
  id: string;
  submissionId: string;
  name?: string | undefined;
  participants: readonly { userId: string; role: ParticipantRole }[];
  actor: Actor;
  requestId: string;
}

/** @throws DomainError validation_failed for an unknown submission or for someone who cannot take part */
async function createRoom(em: EntityManager, { id, submissionId, actor, requestId, ...room }: NewRoom) {
  const submission = await findSubmission(em, submissionId);
  if (submission === null) {
    throw validationError('submissionId', 'unknown_reference', 'There is no such submission.');
  }
  const roles = new Map(room.participants.map(({ userId, role }) => [userId, role]));
  await ensureMayTakePart(em, [...roles.keys()], (index) => `participants.${index}.userId`);
  if (actor.kind === 'user') roles.set(actor.id, 'member');
  const made = addRow(em, DealRoom, {
    ...{ id, submissionId, name: room.name ?? submission.insuredName ?? 'Deal room', status: 'open' },
    ...{ closeReason: null, closedAt: null, closedBy: null, createdBy: actor.id, lastSequence: 0, version: 1 },
  });
  const participants = [...roles].map(([userId, role]) =>
    addParticipant(em, { dealRoomId: id, userId, role, addedBy: actor.id }),
  );
  const changes = changedFields(null, { submissionId, status: 'open', participants: participants.length });
  writeAudit(em, { actor, action: 'deal_room:create', entityType, entityId: id, requestId, changes });
  return { id, room: made, participants };
}

function moveRoute(action: DealRoomAction, summary: string, description: string) {
  return route({
    ...facts,
    method: 'post',
    path: `${path}/:id/${action}`,
    operationId: `${action}DealRoom`,
    summary,
    description,
    access: allow('deal_room:close', dealRoomResource),
    params,
    response: { status: 200, body: DealRoomSchema },
    errors: ['invalid_state_transition'],
    handler: ({ row: { id }, actor, requestId, db, deps, ensureUnchanged }) =>
      db.answer(async (em) => {
        const { room, participants } = await lockedRoom(em, id, actor, 'deal_room:close');
        ensureUnchanged(room);
        const status = nextDealRoomStatus(room.status, action);
        const changed = await changeDealRoom(em, room, { status, ...closing(action, actor, deps.now()) });
        const changes = changedFields({ status: room.status }, { status });
        writeAudit(em, { actor, action: `deal_room:${action}`, entityType, entityId: id, requestId, changes });
        return shown({ id, room: changed, participants });
      }),
  });
}

/** An archived room keeps how it was closed. */
function closing(action: DealRoomAction, actor: Actor, nowMs: number) {
  if (action === 'archive') return {};
  if (action === 'reopen') return { closeReason: null, closedAt: null, closedBy: null };
  return { closeReason: 'manual', closedAt: new Date(nowMs), closedBy: actor.id } as const;
}

function markerOf(row: PeopledRoom, actor: Actor) {
  return async (em: EntityManager) => {
    const own = participantOf(row, actor);
    if (own === null) return null;
    const unread = {
      dealRoomId: row.id,
      sequence: own.readSequence,
      internal: seesInternal(actor.role),
      userId: actor.id,
    };
    return { lastReadMessageId: own.readMessageId, unreadCount: await unreadMessages(em, unread) };
  };
}

function shown(row: PeopledRoom) {
  return reply({ body: dealRoomToWire(row), etag: entityTag(row.id, row.room.version) });
}
