// A conversation about a submission. `lastSequence` numbers its messages; only queries advance it.
import { defineEntity, p } from '@mikro-orm/core';
import type { CloseReason, DealRoomStatus } from '../../../domain/dealroom/deal-room.ts';
import {
  code,
  createdAtColumn,
  idColumn,
  instant,
  orgIdColumn,
  updatedAtColumn,
  versionColumn,
} from '../../columns.ts';

const DealRoomSchema = defineEntity({
  name: 'DealRoom',
  tableName: 'deal_rooms',
  properties: {
    id: idColumn('dealRoom'),
    orgId: orgIdColumn(),
    submissionId: p.text(),
    name: p.text(),
    status: code<DealRoomStatus>(),
    /** Null while it is open. */
    closeReason: code<CloseReason>().strictNullable(),
    closedAt: instant().strictNullable(),
    /** The id of the user who closed it; null if it closed with its submission. */
    closedBy: p.text().strictNullable(),
    createdBy: p.text(),
    lastSequence: p.integer().default(0),
    version: versionColumn(),
    createdAt: createdAtColumn(),
    updatedAt: updatedAtColumn(),
  },
});

export class DealRoom extends DealRoomSchema.class {}
DealRoomSchema.setClass(DealRoom);
