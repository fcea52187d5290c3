/**
 * Sends for the documents that were ordered by rows and that nobody waits for: looks every second for orders that are
 * due, and starts the workflow of each behind those of callers. Every worker that prints does so; they share the work.
 */
import type { Client } from '@temporalio/client';
import type { Logger } from 'pino';
import { documentTarget, startRequest } from '../contracts/machinery/targets.ts';
import type { Database } from '../db/orm.ts';
import { claimDueOrders, type DueOrder } from '../db/queries/document/document-orders.ts';
import type { PdfEngine } from '../providers/ports.ts';
import { type Repeating, startRepeating } from './repeating.ts';
import { settleAll } from './settle-all.ts';

const PAUSE_MS = 1_000;
const PAUSE_AFTER_FAULT_MS = 5_000;
/** What one worker prints in the time until the next look. More would wait for it in Temporal. */
const ORDERS_OF_A_LOOK = 5;
/** An order that was sent for and lost is sent for again after this. */
const LEASE_SECONDS = 600;

export interface DocumentDispatchOptions {
  database: Database;
  client: Client;
  /** Any task queue of the installation. */
  taskQueue: string;
  logger: Logger;
  pdf: Pick<PdfEngine, 'isReady'>;
}

/** Starts looking. While the database or Temporal is down, tries again after the pause. */
export function startDocumentDispatch(options: DocumentDispatchOptions): Repeating {
  const { database, client, taskQueue, logger, pdf } = options;
  const sendFor = async ({ orgId, documentId }: DueOrder) => {
    const target = documentTarget(orgId, documentId, 'batch');
    await client.workflow.start(target.type, startRequest(target, taskQueue));
  };
  return startRepeating({
    round: async () => {
      if (!pdf.isReady) return false;
      const due = await claimDueOrders(database, { leaseSeconds: LEASE_SECONDS, most: ORDERS_OF_A_LOOK });
      await settleAll(due, sendFor);
      return false;
    },
    pauseMs: PAUSE_MS,
    pauseAfterFaultMs: PAUSE_AFTER_FAULT_MS,
    onFault: (error) => logger.warn({ err: error }, 'documents could not be sent for; tried again'),
  });
}
