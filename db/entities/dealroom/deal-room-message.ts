// A message in a deal room. Written once; its number in the room is its commit order.
import { defineEntity, p } from '@mikro-orm/core';
import type { MessageVisibility } from '../../../domain/dealroom/deal-room.ts';
import type { ActorRef } from '../../../domain/permissions.ts';
import { code, createdAtColumn, idColumn, json, orgIdColumn } from '../../columns.ts';

const DealRoomMessageSchema = defineEntity({
  name: 'DealRoomMessage',
  tableName: 'deal_room_messages',
  properties: {
    id: idColumn('message'),
    orgId: orgIdColumn(),
    dealRoomId: p.text(),
    /** From 1, without gaps. It is never shown: gaps would reveal internal messages to a producer. */
    sequence: p.integer(),
    authorKind: code<ActorRef['kind']>(),
    authorId: p.text(),
    authorRole: code<ActorRef['role']>(),
    visibility: code<MessageVisibility>(),
    body: p.text(),
    /** User ids. */
    mentions: json<string[]>(),
    documentIds: json<string[]>(),
    createdAt: createdAtColumn(),
  },
});

export class DealRoomMessage extends DealRoomMessageSchema.class {}
DealRoomMessageSchema.setClass(DealRoomMessage);
