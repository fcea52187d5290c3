/**
 * A process's workers, one per queue with its own slots: which of them run workflows, how much each takes on at a
 * time, and their orderly shutdown. Connecting waits for a server that is not up yet.
 */

import { IllegalStateError, type WorkerDeploymentVersion } from '@temporalio/common';
import {
  NativeConnection,
  type NativeConnectionOptions,
  Worker,
  type WorkerOptions,
  type WorkflowBundleOption,
} from '@temporalio/worker';
import type { Activities } from '../activities/create-activities.ts';
import { QUEUES, type QueueName, queueBeside } from '../contracts/machinery/queues.ts';
import { DOCUMENTS_OF_ORGANIZATION_TOGETHER, WEBHOOKS_PER_ORGANIZATION } from '../domain/limits.ts';
import { dataConverter, type TemporalSettings } from '../providers/temporal.ts';
import type { Tracing } from '../providers/tracing/port.ts';
import { boundedActivity } from './bounded-activity.ts';
import { cachedWorkflows, memoryOfProcess } from './cache-size.ts';
import { tracedActivities, traceSinks } from './traced-work.ts';
import { untilAnswered, type Waiting } from './until-answered.ts';

/** After this, a workflow cached by a dead worker goes to another one. */
const CACHED_ELSEWHERE_AFTER = '3 seconds';
const DEFAULT_POOL_SIZE = 10;
/**
 * Concurrent workflow tasks per connection. A task whose step waits here times out, is discarded and comes back, which
 * slows an overloaded machine further; a task waiting on the server loses nothing.
 */
const TASKS_PER_CONNECTION = 1.5;
/** The share of connections that batches may use: a slower batch is better than a waiting caller. */
const SHARE_OF_BATCHES = 0.1;
/** Calls that mostly wait for an outside service. */
const CALLS_AT_ONCE = 100;
/**
 * Each is an activity that mostly waits for a receiver. All subscriptions of forty organizations may hang before
 * others have to wait; `activities/delivery/places.ts` limits their connections.
 */
const RECEIVERS_AT_ONCE = 40 * WEBHOOKS_PER_ORGANIZATION;
const RECEIVERS_TAKEN_UP_AT_ONCE = 10;
const CACHED_RECEIVERS = 300;
/** Pages that one browser prints at a time: one more than a single organization's callers may use. */
const PAGES_AT_ONCE = DOCUMENTS_OF_ORGANIZATION_TOGETHER + 1;
/** Those without a waiting caller: one, and another if the first takes long (`document-dispatch.ts`). */
const PATIENT_PAGES_AT_ONCE = 2;
/** Each is over after one step. */
const CACHED_DOCUMENTS = 20;
/** More than pages, since a poll also takes a slot. */
const DOCUMENTS_TAKEN_UP_AT_ONCE = 3 * PAGES_AT_ONCE;
/** Share of the polls: polls for cached workflows take slots from new ones. */
const SHARE_OF_NEW_DOCUMENTS = 0.8;
/** Each reads a lot and keeps a core and a connection busy. */
const REPORTS_AT_ONCE = 1;
/** Each is over after one step. No one waits, and a campaign must not take callers' connections. */
const MAIL_EVENTS_AT_ONCE = 2;
const CACHED_MAIL_EVENTS = 10;
/** Batch workflows are few, and each is soon used again. */
const CACHED_BATCHES = 50;
/** Longer than one transaction attempt, so that an orderly stop interrupts none. */
const SHUTDOWN_GRACE = '30 seconds';
const SHUTDOWN_FORCE = '45 seconds';
/** Workflows move to the newest version: entities live longer than any version of the worker. */
const VERSIONING = { useWorkerVersioning: true, defaultVersioningBehavior: 'AUTO_UPGRADE' } as const;

export interface WorkersOptions extends Pick<Waiting, 'logger' | 'stopping'> {
  connection: NativeConnection;
  namespace: string;
  /** Any task queue of the installation; the names of the others follow from it. */
  taskQueue: string;
  /** Which queues are served; by default all of them. */
  queues?: readonly QueueName[];
  workflowBundle: WorkflowBundleOption;
  activities: Activities;
  /** Payload encryption keys; with none, payloads are stored as they are. */
  payloadKeys: TemporalSettings['payloadKeys'];
  /** Connections of the database pool: a step that would find none waits here, where waiting is free. */
  poolSize?: number;
  /** The version of the workflow code, if Temporal is to route by it. */
  deployment?: WorkerDeploymentVersion | null;
  tracing?: Tracing | null;
  /** True runs workflows on the caller's thread, in the same sandbox: for tests, which start often. */
  isOneThread?: boolean;
}

