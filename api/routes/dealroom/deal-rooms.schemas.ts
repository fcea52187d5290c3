// The shapes of deal rooms and their messages on the wire. Spec 4.11, Contract 3.7.
import { z } from 'zod';
import {
  CLOSE_REASONS,
  DEAL_ROOM_STATUSES,
  MESSAGE_VISIBILITIES,
  PARTICIPANT_ROLES,
} from '../../../domain/dealroom/deal-room.ts';
import { DEAL_ROOM_MESSAGE_MAX_CHARACTERS, DEAL_ROOM_PARTICIPANTS_MAX } from '../../../domain/limits.ts';
import { ROLES } from '../../../domain/permissions.ts';
import {
  actorId,
  businessText,
  idParam,
  idReference,
  instant,
  pageQuery,
  pageSchema,
  tokenSubject,
} from '../../spine/schemas.ts';

const MESSAGE_REFERENCES_MAX = 20;

const userId = tokenSubject.meta({ description: 'The `sub` of their token.' });
const role = z.enum(PARTICIPANT_ROLES).meta({ description: 'A member reads and posts; an observer only reads.' });
const visibility = z.enum(MESSAGE_VISIBILITIES).meta({ description: 'Producers see no `internal` message.' });

export const ParticipantWriteSchema = z
  .strictObject({ userId, role: role.default('member') })
  .meta({ id: 'DealRoomParticipantWrite' });

export const ParticipantChangesSchema = z.strictObject({ role }).meta({ id: 'DealRoomParticipantChanges' });

export const DealRoomCreateSchema = z
  .strictObject({
    submissionId: idReference('submission'),
    name: businessText.optional().meta({ description: 'By default the name of the insured.' }),
    participants: z
      .array(ParticipantWriteSchema)
      .max(DEAL_ROOM_PARTICIPANTS_MAX)
      .refine((all) => new Set(all.map((each) => each.userId)).size === all.length, {
        ...{ error: 'Each participant must be listed once.', params: { rule: 'format' } },
      })
      .meta({ description: 'A user who creates the room takes part in it without being named.' }),
  })
  .meta({ id: 'DealRoomCreate' });

export const ParticipantSchema = z
  .strictObject({ userId: tokenSubject, role, addedBy: actorId, addedAt: instant })
  .meta({ id: 'DealRoomParticipant' });

const roomFields = {
  id: idReference('dealRoom'),
  orgId: idReference('organization'),
  submissionId: idReference('submission'),
  name: z.string(),
  status: z.enum(DEAL_ROOM_STATUSES),
  closeReason: z.enum(CLOSE_REASONS).nullable(),
  closedAt: instant.nullable(),
  closedBy: actorId.nullable().meta({ description: 'Null for a room that closed with its submission.' }),
  createdBy: actorId,
  participants: z.array(ParticipantSchema),
  version: z.int(),
  createdAt: instant,
  updatedAt: instant,
};

const markFields = {
  lastReadMessageId: idReference('message').nullable(),
  unreadCount: z.int().meta({ description: 'Messages by others after the last one that the caller has read.' }),
};

export const DealRoomSchema = z.strictObject(roomFields).meta({ id: 'DealRoom' });
export const DealRoomPageSchema = pageSchema('DealRoom', DealRoomSchema);
export const DealRoomDetailSchema = z
  .strictObject({
    ...roomFields,
    readMarker: z
      .strictObject(markFields)
      .nullable()
      .meta({ description: "The caller's own; null for somebody who does not take part." }),
  })
  .meta({ id: 'DealRoomDetail' });

export const DealRoomListQuery = z.strictObject({
  ...pageQuery,
  status: z.enum(DEAL_ROOM_STATUSES).optional(),
  submissionId: idReference('submission').optional(),
});

/** Multi-line text: control characters other than line feed are rejected. */
const body = z
  .string()
  .trim()
  .min(1)
  .max(DEAL_ROOM_MESSAGE_MAX_CHARACTERS)
  .refine((value) => /^(?:\P{Cc}|\n)*$/u.test(value), {
    error: 'Text must not contain control characters other than line feeds.',
    params: { rule: 'format' },
  })
  .refine((value) => value.isWellFormed(), { error: 'Text must be valid Unicode.', params: { rule: 'format' } });

export const MessageCreateSchema = z
  .strictObject({
    body,
    visibility: visibility.default('all'),
    mentions: z
      .array(userId)
      .max(MESSAGE_REFERENCES_MAX)
      .default([])
      .meta({ description: 'Participants of the room whose attention the message needs.' }),
    documentIds: z.array(idReference('document')).max(MESSAGE_REFERENCES_MAX).default([]).meta({
      description: 'Documents that the message refers to. Reading them requires permission to read documents.',
    }),
  })
  .meta({ id: 'DealRoomMessageCreate' });

export const MessageSchema = z
  .strictObject({
    id: idReference('message'),
    orgId: idReference('organization'),
    dealRoomId: idReference('dealRoom'),
    authorId: tokenSubject,
    authorKind: z.enum(['user', 'api_key', 'machine']),
    authorRole: z.enum(ROLES),
    body: z.string(),
    visibility,
    mentions: z.array(z.string()),
    documentIds: z.array(idReference('document')),
    createdAt: instant,
    updatedAt: instant,
  })
  .meta({ id: 'DealRoomMessage' });
export const MessagePageSchema = pageSchema('DealRoomMessage', MessageSchema);

export const ReadMarkerSchema = z
  .strictObject({ messageId: idReference('message') })
  .meta({ id: 'DealRoomReadMarkerWrite' });
export const ReadMarkerAnswerSchema = z.strictObject(markFields).meta({ id: 'DealRoomReadMarker' });

export const params = z.strictObject({ id: idParam('dealRoom') });
export const participantParams = z.strictObject({ id: idParam('dealRoom'), userId });

export type DealRoomWire = z.infer<typeof DealRoomSchema>;
export type ParticipantWire = z.infer<typeof ParticipantSchema>;
export type MessageWire = z.infer<typeof MessageSchema>;
