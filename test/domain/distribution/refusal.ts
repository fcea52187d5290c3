// A rule's refusal.
import { DomainError } from '../../../domain/errors.ts';

/** Returns the refusal of a rule. @throws Error where nothing is refused */
export function refusal(rule: () => unknown): DomainError {
  try {
    rule();
  } catch (error) {
    if (error instanceof DomainError) return error;
    throw error;
  }
  throw new Error('The rule refused nothing.');
}
