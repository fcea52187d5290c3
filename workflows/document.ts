/**
 * Makes one document: prints it, stores it, records it, once however often it runs. A caller who waits for it sends an
 * update; one that nobody waits for is made all the same. The row of its order says what it is.
 */
import { allHandlersFinished, condition, setCurrentDetails, setHandler } from '@temporalio/workflow';
import { type DocumentOutcome, type DocumentWorkflowInput, makeDocumentUpdate } from '../contracts/document.ts';
import { innerFailure, isStepFailure } from './machinery/failures.ts';
import { PRINTING } from './machinery/options.ts';
import { activitiesOn } from './machinery/queues.ts';

const { makeDocument } = activitiesOn('documents', PRINTING);

export async function documentWorkflow(input: DocumentWorkflowInput): Promise<void> {
  const made = makeDocument(input);
  setHandler(makeDocumentUpdate, () => made.catch((error: unknown) => Promise.reject(innerFailure(error))), {
    description: 'Waits for the document.',
  });
  await made.then(noteMade, noteRefused);
  await condition(allHandlersFinished);
}

function noteMade({ documentId }: DocumentOutcome): void {
  setCurrentDetails(`${documentId}: made`);
}

/** Its order says why. */
function noteRefused(error: unknown): void {
  if (!isStepFailure(error)) throw error;
  setCurrentDetails('It cannot be made.');
}
