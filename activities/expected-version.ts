/**
 * Checks the caller's version against the locked row; the api compared it before the command's turn. Contract 1
 * "If-Match".
 */

import type { Command } from '../contracts/machinery/command.ts';
import { DomainError } from '../domain/errors.ts';

/** Refuses a command whose `If-Match` names another version. @throws DomainError precondition_failed */
export function ensureExpected({ expectedVersion }: Command<unknown>, { version }: { version: number }): void {
  if (expectedVersion === undefined || expectedVersion === version) return;
  throw new DomainError('precondition_failed', 'The resource has changed since you read it.');
}
