// The life of a webhook subscription, and the events it covers. Spec 3.4, 4.8, Contract 3.6.
import { DomainError } from '../errors.ts';
import { type EventType, eventTypeOf } from '../events.ts';
import { WEBHOOK_SECRET_OVERLAP_HOURS, WEBHOOKS_PER_ORGANIZATION } from '../limits.ts';
import { nextState, type TransitionTable } from '../transition.ts';

export const SUBSCRIPTION_STATUSES = ['active', 'paused', 'deleted'] as const;
export type SubscriptionStatus = (typeof SUBSCRIPTION_STATUSES)[number];

/** Actions on a subscription other than changing its fields. */
export type SubscriptionMove = 'pause' | 'resume';

const MOVES: TransitionTable<SubscriptionStatus, SubscriptionMove> = {
  active: { pause: 'paused' },
  paused: { resume: 'active' },
  deleted: {},
};

/**
 * Returns the status after a move.
 * @throws DomainError subscription_inactive for a deleted subscription, invalid_state_transition for any other move
 * that its status does not allow
 */
export function subscriptionStatusAfter(status: SubscriptionStatus, move: SubscriptionMove): SubscriptionStatus {
  ensureNotDeleted(status);
  return nextState(MOVES, 'webhook', status, move);
}

/** A replaced secret, sealed, and the instant until which it still signs, as ISO 8601. */
export interface PreviousSecret {
  secret: string;
  until: string;
}

/** Returns the replaced secrets that still sign, oldest first. */
export function livingSecrets(previous: readonly PreviousSecret[], nowMs: number): PreviousSecret[] {
  return previous.filter(({ until }) => Date.parse(until) > nowMs);
}

/**
 * Returns the replaced secrets after one more rotation: the oldest that still signs, for receivers that have followed
 * no rotation yet, and the one just replaced, for those that followed the last. Each signs for its own day, so a
 * second rotation, for instance after a lost response, cuts no receiver off.
 */
export function afterRotation(
  { secret, previousSecrets }: { secret: string; previousSecrets: readonly PreviousSecret[] },
  nowMs: number,
): PreviousSecret[] {
  const until = new Date(nowMs + WEBHOOK_SECRET_OVERLAP_HOURS * 3_600_000).toISOString();
  return [...livingSecrets(previousSecrets, nowMs).slice(0, 1), { secret, until }];
}

/** @throws DomainError subscription_inactive. Spec 7.3 */
export function ensureActive(status: SubscriptionStatus): void {
  if (status !== 'active') throw inactive(status);
}

/** @throws DomainError subscription_inactive: a deleted subscription can no longer change */
export function ensureNotDeleted(status: SubscriptionStatus): void {
  if (status === 'deleted') throw inactive(status);
}

/** @throws DomainError limit_exhausted if the organization has reached its maximum; `count` excludes deleted ones */
export function ensureRoomForOne(count: number): void {
  if (count < WEBHOOKS_PER_ORGANIZATION) return;
  const message = `An organization can have at most ${WEBHOOKS_PER_ORGANIZATION} webhooks. Delete one first.`;
  throw new DomainError('limit_exhausted', message, { limit: WEBHOOKS_PER_ORGANIZATION });
}

/** Resolves subscribed names to event names; `*` stays and means all of them. Contract 3.6. */
export function subscribedTypes(events: readonly string[]): (EventType | '*')[] {
  return [...new Set(events.map((name) => eventTypeOf(name) ?? '*'))];
}

function inactive(status: SubscriptionStatus): DomainError {
  return new DomainError('subscription_inactive', `The webhook is ${status}.`, { status });
}
