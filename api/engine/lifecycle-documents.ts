/** Making documents that a caller waits for. Part of `lifecycle.ts`. */

import { type DocumentOutcome, makeDocumentUpdate } from '../../contracts/document.ts';
import type { Command } from '../../contracts/machinery/command.ts';
import { documentTarget } from '../../contracts/machinery/targets.ts';
import type { Gateway } from './gateway.ts';

/** `entityId` is the id of the document; its order is already a row. */
export interface DocumentLifecycle {
  /**
   * Resolves once the document exists.
   * @throws DomainError document_not_applicable, unreadable_document, payload_too_large, validation_failed, and
   * service_unavailable if no browser runs
   */
  makeDocument(command: Command): Promise<DocumentOutcome>;
}

/** Builds the command on a gateway. */
export function documentLifecycle(gateway: Gateway, deadlineMs: number): DocumentLifecycle {
  return {
    makeDocument: (command) =>
      gateway.start(documentTarget(command.orgId, command.entityId, 'caller'), makeDocumentUpdate, command, deadlineMs),
  };
}
