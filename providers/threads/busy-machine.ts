// The refusal of work that a busy machine has no time for: nothing is wrong with it, and a later attempt may succeed.
import { DomainError } from '../../domain/errors.ts';

const RETRY_AFTER_SECONDS = 5;

export function busyMachine(message: string): DomainError {
  return new DomainError('service_unavailable', message, { retryAfterSeconds: RETRY_AFTER_SECONDS });
}

export function templateNotFilled(): DomainError {
  return busyMachine('The template could not be filled in time. Try again shortly.');
}
