// Queries on deal rooms and their participants.
import { type FilterQuery, raw } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { ParticipantRole } from '../../../domain/dealroom/deal-room.ts';
import type { Visibility } from '../../../domain/permissions.ts';
import { DealRoom } from '../../entities/dealroom/deal-room.ts';
import { DealRoomParticipant } from '../../entities/dealroom/deal-room-participant.ts';
import { addRow } from '../../new-rows.ts';
import { changeRow, lockRow, readRow, readRows } from '../../plain-table.ts';
import { onOneConnection } from '../../prepared.ts';
import { dropRelation, writeRelation } from '../access/relations.ts';
import { equalTo, type Page, type PageRequest, pageOf } from '../pages.ts';

/** A room and its participants, in order of joining. */
export interface PeopledRoom {
  id: string;
  room: Readonly<DealRoom>;
  participants: readonly Readonly<DealRoomParticipant>[];
}

export interface DealRoomFilter {
  visibility: Visibility;
  status?: string;
  submissionId?: string;
}

/** Reads a room of the organization with its participants, or null. */
export function findDealRoom(em: EntityManager, id: string): Promise<PeopledRoom | null> {
  return onOneConnection(em, async (own) => {
    const [room, participants] = await Promise.all([readRow(own, DealRoom, id), participantsOf(own, id)]);
    return room && { id, room, participants };
  });
}

/** Reads a room like `findDealRoom` and locks its row until the transaction ends, so that no one joins or leaves. */
export async function lockDealRoom(em: EntityManager, id: string): Promise<PeopledRoom | null> {
  const room = await lockRow(em, DealRoom, id);
  return room && { id, room, participants: await participantsOf(em, id) };
}

/** Writes changes to a locked room. Without any, only bumps its version: its participants have changed. */
export function changeDealRoom(
  em: EntityManager,
  room: Readonly<DealRoom>,
  changes: Partial<Pick<DealRoom, 'status' | 'closeReason' | 'closedAt' | 'closedBy'>> = {},
): Promise<Readonly<DealRoom>> {
  return changeRow(em, DealRoom, room, { status: room.status, ...changes });
}

/**
 * Reads a page of rooms, newest first.
 * @throws DomainError validation_failed for a bad cursor
 */
export async function listDealRooms(
  em: EntityManager,
  { visibility, status, submissionId }: DealRoomFilter,
  page: PageRequest,
): Promise<Page<PeopledRoom>> {
  const { data, nextCursor } = await pageOf(
    em,
    DealRoom,
    [seenBy(visibility), equalTo({ status, submissionId })],
    page,
  );
  const rows = await em.find(
    DealRoomParticipant,
    { dealRoomId: { $in: data.map(({ id }) => id) } },
    { orderBy: { id: 'asc' } },
  );
  const byRoom = Map.groupBy(rows, ({ dealRoomId }) => dealRoomId);
  return { data: data.map((room) => ({ id: room.id, room, participants: byRoom.get(room.id) ?? [] })), nextCursor };
}

/** Adds a participant to the transaction, as a tuple and as a row. */
export function addParticipant(
  em: EntityManager,
  { dealRoomId, userId, role, addedBy }: { dealRoomId: string; userId: string; role: ParticipantRole; addedBy: string },
): DealRoomParticipant {
  const { id } = writeRelation(em, participantTuple(dealRoomId, userId));
  const unread = { readMessageId: null, readSequence: 0 } as const;
  return addRow(em, DealRoomParticipant, { id, dealRoomId, userId, role, addedBy, ...unread });
}

/** Removes a participant immediately; the row goes with the tuple. */
export function removeParticipant(em: EntityManager, dealRoomId: string, userId: string): Promise<void> {
  return dropRelation(em, participantTuple(dealRoomId, userId));
}

/** Writes changes to a participant immediately. */
export async function changeParticipant(
  em: EntityManager,
  { id }: Pick<DealRoomParticipant, 'id'>,
  changes: Partial<Pick<DealRoomParticipant, 'role' | 'readMessageId' | 'readSequence'>>,
): Promise<void> {
  await em.nativeUpdate(DealRoomParticipant, { id }, { ...changes, updatedAt: new Date() });
}

function participantsOf(em: EntityManager, dealRoomId: string): Promise<Readonly<DealRoomParticipant>[]> {
  return readRows(em, DealRoomParticipant, 'org_id = $1 and deal_room_id = $2 order by id', [dealRoomId]);
}

function participantTuple(dealRoomId: string, userId: string) {
  const subject = { subjectType: 'user', subjectId: userId };
  return { objectType: 'deal_room', objectId: dealRoomId, relation: 'participant', ...subject };
}

function seenBy(visibility: Visibility): FilterQuery<DealRoom> | null {
  if (visibility.kind === 'all') return {};
  if (visibility.kind !== 'participant') return null;
  const takesPart = raw(
    (alias) => `exists (select from deal_room_participants p where p.org_id = ${alias}.org_id
      and p.deal_room_id = ${alias}.id and p.user_id = ?)`,
    [visibility.userId],
  );
  return { [takesPart]: [] } as FilterQuery<DealRoom>;
}
