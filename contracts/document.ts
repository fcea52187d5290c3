// The making of a document. What it is made of is in the row of its order; only ids go through workflows.
import { defineUpdate } from '@temporalio/workflow';
import type { Command } from './machinery/command.ts';

export interface DocumentWorkflowInput {
  orgId: string;
  documentId: string;
}

export interface DocumentOutcome {
  documentId: string;
  /** Set where holders of certificates may have to hear of the document's reason. */
  concernsHolders?: true;
}

/** Waits for the document of a workflow; `entityId` is its id. */
export const makeDocumentUpdate = defineUpdate<DocumentOutcome, [Command]>('make');
