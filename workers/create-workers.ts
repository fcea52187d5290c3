/**
 * The workers of a process, one for each queue with slots of its own: which of them run workflows, how much each takes
 * on at a time, and their orderly end. Connecting waits for a server that is not up yet.
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

/** A workflow in the memory of a worker that died goes to another one after this. */
const CACHED_ELSEWHERE_AFTER = '3 seconds';
const DEFAULT_POOL_SIZE = 10;
/**
 * Concurrent workflow tasks per connection. A task whose step waits here runs out of time, is thrown away
 * and comes again, which slows an overloaded machine further; a task that waits on the server loses nothing.
 */
const TASKS_PER_CONNECTION = 1.5;
/** The share of connections that batches may use: a slower batch is better than a waiting caller. */
const SHARE_OF_BATCHES = 0.1;
/** Calls that mostly wait for somebody else. */
const CALLS_AT_ONCE = 100;
/**
 * Each is one activity that mostly waits for a receiver. All subscriptions of forty organizations may hang before
 * others wait for one of these; `activities/delivery/places.ts` bounds how many connections they have.
 */
const RECEIVERS_AT_ONCE = 40 * WEBHOOKS_PER_ORGANIZATION;
const RECEIVERS_TAKEN_UP_AT_ONCE = 10;
const CACHED_RECEIVERS = 300;
/** Pages that one browser prints at a time, one more than those of a single organization's callers. */
const PAGES_AT_ONCE = DOCUMENTS_OF_ORGANIZATION_TOGETHER + 1;
/** Those that nobody waits for: one, and another one when the first takes long (`document-dispatch.ts`). */
const PATIENT_PAGES_AT_ONCE = 2;
/** Each is over after one step. */
const CACHED_DOCUMENTS = 20;
/** More than pages: a poll keeps a slot, too. */
const DOCUMENTS_TAKEN_UP_AT_ONCE = 3 * PAGES_AT_ONCE;
/** Of the polls: what polls for workflows that are in memory already keeps a slot from new ones. */
const SHARE_OF_NEW_DOCUMENTS = 0.8;
/** Each reads much and keeps a core and a connection busy. */
const REPORTS_AT_ONCE = 1;
/** Each is over after one step. Nobody waits, and a campaign must not take the connections of callers. */
const MAIL_EVENTS_AT_ONCE = 2;
const CACHED_MAIL_EVENTS = 10;
/** Batch workflows are few, and each is used again soon. */
const CACHED_BATCHES = 50;
/** Longer than one attempt of a transaction, so that an orderly stop interrupts none. */
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
  /** Keys of the payloads; with none they are stored as they are. */
  payloadKeys: TemporalSettings['payloadKeys'];
  /** Connections of the database pool: a step that would find none waits here, where waiting is free. */
  poolSize?: number;
  /** Which version of the workflow code this is, where Temporal is to route by it. */
  deployment?: WorkerDeploymentVersion | null;
  tracing?: Tracing | null;
  /** True runs the workflows in the thread of the caller, in the same sandbox: for tests, which begin often. */
  isOneThread?: boolean;
}

export interface Workers {
  /** Settles when all workers have stopped; if one fails, the others stop. */
  run: () => Promise<void>;
  /** Whether every one of them asks for tasks. */
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
  // It asks the server about its namespace.
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
 * Runs a worker until it has stopped. A worker that has finished its work has ended well, whatever the SDK says then:
 * its core lets go of a call a moment after it has answered it, and on a busy machine refuses to be ended before that.
 * The core then ends with the last of those calls (the same race: pull request 1330 of temporalio/sdk-rust).
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

/** Connects as soon as the server answers: it may be starting at the same time as the worker. */
export function connectWorker(
  options: NativeConnectionOptions,
  waiting: Pick<Waiting, 'logger' | 'stopping'>,
): Promise<NativeConnection> {
  const { address } = options;
  const connect = () => NativeConnection.connect(options);
  return untilAnswered(connect, { ...waiting, fields: { address }, passes: () => true });
}
