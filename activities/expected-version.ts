/** The version that a caller has seen, held against the locked row: the api has compared before the command had its turn. Contract 1 "If-Match". */
import { DomainError } from '../domain/errors.ts';
import type { Command } from './messages.ts';

/** Refuses a command on another version than the one its `If-Match` named. @throws DomainError precondition_failed */
export function ensureExpected({ expectedVersion }: Command<unknown>, { version }: { version: number }): void {
  if (expectedVersion === undefined || expectedVersion === version) return;
  throw new DomainError('precondition_failed', 'The resource has changed since you read it.');
}
