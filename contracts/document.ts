// Generating a document. Its contents are in its order's row; only ids pass through workflows.
import { defineUpdate } from '@temporalio/workflow';
import type { Command } from './machinery/command.ts';

export interface DocumentWorkflowInput {
  orgId: string;
  documentId: string;
}

export interface DocumentOutcome {
  documentId: string;
  /** Set if certificate holders may have to be notified of the document's reason. */
  concernsHolders?: true;
}

/** Waits for a workflow's document; `entityId` is its id. */
export const makeDocumentUpdate = defineUpdate<DocumentOutcome, [Command]>('make');
