// Queries on deal room messages. They are ordered by number, which is commit order.
import type { EntityManager, RequiredEntityData } from '@mikro-orm/postgresql';
import { DealRoomMessage } from '../../entities/dealroom/deal-room-message.ts';
import { addRow } from '../../new-rows.ts';
import { readRow, readRows } from '../../plain-table.ts';
import { preparedRows } from '../../prepared.ts';
import { organizationOf } from '../../scope.ts';
import { badCursor, cutPage, type Page, type PageRequest, readCursor } from '../pages.ts';

const NEXT_SEQUENCE = {
  name: 'next message of a deal room',
  text: `update deal_rooms set last_sequence = last_sequence + 1 where org_id = $1 and id = $2
    returning last_sequence as sequence`,
};

const UNREAD = {
  name: 'unread messages of a deal room',
  text: `select count(*)::int as unread from deal_room_messages
    where org_id = $1 and deal_room_id = $2 and sequence > $3 and ($4 or visibility = 'all') and author_id <> $5`,
};

/** Adds a message to the transaction and gives it the next number of the room, whose row stays locked. */
export async function addMessage(
  em: EntityManager,
  message: Omit<RequiredEntityData<DealRoomMessage>, 'sequence'> & { dealRoomId: string },
): Promise<DealRoomMessage> {
  const values = [organizationOf(em), message.dealRoomId];
  const [next] = await preparedRows<{ sequence: number }>(em, NEXT_SEQUENCE, values);
  if (!next) throw new TypeError('The deal room of a message is locked');
  return addRow(em, DealRoomMessage, { ...message, sequence: next.sequence } as RequiredEntityData<DealRoomMessage>);
}

/** Reads a message of a room, or null; an internal one only for those who see internal messages. */
export async function findMessage(
  em: EntityManager,
  { dealRoomId, id, internal }: { dealRoomId: string; id: string; internal: boolean },
): Promise<Readonly<DealRoomMessage> | null> {
  const message = await readRow(em, DealRoomMessage, id);
  if (message?.dealRoomId !== dealRoomId) return null;
  return internal || message.visibility === 'all' ? message : null;
}

/**
 * Reads a page of a room's messages, newest first.
 * @throws DomainError validation_failed for a bad cursor
 */
export async function listMessages(
  em: EntityManager,
  { dealRoomId, internal }: { dealRoomId: string; internal: boolean },
  { limit, cursor }: PageRequest,
): Promise<Page<Readonly<DealRoomMessage>>> {
  const from = cursor ? await findMessage(em, { dealRoomId, id: readCursor(cursor), internal }) : null;
  if (cursor && from === null) throw badCursor();
  const rows = await readRows(
    em,
    DealRoomMessage,
    `org_id = $1 and deal_room_id = $2 and ($3 or visibility = 'all') and sequence < $4
      order by sequence desc limit $5`,
    [dealRoomId, internal, from?.sequence ?? 2 ** 31 - 1, limit + 1],
  );
  return cutPage(rows, limit);
}

/** Reads the messages of a room after a number, including internal ones, oldest first. */
export function messagesAfter(
  em: EntityManager,
  { dealRoomId, sequence, limit }: { dealRoomId: string; sequence: number; limit: number },
): Promise<Readonly<DealRoomMessage>[]> {
  return readRows(
    em,
    DealRoomMessage,
    'org_id = $1 and deal_room_id = $2 and sequence > $3 order by sequence limit $4',
    [dealRoomId, sequence, limit],
  );
}

/** Counts the messages by others that a user has not read. */
export async function unreadMessages(
  em: EntityManager,
  {
    dealRoomId,
    sequence,
    internal,
    userId,
  }: { dealRoomId: string; sequence: number; internal: boolean; userId: string },
): Promise<number> {
  const values = [organizationOf(em), dealRoomId, sequence, internal, userId];
  const [row] = await preparedRows<{ unread: number }>(em, UNREAD, values);
  return row?.unread ?? 0;
}
