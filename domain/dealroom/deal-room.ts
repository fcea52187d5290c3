// The life of a deal room: who reads what, who writes, and the states it moves between. Spec 3.5, Contract 3.7.
import { DomainError, validationError } from '../errors.ts';
import type { Role } from '../permission-table.ts';
import { roleMay } from '../permissions.ts';
import { nextState, type TransitionTable } from '../transition.ts';

export const DEAL_ROOM_STATUSES = ['open', 'closed', 'archived'] as const;
export type DealRoomStatus = (typeof DEAL_ROOM_STATUSES)[number];

export type DealRoomAction = 'close' | 'archive' | 'reopen';

/** Why a room is closed: by a person, or because its submission was bound or declined. */
export const CLOSE_REASONS = ['manual', 'bound', 'declined'] as const;
export type CloseReason = (typeof CLOSE_REASONS)[number];

/** A member reads and posts; an observer only reads. */
export const PARTICIPANT_ROLES = ['member', 'observer'] as const;
export type ParticipantRole = (typeof PARTICIPANT_ROLES)[number];

/** `internal` is for the organization's own people, `all` for producers too. */
export const MESSAGE_VISIBILITIES = ['internal', 'all'] as const;
export type MessageVisibility = (typeof MESSAGE_VISIBILITIES)[number];

const TRANSITIONS: TransitionTable<DealRoomStatus, DealRoomAction> = {
  open: { close: 'closed' },
  closed: { reopen: 'open', archive: 'archived' },
  archived: {},
};

/** Returns the state that an action leads to. @throws DomainError invalid_state_transition. Contract 1, 3.7. */
export function nextDealRoomStatus(from: DealRoomStatus, action: DealRoomAction): DealRoomStatus {
  return nextState(TRANSITIONS, 'deal_room', from, action);
}

/** Refuses a message for a read-only room. @throws DomainError deal_room_closed. Contract 3.7. */
export function ensureOpenForMessages(status: DealRoomStatus): void {
  if (status !== 'open') throw closed('This deal room is closed. Its messages can only be read.', status);
}

/** Refuses a change of participants for an archived room. @throws DomainError deal_room_closed */
export function ensureParticipantsMayChange(status: DealRoomStatus): void {
  if (status === 'archived') throw closed('This deal room is archived. Its participants stay as they are.', status);
}

/** Whether a role sees internal messages: every role except producers, who belong to another company. */
export function seesInternal(role: Role): boolean {
  return role !== 'producer';
}

/** Refuses an internal message from an author who could not read it. @throws DomainError forbidden */
export function ensureMayWrite(visibility: MessageVisibility, role: Role): void {
  if (visibility === 'all' || seesInternal(role)) return;
  const message = 'A producer cannot post an internal message.';
  throw new DomainError('forbidden', message, { permission: 'deal_room:post' });
}

/** Whether a user of an organization could enter a deal room: active, with a role that uses them. */
export function mayTakePart({ active, role }: { active: boolean; role: Role }): boolean {
  return active && roleMay(role, 'deal_room:read');
}

/**
 * Refuses to mention someone who would not see the message: who does not take part, or, in an internal one, acts for a
 * producer. Both are user ids.
 * @throws DomainError validation_failed on the mention
 */
export function ensureMentionable(
  mentions: readonly string[],
  { participants, outsiders }: { participants: ReadonlySet<string>; outsiders: ReadonlySet<string> },
): void {
  const stranger = mentions.findIndex((id) => !participants.has(id));
  if (stranger >= 0) {
    const message = 'Only participants of the deal room can be mentioned.';
    throw validationError(`mentions.${stranger}`, 'unknown_reference', message);
  }
  const outside = mentions.findIndex((id) => outsiders.has(id));
  if (outside < 0) return;
  throw validationError(`mentions.${outside}`, 'enum', 'A producer does not see internal messages.');
}

function closed(message: string, status: DealRoomStatus): DomainError {
  return new DomainError('deal_room_closed', message, { status });
}
