// Whether open sockets may stay open: each is re-checked against the current rows, as a request would be.
import type { EntityManager } from '@mikro-orm/postgresql';
import { userStandings } from '../../db/queries/access/users.ts';
import { liveKeys, roomStates } from '../../db/queries/dealroom/live-rooms.ts';
import { refusalByStanding } from '../../domain/access/standing.ts';
import { type Actor, may } from '../../domain/permissions.ts';
import type { CredentialFacts } from '../credentials/caller.ts';

/** The receiver of a socket. */
export interface Receiver {
  actor: Actor;
  credential: CredentialFacts;
}

/** Why a socket is closed; codes from 4000 up are the platform's own. */
export const CUTS = {
  credential_ended: 4401,
  not_a_participant: 4403,
  idle: 4408,
  too_many_frames: 1008,
  going_away: 1001,
} as const;
export type Cut = keyof typeof CUTS;

interface Reading {
  roomId: string;
  receiver: Receiver;
}

export interface Rights {
  /** Why a receiver must stop reading; null if they may continue. */
  cutOf: (reading: Reading) => Cut | null;
  /** The number of the last message of a room; 0 for one that is gone. */
  lastSequenceOf: (roomId: string) => number;
}

/** Reads whose tokens are no longer valid; the receivers may be in any organization. */
export async function readStandings(
  em: EntityManager,
  receivers: readonly Receiver[],
): Promise<(receiver: Receiver) => boolean> {
  const standings = await userStandings(
    em,
    receivers.flatMap(({ credential }) => credential.holder?.subject ?? []),
  );
  return ({ credential: { holder } }) => {
    const standing = holder && standings.get(holder.subject);
    return holder !== null && standing ? refusalByStanding(standing, holder) !== null : false;
  };
}

/** Reads the current rights of these receivers, all of one organization. */
export async function readRights(em: EntityManager, readings: readonly Reading[], nowMs: number): Promise<Rights> {
  const keyIds = readings.flatMap(({ receiver: { actor } }) => (actor.kind === 'api_key' ? actor.id : []));
  const rooms = await roomStates(em, [...new Set(readings.map(({ roomId }) => roomId))]);
  const isUserOver = await readStandings(
    em,
    readings.map(({ receiver }) => receiver),
  );
  const keys = await liveKeys(em, [...new Set(keyIds)], nowMs);
  const isOver = (receiver: Receiver) => {
    const { kind, id } = receiver.actor;
    return kind === 'api_key' ? !keys.has(id) : isUserOver(receiver);
  };
  return {
    cutOf: ({ roomId, receiver }) => {
      if (isOver(receiver)) return 'credential_ended';
      const participantIds = rooms.get(roomId)?.participantIds;
      const facts = participantIds && { orgId: receiver.actor.orgId, participantIds };
      return facts && may(receiver.actor, 'deal_room:read', facts) ? null : 'not_a_participant';
    },
    lastSequenceOf: (roomId) => rooms.get(roomId)?.lastSequence ?? 0,
  };
}
