// Maps deal rooms and their messages from rows to the wire. Pure. Contract 3.7.
import type { DealRoomMessage } from '../../../db/entities/dealroom/deal-room-message.ts';
import type { DealRoomParticipant } from '../../../db/entities/dealroom/deal-room-participant.ts';
import type { PeopledRoom } from '../../../db/queries/dealroom/deal-rooms.ts';
import { instantOrNull, instantToWire } from '../billing/charges.wire.ts';
import type { DealRoomWire, MessageWire, ParticipantWire } from './deal-rooms.schemas.ts';

/** Returns a room with its participants. */
export function dealRoomToWire({ room, participants }: PeopledRoom): DealRoomWire {
  const { id, orgId, submissionId, name, status, closeReason, closedBy, createdBy, version } = room;
  return {
    ...{ id, orgId, submissionId, name, status, closeReason },
    closedAt: instantOrNull(room.closedAt),
    ...{ closedBy, createdBy },
    participants: participants.map(participantToWire),
    version,
    createdAt: instantToWire(room.createdAt),
    updatedAt: instantToWire(room.updatedAt),
  };
}

/** Returns a participant. */
export function participantToWire({ userId, role, addedBy, createdAt }: DealRoomParticipant): ParticipantWire {
  return { userId, role, addedBy, addedAt: instantToWire(createdAt) };
}

/** Returns a message, which never changes. */
export function messageToWire(message: Readonly<DealRoomMessage>): MessageWire {
  const { id, orgId, dealRoomId, authorId, authorKind, authorRole, body, visibility, mentions, documentIds } = message;
  const createdAt = instantToWire(message.createdAt);
  return {
    ...{ id, orgId, dealRoomId, authorId, authorKind, authorRole, body, visibility, mentions, documentIds },
    ...{ createdAt, updatedAt: createdAt },
  };
}
