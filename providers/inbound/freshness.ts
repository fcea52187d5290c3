// The two refusals common to all providers' events: an invalid signature, and a time over five minutes off. Spec 6.3.
import { DomainError } from '../../domain/errors.ts';

/** An attempt of exactly this age is still fresh. */
const TOLERANCE_SECONDS = 300;

/** The refusal of a signature that is missing or wrong. */
export function badSignature(): DomainError {
  return new DomainError('unauthenticated', 'The signature of the event is not valid.');
}

/** Whether a time in seconds since 1970 is at most five minutes away, in either direction. */
export function isFresh(sentAtSeconds: number, nowMs: number): boolean {
  return Math.abs(ageInSeconds(sentAtSeconds, nowMs)) <= TOLERANCE_SECONDS;
}

/**
 * Refuses a time more than five minutes in the past or future. `field` names where the time was read from.
 * @throws DomainError validation_failed
 */
export function ensureFresh(sentAtSeconds: number, nowMs: number, field: string): void {
  if (isFresh(sentAtSeconds, nowMs)) return;
  throw new DomainError('validation_failed', 'The event was signed too long ago, or ahead of time.', {
    field,
    rule: ageInSeconds(sentAtSeconds, nowMs) > 0 ? 'min' : 'max',
  });
}

function ageInSeconds(sentAtSeconds: number, nowMs: number): number {
  return Math.floor(nowMs / 1_000) - sentAtSeconds;
}
