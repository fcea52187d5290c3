/**
 * One worker for one task queue: the bundled workflows and the activities, with the bounds they run under. Connecting waits for a
 * server that is not up yet.
 */

import { setTimeout as delay } from 'node:timers/promises';
import { NativeConnection, type NativeConnectionOptions, Worker, type WorkflowBundleOption } from '@temporalio/worker';
import type { Logger } from 'pino';
import type { Activities } from '../activities/create-activities.ts';
import { dataConverter, type TemporalSettings } from '../providers/temporal.ts';

const CONNECT_AGAIN_AFTER_MS = 250;
const DEFAULT_POOL_SIZE = 10;
/**
 * Workflow tasks taken on at once for each connection. A task whose step waits here runs out of time, is thrown away and comes again, which
 * on a machine that is too slow for its load makes it slower still; one that waits on the server loses nothing.
 */
const TASKS_PER_CONNECTION = 1.5;
/** Longer than an attempt of a transaction takes, so that an ordered stop interrupts none. */
const SHUTDOWN_GRACE = '30 seconds';
const SHUTDOWN_FORCE = '45 seconds';

export interface WorkerOptions {
  connection: NativeConnection;
  namespace: string;
  taskQueue: string;
  workflowBundle: WorkflowBundleOption;
  activities: Activities;
  /** Keys of the payloads; with none they are stored as they are. */
  payloadKeys: TemporalSettings['payloadKeys'];
  /** Connections of the database pool: a step that would find none waits here, where waiting costs it no time. */
  poolSize?: number;
}

/** Creates a worker that is not running yet. */
export function createWorker(options: WorkerOptions): Promise<Worker> {
  const { connection, namespace, taskQueue, workflowBundle, activities, payloadKeys } = options;
  const { poolSize = DEFAULT_POOL_SIZE } = options;
  return Worker.create({
    connection,
    namespace,
    taskQueue,
    workflowBundle,
    activities,
    dataConverter: dataConverter({ payloadKeys }),
    maxConcurrentLocalActivityExecutions: poolSize,
    maxConcurrentWorkflowTaskExecutions: Math.max(2, Math.ceil(poolSize * TASKS_PER_CONNECTION)),
    shutdownGraceTime: SHUTDOWN_GRACE,
    shutdownForceTime: SHUTDOWN_FORCE,
  });
}

/** Connects, trying again every quarter of a second: the server may be starting at the same time as the worker. */
export async function connectWorker(
  options: NativeConnectionOptions,
  logger: Logger,
  signal: AbortSignal,
): Promise<NativeConnection> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await NativeConnection.connect(options);
    } catch (error) {
      signal.throwIfAborted();
      if (attempt % 20 === 1)
        logger.warn({ address: options.address, reason: String(error) }, 'Temporal does not answer yet');
      await delay(CONNECT_AGAIN_AFTER_MS, undefined, { signal });
    }
  }
}
