// A deal room participant: what the tuple `deal_room:d#participant@user:u` does not say. It has the tuple's id and is
// deleted with it.
import { defineEntity, p } from '@mikro-orm/core';
import type { ParticipantRole } from '../../../domain/dealroom/deal-room.ts';
import { code, createdAtColumn, idColumn, orgIdColumn, updatedAtColumn } from '../../columns.ts';

const DealRoomParticipantSchema = defineEntity({
  name: 'DealRoomParticipant',
  tableName: 'deal_room_participants',
  properties: {
    id: idColumn('relation'),
    orgId: orgIdColumn(),
    dealRoomId: p.text(),
    /** Any subject of a token, stored or not. */
    userId: p.text(),
    role: code<ParticipantRole>(),
    addedBy: p.text(),
    /** The last message they read; null and 0 before the first. */
    readMessageId: p.text().strictNullable(),
    readSequence: p.integer().default(0),
    createdAt: createdAtColumn(),
    updatedAt: updatedAtColumn(),
  },
});

export class DealRoomParticipant extends DealRoomParticipantSchema.class {}
DealRoomParticipantSchema.setClass(DealRoomParticipant);
