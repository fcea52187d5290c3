// The error for an id that does not exist. Contract 1 "Error catalogue".
import { DomainError } from '../../domain/errors.ts';

/** Builds the error for an id of nothing, or of nothing the caller may know about; `what` as in `billing_hold`. */
export function notFound(what = 'resource'): DomainError {
  return new DomainError('not_found', `There is no such ${what.replaceAll('_', ' ')}.`);
}
