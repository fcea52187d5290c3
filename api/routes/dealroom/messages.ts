// Deal room messages, and how far each participant has read. Spec 4.11, Contract 3.7.
import type { EntityManager } from '@mikro-orm/postgresql';
import { z } from 'zod';
import { newId } from '../../../db/ids.ts';
import { actingForProducers } from '../../../db/queries/access/producer-people.ts';
import { changeParticipant, findDealRoom } from '../../../db/queries/dealroom/deal-rooms.ts';
import { addMessage, findMessage, listMessages, unreadMessages } from '../../../db/queries/dealroom/messages.ts';
import { findDocument } from '../../../db/queries/document/documents.ts';
import { writeAudit } from '../../../db/queries/platform/audit.ts';
import { changedFields } from '../../../domain/audit.ts';
import {
  ensureMayWrite,
  ensureMentionable,
  ensureOpenForMessages,
  seesInternal,
} from '../../../domain/dealroom/deal-room.ts';
import { DomainError, validationError } from '../../../domain/errors.ts';
import { type Actor, may } from '../../../domain/permissions.ts';
import { documentFacts } from '../../../plans/authority/document-facts.ts';
import { allow } from '../../spine/access.ts';
import { route } from '../../spine/route.ts';
import { pageQuery, pageToWire } from '../../spine/schemas.ts';
import { present } from '../rows.ts';
import { dealRoomResource, entityType, lockedRoom, participantOf } from './deal-room-row.ts';
import {
  MessageCreateSchema,
  MessagePageSchema,
  MessageSchema,
  params,
  ReadMarkerAnswerSchema,
  ReadMarkerSchema,
} from './deal-rooms.schemas.ts';
import { messageToWire } from './deal-rooms.wire.ts';

const facts = { tag: 'Deal rooms', spec: '4.11, Contract 3.7', params };
const path = '/deal-rooms/:id/messages';

const listDealRoomMessages = route({
  ...facts,
  method: 'get',
  path,
  operationId: 'listDealRoomMessages',
  summary: 'List the messages of a deal room, newest first',
  description:
    'A producer sees no internal message. Read the latest page again, or open the socket of the room, to get new ones.',
  access: allow('deal_room:read', dealRoomResource),
  query: z.strictObject(pageQuery),
  response: { status: 200, body: MessagePageSchema },
  errors: [],
  handler: async ({ row: { id }, query, actor, db }) => {
    const seen = { dealRoomId: id, internal: seesInternal(actor.role) };
    return pageToWire(await db.read((em) => listMessages(em, seen, query)), messageToWire);
  },
});

const postDealRoomMessage = route({
  ...facts,
  method: 'post',
  path,
  operationId: 'postDealRoomMessage',
  summary: 'Post a message in a deal room',
  description:
    'Every open socket to the room that may see it gets it within a second. A room that is closed or archived returns 422.',
  access: allow('deal_room:post', dealRoomResource),
  rateLimit: 'message',
  body: MessageCreateSchema,
  response: { status: 201, body: MessageSchema },
  errors: ['deal_room_closed'],
  handler: ({ row, body, actor, requestId, db, command }) => {
    ensureMayWrite(body.visibility, actor.role);
    const id = newId('message', command.seedUuid);
    return db.answer(async (em) => {
      const room = await lockedRoom(em, row.id, actor, 'deal_room:post');
      ensureOpenForMessages(room.room.status);
      const participants = new Set(room.participants.map(({ userId }) => userId));
      const isInternal = body.visibility === 'internal';
      const outsiders = isInternal ? await actingForProducers(em, body.mentions) : new Set<string>();
      ensureMentionable(body.mentions, { participants, outsiders });
      await ensureReadable(em, body.documentIds, actor);
      const author = { authorKind: actor.kind, authorId: actor.id, authorRole: actor.role };
      const changes = changedFields(null, { messageId: id, visibility: body.visibility });
      writeAudit(em, { actor, action: 'deal_room:post', entityType, entityId: row.id, requestId, changes });
      return messageToWire(await addMessage(em, { id, dealRoomId: row.id, ...author, ...body }));
    });
  },
});

const markDealRoomRead = route({
  ...facts,
  method: 'put',
  path: '/deal-rooms/:id/read-marker',
  operationId: 'markDealRoomRead',
  summary: 'Record how far you have read in a deal room',
  description: 'The marker only moves forward. The response counts the messages that you have not read.',
  access: allow('deal_room:mark_read', dealRoomResource),
  body: ReadMarkerSchema,
  response: { status: 200, body: ReadMarkerAnswerSchema },
  errors: [],
  handler: ({ row, body: { messageId }, actor, db }) =>
    db.transaction(async (em) => {
      const internal = seesInternal(actor.role);
      const read = await findMessage(em, { dealRoomId: row.id, id: messageId, internal });
      if (read === null) throw validationError('messageId', 'unknown_reference', 'The deal room has no such message.');
      const own = participantOf(present(await findDealRoom(em, row.id)), actor);
      if (own === null) throw noParticipant();
      const isFurther = read.sequence > own.readSequence;
      if (isFurther) await changeParticipant(em, own, { readMessageId: read.id, readSequence: read.sequence });
      const sequence = Math.max(read.sequence, own.readSequence);
      const unread = { dealRoomId: row.id, sequence, internal, userId: actor.id };
      const lastReadMessageId = isFurther ? read.id : own.readMessageId;
      return { lastReadMessageId, unreadCount: await unreadMessages(em, unread) };
    }),
});

export const dealRoomMessageRoutes = [listDealRoomMessages, postDealRoomMessage, markDealRoomRead];

/** @throws DomainError validation_failed for a document that the author cannot read */
async function ensureReadable(em: EntityManager, documentIds: readonly string[], actor: Actor): Promise<void> {
  for (const [index, id] of documentIds.entries()) {
    const document = await findDocument(em, id);
    if (document !== null && may(actor, 'document:read', await documentFacts(em, document))) continue;
    throw validationError(`documentIds.${index}`, 'unknown_reference', 'There is no such document.');
  }
}

function noParticipant(): DomainError {
  const message = 'Only a participant can have a read marker.';
  return new DomainError('forbidden', message, { permission: 'deal_room:mark_read' });
}
