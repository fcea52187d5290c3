/**
 * Composes a running worker from its parts: the activities with the database, the providers and the engine, and the
 * workers of its queues. Production processes and tests are both composed here.
 */
import { Client } from '@temporalio/client';
import type { NativeConnection, WorkflowBundleOption } from '@temporalio/worker';
import { type ActivityParts, activityDeps } from '../activities/activity-deps.ts';
import { type Activities, createActivities } from '../activities/create-activities.ts';
import type { WorkerConfig } from '../config.ts';
import { QUEUES, type QueueName, taskQueue } from '../contracts/machinery/queues.ts';
import { remainingMs } from '../db/deadline.ts';
import { watchFlags } from '../db/flag-cache.ts';
import type { Listener } from '../db/listener.ts';
import { EngineClient } from '../providers/engine-client.ts';
import type { Typesetter } from '../providers/ports.ts';
import type { PushService } from '../providers/push/port.ts';
import { dataConverter } from '../providers/temporal.ts';
import type { Tracing } from '../providers/tracing/port.ts';
import { createTypesetter } from '../providers/typesetting/typesetter.ts';
import { createWebhookSender, type WebhookSender } from '../providers/webhooks/sender.ts';
import { createWorkers, type Workers } from './create-workers.ts';
import { startDocumentDispatch } from './document-dispatch.ts';
import { createEntityEngine, type WorkerEngine } from './entity-engine.ts';
import { type EventDispatchOptions, startEventDispatch } from './event-dispatch.ts';
import { startPushDispatch } from './push-dispatch.ts';
import type { Repeating } from './repeating.ts';
import { registerSearchAttributes } from './search-attributes.ts';
import { untilAnswered } from './until-answered.ts';

/** A worker's parts. The caller has opened them, and closes them after the worker has ended. */
export interface WorkerParts extends ActivityParts {
  config: WorkerConfig;
  connection: NativeConnection;
  workflowBundle: WorkflowBundleOption;
  /** Aborts a start that is waiting for Temporal. */
  stopping?: AbortSignal;
  /** If omitted, nothing is traced. */
  tracing?: Tracing | null;
  /** Reaches insureds' devices. If omitted, they get no notices. */
  push?: PushService | null;
  /** Which queues are served; by default all of them. */
  queues?: readonly QueueName[];
  /** Sits between Temporal and the activities: it may fail them or only watch. For tests. */
  around?: (activities: Activities) => Activities;
  /** True runs workflows on the caller's thread. For tests. */
  isOneThread?: boolean;
}

export interface RunningWorker {
  /** Settles when the worker has ended, with an error if it failed. */
  ended: Promise<void>;
  /** Whether tasks are being taken. */
  isPolling: () => boolean;
  /** Takes no new tasks, and waits for running ones to finish. */
  stop: () => Promise<void>;
}

/** Starts a worker. Registers the search attributes before the first workflow runs. */
export async function startWorker(parts: WorkerParts): Promise<RunningWorker> {
  const {
    config,
    connection,
    workflowBundle,
    tracing = null,
    queues = QUEUES,
    around = (activities) => activities,
    logger,
    stopping,
    isOneThread = false,
  } = parts;
  const { temporalNamespace: namespace, payloadKeys, poolSize, deployment } = config;
  await untilAnswered(() => registerSearchAttributes(connection, namespace), parts);
  const engine = engineOf(parts);
  const webhooks = createWebhookSender(config.outboundPolicy);
  const typesetter = createTypesetter({ remainingMs });
  const workers = await createWorkers({
    ...{ connection, namespace, payloadKeys, poolSize, deployment, workflowBundle, tracing, isOneThread },
    ...{ queues, logger, ...(stopping ? { stopping } : {}) },
    taskQueue: taskQueue('lifecycle', config.taskQueuePrefix),
    activities: around(createActivities(activityDeps(parts, { engine, webhooks, typesetter }))),
  });
  const dispatches = [
    ...(queues.includes('events') ? [startEventDispatch(dispatchOf(parts))] : []),
    ...(queues.includes('documents') && parts.pdf
      ? [startDocumentDispatch({ ...dispatchOf(parts), pdf: parts.pdf })]
      : []),
    ...(queues.includes('outside') && parts.push ? [startPushDispatch({ ...parts, push: parts.push })] : []),
  ];
  const flags = watchFlags(parts.database, config.databaseAppUrl);
  return running({ workers, engine, webhooks, typesetter, dispatches, flags });
}

function engineOf({ config, connection, logger, tracing = null }: WorkerParts): WorkerEngine {
  const { temporalNamespace: namespace, payloadKeys, taskQueuePrefix } = config;
  return createEntityEngine({
    ...{ connection, namespace, payloadKeys, logger, tracing },
    taskQueue: taskQueue('lifecycle', taskQueuePrefix),
  });
}

function dispatchOf({ config, connection, database, logger }: WorkerParts): EventDispatchOptions {
  const { temporalNamespace: namespace, payloadKeys, taskQueuePrefix } = config;
  const client = new Client({ connection, namespace, dataConverter: dataConverter({ payloadKeys }) });
  const workflows = new EngineClient({ client, taskQueue: taskQueue('events', taskQueuePrefix) });
  return { database, workflows, logger };
}

interface Running {
  workers: Workers;
  engine: WorkerEngine;
  webhooks: WebhookSender;
  typesetter: Typesetter;
  dispatches: Repeating[];
  flags: Listener;
}

function running({ workers, engine, webhooks, typesetter, dispatches, flags }: Running): RunningWorker {
  const stopDispatches = () => Promise.all(dispatches.map((dispatch) => dispatch.stop()));
  const ended = workers.run().finally(async () => {
    await stopDispatches();
    await flags.close();
    await webhooks.close();
    await typesetter.close();
    await engine.settled();
  });
  return {
    ended,
    isPolling: workers.isPolling,
    stop: async () => {
      await stopDispatches();
      workers.shutdown();
      engine.leave();
      return ended;
    },
  };
}
