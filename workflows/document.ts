/**
 * Makes one document: prints it, stores it, records it, once however often it runs, and notifies holders of
 * certificates that it ends. A waiting caller sends an update; the document is made even if no one waits. Its order's
 * row says what it is.
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

/** Within the workflow's own task: one server task less while a caller waits. decisions/0334 */
const forCaller = proxyLocalActivities<Activities>(PRINTING_FOR_A_CALLER);
/** A separate activity, so that operators see it while it waits for a browser. */
const forNobody = proxyActivities<Activities>(PRINTING);
const { notifyHolders } = activitiesOn('outside', MAILING);

export async function documentWorkflow(input: DocumentWorkflowInput): Promise<void> {
  const isAwaited = workflowInfo().priority?.priorityKey !== PRIORITY.batch;
  const made = (isAwaited ? forCaller : forNobody).makeDocument(input);
  setHandler(makeDocumentUpdate, () => made.catch((error: unknown) => Promise.reject(innerFailure(error))), {
    description: 'Waits until the document is made.',
  });
  // The policy is cancelled whether or not its notice can be printed.
  const concernsHolders = await made.then(noteMade, noteRefused);
  if (concernsHolders) await notifyHolders(input);
  await condition(allHandlersFinished);
}

function noteMade({ documentId, concernsHolders }: DocumentOutcome): boolean {
  setCurrentDetails(`${documentId}: made`);
  return concernsHolders === true;
}

/** The order says why. */
function noteRefused(error: unknown): boolean {
  if (!isStepFailure(error)) throw error;
  setCurrentDetails('It cannot be made.');
  return true;
}
