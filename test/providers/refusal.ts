// How a verifier refuses what it does not trust. Part of the tests next to it.
import { DomainError } from '../../domain/errors.ts';

/** The code of the refusal, or null. */
export function refusal(work: () => unknown): string | null {
  try {
    work();
    return null;
  } catch (error) {
    if (error instanceof DomainError) return error.code;
    throw error;
  }
}