export interface Workers {
  /** Settles when all workers have stopped; if one fails, the others stop. */
  run: () => Promise<void>;
  /** Whether all of them are polling for tasks. */
  isPolling: () => boolean;
  /** Takes no new tasks and finishes the running ones. */
  shutdown: () => void;
}

/** Creates the workers without running them. */
export async function createWorkers(options: WorkersOptions): Promise<Workers> {
  const {
    connection,
    namespace,
    taskQueue,
    queues = QUEUES,
    activities,
    payloadKeys,
    deployment,
    tracing = null,
    isOneThread = false,
  } = options;
  // Creating a worker queries the server for its namespace.
  const createOne = (worker: WorkerOptions) => untilAnswered(() => Worker.create(worker), options);
  const workers = await Promise.all(
    queues.map((queue) =>
      createOne({
        ...{ connection, namespace, activities, taskQueue: queueBeside(taskQueue, queue), debugMode: isOneThread },
        dataConverter: dataConverter({ payloadKeys }),
        interceptors: { activity: [boundedActivity, ...tracedActivities(tracing)] },
        sinks: traceSinks(tracing),
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
  const runOne = (worker: Worker) => runToEnd(worker).finally(shutdown);
  const isPolling = () => workers.every((worker) => worker.getState() === 'RUNNING');
  return { shutdown, isPolling, run: async () => void (await Promise.all(workers.map(runOne))) };
}

/**
 * Runs a worker until it has stopped. A worker that has finished its work has ended well, whatever the SDK then says:
 * its core releases a call a moment after answering it, and on a busy machine refuses to shut down before that. The
 * core then ends with the last of those calls (the same race: pull request 1330 of temporalio/sdk-rust).
 * @throws what made the worker fail
 */
export async function runToEnd(worker: Pick<Worker, 'run' | 'getState'>): Promise<void> {
  try {
    await worker.run();
  } catch (error) {
    const isHeldAMomentLonger = error instanceof IllegalStateError && error.message.startsWith('Worker still in use');
    if (worker.getState() !== 'STOPPED' || !isHeldAMomentLonger) throw error;
  }
}

/** The queues for outside calls and reports run activities only; the others have workflows. */
function slotsOf(
  queue: QueueName,
  { workflowBundle, poolSize = DEFAULT_POOL_SIZE }: WorkersOptions,
): Partial<WorkerOptions> {
  switch (queue) {
    case 'lifecycle':
      return {
        workflowBundle,
        maxCachedWorkflows: cachedWorkflows(memoryOfProcess()),
        maxConcurrentLocalActivityExecutions: poolSize,
        maxConcurrentWorkflowTaskExecutions: Math.max(2, Math.ceil(poolSize * TASKS_PER_CONNECTION)),
      };
    case 'outside':
      return { maxConcurrentActivityTaskExecutions: CALLS_AT_ONCE };
    case 'documents':
      return {
        workflowBundle,
        maxCachedWorkflows: CACHED_DOCUMENTS,
        maxConcurrentLocalActivityExecutions: PAGES_AT_ONCE,
        maxConcurrentActivityTaskExecutions: PATIENT_PAGES_AT_ONCE,
        maxConcurrentWorkflowTaskExecutions: DOCUMENTS_TAKEN_UP_AT_ONCE,
        nonStickyToStickyPollRatio: SHARE_OF_NEW_DOCUMENTS,
      };
    case 'reports':
      return { maxConcurrentActivityTaskExecutions: REPORTS_AT_ONCE };
    case 'events':
      return {
        workflowBundle,
        maxCachedWorkflows: CACHED_RECEIVERS,
        maxConcurrentActivityTaskExecutions: RECEIVERS_AT_ONCE,
        maxConcurrentWorkflowTaskExecutions: RECEIVERS_TAKEN_UP_AT_ONCE,
      };
    case 'email':
      return {
        workflowBundle,
        maxCachedWorkflows: CACHED_MAIL_EVENTS,
        maxConcurrentLocalActivityExecutions: MAIL_EVENTS_AT_ONCE,
        maxConcurrentWorkflowTaskExecutions: MAIL_EVENTS_AT_ONCE,
      };
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

/** Connects once the server answers: it may be starting at the same time as the worker. */
export function connectWorker(
  options: NativeConnectionOptions,
  waiting: Pick<Waiting, 'logger' | 'stopping'>,
): Promise<NativeConnection> {
  const { address } = options;
  const connect = () => NativeConnection.connect(options);
  return untilAnswered(connect, { ...waiting, fields: { address }, passes: () => true });
}
