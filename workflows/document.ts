/**
 * Makes one document: prints it, stores it, records it, once however often it runs, and notifies holders of
 * certificates that end by it. A caller who waits for it sends an update; one that nobody waits for is made all the
 * same. The row of its order says what it is.
 */
import {
  allHandlersFinished,
  condition,
  proxyActivities,
  proxyLocalActivities,
  setCurrentDetails,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type { Activities } from '../activities/create-activities.ts';
import { type DocumentOutcome, type DocumentWorkflowInput, makeDocumentUpdate } from '../contracts/document.ts';
import { PRIORITY } from '../contracts/machinery/queues.ts';
import { innerFailure, isStepFailure } from './machinery/failures.ts';
import { MAILING, PRINTING, PRINTING_FOR_A_CALLER } from './machinery/options.ts';
import { activitiesOn } from './machinery/queues.ts';

/** Within the workflow's own task: a task less for the server while a caller waits. decisions/0334 */
const forCaller = proxyLocalActivities<Activities>(PRINTING_FOR_A_CALLER);
/** Operators see an activity of its own while it waits for a browser. */
const forNobody = proxyActivities<Activities>(PRINTING);
const { notifyHolders } = activitiesOn('outside', MAILING);

export async function documentWorkflow(input: DocumentWorkflowInput): Promise<void> {
  const isAwaited = workflowInfo().priority?.priorityKey !== PRIORITY.batch;
  const made = (isAwaited ? forCaller : forNobody).makeDocument(input);
  setHandler(makeDocumentUpdate, () => made.catch((error: unknown) => Promise.reject(innerFailure(error))), {
    description: 'Waits for the document.',
  });
  // A policy is cancelled whether or not its notice can be printed.
  const concernsHolders = await made.then(noteMade, noteRefused);
  if (concernsHolders) await notifyHolders(input);
  await condition(allHandlersFinished);
}

function noteMade({ documentId, concernsHolders }: DocumentOutcome): boolean {
  setCurrentDetails(`${documentId}: made`);
  return concernsHolders === true;
}

/** Its order says why. */
function noteRefused(error: unknown): boolean {
  if (!isStepFailure(error)) throw error;
  setCurrentDetails('It cannot be made.');
  return true;
}
