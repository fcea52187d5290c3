// Shared by the deal room operations: who may call them, and how a room is changed under its lock.
import type { EntityManager } from '@mikro-orm/postgresql';
import type { DealRoomParticipant } from '../../../db/entities/dealroom/deal-room-participant.ts';
import { findDealRoom, lockDealRoom, type PeopledRoom } from '../../../db/queries/dealroom/deal-rooms.ts';
import { type Action, type Actor, ensureMay, type ResourceFacts } from '../../../domain/permissions.ts';
import type { Resource } from '../../spine/access.ts';
import { present } from '../rows.ts';

export const entityType = 'deal_room';

export const dealRoomResource: Resource<PeopledRoom> = {
  name: entityType,
  load: findDealRoom,
  facts: dealRoomFacts,
  version: ({ room }) => room.version,
};

/**
 * Locks a room and re-checks whether the actor may do it: they may have been removed since.
 * @throws DomainError forbidden
 */
export async function lockedRoom(em: EntityManager, id: string, actor: Actor, action: Action): Promise<PeopledRoom> {
  const found = present(await lockDealRoom(em, id));
  ensureMay(actor, action, dealRoomFacts(found));
  return found;
}

/** The actor's participant, or null. Only people take part. */
export function participantOf({ participants }: PeopledRoom, actor: Actor): Readonly<DealRoomParticipant> | null {
  if (actor.kind !== 'user') return null;
  return participants.find(({ userId }) => userId === actor.id) ?? null;
}

function dealRoomFacts({ room, participants }: PeopledRoom): ResourceFacts {
  return {
    orgId: room.orgId,
    participantIds: participants.map(({ userId }) => userId),
    observerIds: participants.filter(({ role }) => role === 'observer').map(({ userId }) => userId),
  };
}
