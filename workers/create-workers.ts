/**
 * The workers of a process, one for each queue with slots of its own: which of them run workflows, how much each takes
 * on at a time, and their orderly end. Connecting waits for a server that is not up yet.
 */

import { setTimeout as delay } from 'node:timers/promises';
import type { WorkerDeploymentVersion } from '@temporalio/common';
import {
  NativeConnection,
  type NativeConnectionOptions,
  Worker,
  type WorkerOptions,
  type WorkflowBundleOption,
} from '@temporalio/worker';
import type { Logger } from 'pino';
import type { Activities } from '../activities/create-activities.ts';
import { QUEUES, type QueueName, queueBeside } from '../contracts/queues.ts';
import { dataConverter, type TemporalSettings } from '../providers/temporal.ts';
import { boundedActivity } from './bounded-activity.ts';

/** A workflow in the memory of a worker that died goes to another one after this. */
const CACHED_ELSEWHERE_AFTER = '3 seconds';
const CONNECT_AGAIN_AFTER_MS = 250;
const DEFAULT_POOL_SIZE = 10;
/**
 * Workflow tasks taken on at once for each connection. A task whose step waits here runs out of time, is thrown away
 * and comes again, which on a machine that is too slow for its load makes it slower still; one that waits on the server
 * loses nothing.
 */
const TASKS_PER_CONNECTION = 1.5;
/** Of the connections, what batches may keep busy: a batch that takes longer is better than a caller who waits. */
const SHARE_OF_BATCHES = 0.1;
/** Calls that mostly wait for somebody else. */
const CALLS_AT_ONCE = 100;
/** Workflows of batches are few, and each is read again soon. */
const CACHED_BATCHES = 50;
/** Longer than an attempt of a transaction takes, so that an ordered stop interrupts none. */
const SHUTDOWN_GRACE = '30 seconds';
const SHUTDOWN_FORCE = '45 seconds';
/** A workflow goes on with the newest version: entities live longer than any version of the worker. */
const VERSIONING = { useWorkerVersioning: true, defaultVersioningBehavior: 'AUTO_UPGRADE' } as const;

export interface WorkersOptions {
  connection: NativeConnection;
  namespace: string;
  /** Any task queue of the installation; those that are served are beside it. */
  taskQueue: string;
  /** Which queues are served; by default all of them. */
  queues?: readonly QueueName[];
  workflowBundle: WorkflowBundleOption;
  activities: Activities;
  /** Keys of the payloads; with none they are stored as they are. */
  payloadKeys: TemporalSettings['payloadKeys'];
  /** Connections of the database pool: a step that would find none waits here, where waiting costs it no time. */
  poolSize?: number;
  /** Which version of the workflow code this is, where Temporal is to route by it. */
  deployment?: WorkerDeploymentVersion | null;
}

export interface Workers {
  /** Settles when all have stopped; a failure of one stops the others. */
  run: () => Promise<void>;
  /** Takes no new tasks; what runs is brought to its end. */
  shutdown: () => void;
}

/** Creates the workers; none is running yet. */
export async function createWorkers(options: WorkersOptions): Promise<Workers> {
  const { connection, namespace, taskQueue, queues = QUEUES, activities, payloadKeys, deployment } = options;
  const workers = await Promise.all(
    queues.map((queue) =>
      Worker.create({
        ...{ connection, namespace, activities, taskQueue: queueBeside(taskQueue, queue) },
        dataConverter: dataConverter({ payloadKeys }),
        interceptors: { activity: [boundedActivity] },
        ...{ shutdownGraceTime: SHUTDOWN_GRACE, shutdownForceTime: SHUTDOWN_FORCE },
        ...(deployment ? { workerDeploymentOptions: { version: deployment, ...VERSIONING } } : {}),
        stickyQueueScheduleToStartTimeout: CACHED_ELSEWHERE_AFTER,
        ...slotsOf(queue, options),
      }),
    ),
  );
  const shutdown = () => {
    for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown();
  };
  const runOne = (worker: Worker) => worker.run().finally(shutdown);
  return { shutdown, run: async () => void (await Promise.all(workers.map(runOne))) };
}

/** Only entities and batches have workflows; who calls the outside runs activities alone. */
function slotsOf(
  queue: QueueName,
  { workflowBundle, poolSize = DEFAULT_POOL_SIZE }: WorkersOptions,
): Partial<WorkerOptions> {
  switch (queue) {
    case 'lifecycle':
      return {
        workflowBundle,
        maxConcurrentLocalActivityExecutions: poolSize,
        maxConcurrentWorkflowTaskExecutions: Math.max(2, Math.ceil(poolSize * TASKS_PER_CONNECTION)),
      };
    case 'outside':
      return { maxConcurrentActivityTaskExecutions: CALLS_AT_ONCE };
    case 'batch': {
      const share = Math.max(1, Math.floor(poolSize * SHARE_OF_BATCHES));
      return {
        workflowBundle,
        maxCachedWorkflows: CACHED_BATCHES,
        maxConcurrentActivityTaskExecutions: share,
        maxConcurrentLocalActivityExecutions: share,
        maxConcurrentWorkflowTaskExecutions: Math.max(2, share),
      };
    }
  }
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
