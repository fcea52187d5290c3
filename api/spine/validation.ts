// The refusal of what names nothing. Contract 1 "Error catalogue".
import { DomainError } from '../../domain/errors.ts';

/** Builds the answer to an id that names nothing, or nothing the caller may know of. */
export function notFound(what = 'resource'): DomainError {
  return new DomainError('not_found', `There is no such ${what}.`);
}
