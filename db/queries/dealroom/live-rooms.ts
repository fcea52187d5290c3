// What decides whether an open socket may stay open, read for many sockets together: the rooms, the users of the
// tokens, and the API keys.
import type { EntityManager } from '@mikro-orm/postgresql';
import { isStillEntitled, type KeyReach } from '../../../domain/access/key-makers.ts';
import { ApiKey } from '../../entities/access/api-key.ts';
import { preparedRows } from '../../prepared.ts';
import { organizationOf } from '../../scope.ts';
import { makerStandings } from '../access/api-keys.ts';

/** A room as its sockets see it. */
export interface RoomState {
  id: string;
  lastSequence: number;
  participantIds: string[];
}

const STATES = {
  name: 'states of live deal rooms',
  text: `select r.id, r.last_sequence as "lastSequence", array(
      select p.user_id from deal_room_participants p where p.org_id = r.org_id and p.deal_room_id = r.id
    ) as "participantIds"
    from deal_rooms r where r.org_id = $1 and r.id = any($2::text[])`,
};

/** Reads the rooms of these ids that exist. */
export async function roomStates(em: EntityManager, ids: readonly string[]): Promise<Map<string, RoomState>> {
  const rows = await preparedRows<RoomState>(em, STATES, [organizationOf(em), ids]);
  return new Map(rows.map((row) => [row.id, row]));
}

/** Returns the API keys among these that are still valid. */
export async function liveKeys(em: EntityManager, ids: readonly string[], nowMs: number): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const keys = await em.find(ApiKey, { id: { $in: [...ids] }, revokedAt: null });
  const makers = await makerStandings(
    em,
    keys.map(({ createdBy }) => createdBy),
  );
  const alive = keys.filter(
    (key) =>
      (key.expiresAt === null || key.expiresAt.getTime() > nowMs) &&
      isStillEntitled(key as KeyReach, makers.get(key.createdBy) ?? []),
  );
  return new Set(alive.map(({ id }) => id));
}
