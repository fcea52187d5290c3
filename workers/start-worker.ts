/**
 * Composes a running worker from its parts: the activities over the database, the providers and the way to the
 * workflows, and the workers of its queues. The process of an installation and the tests are composed here alike.
 */
import type { NativeConnection, WorkflowBundleOption } from '@temporalio/worker';
import type { Logger } from 'pino';
import type { Deps } from '../activities/context.ts';
import { type Activities, createActivities } from '../activities/create-activities.ts';
import { screeningOf } from '../activities/submission/screening.ts';
import type { WorkerConfig } from '../config.ts';
import { type QueueName, taskQueue } from '../contracts/queues.ts';
import type { Tracing } from '../providers/tracing/port.ts';
import { createWorkers, type Workers } from './create-workers.ts';
import { createEntityEngine, type WorkerEngine } from './entity-engine.ts';
import { registerSearchAttributes } from './search-attributes.ts';

/** Everything that a worker is made of. The caller has opened it, and closes it after the worker has ended. */
export interface WorkerParts extends Pick<Deps, 'database' | 'card' | 'storage' | 'mail' | 'now'> {
  config: WorkerConfig;
  connection: NativeConnection;
  workflowBundle: WorkflowBundleOption;
  logger: Logger;
  /** Left out, nothing is traced. */
  tracing?: Tracing | null;
  /** Which queues are served; by default all of them. */
  queues?: readonly QueueName[];
  /** Stands between Temporal and the activities: it may fail them or only watch. For tests. */
  around?: (activities: Activities) => Activities;
}

export interface RunningWorker {
  /** Settles when the worker has ended, with an error when it failed. */
  ended: Promise<void>;
  /** Whether tasks are being taken. */
  isPolling: () => boolean;
  /** Takes no new tasks, brings what runs to its end, and waits for that. */
  stop: () => Promise<void>;
}

/** Starts a worker. The search attributes are there before the first workflow runs. */
export async function startWorker(parts: WorkerParts): Promise<RunningWorker> {
  const { config, connection, workflowBundle, tracing = null, queues, around = (activities) => activities } = parts;
  const { temporalNamespace: namespace, payloadKeys, poolSize, deployment } = config;
  await registerSearchAttributes(connection, namespace);
  const engine = engineOf(parts);
  const workers = await createWorkers({
    ...{ connection, namespace, payloadKeys, poolSize, deployment, workflowBundle, tracing },
    ...(queues === undefined ? {} : { queues }),
    taskQueue: taskQueue('lifecycle', config.taskQueuePrefix),
    activities: around(createActivities(depsOf(parts, engine))),
  });
  return running(workers, engine);
}

function engineOf({ config, connection, logger, tracing = null }: WorkerParts): WorkerEngine {
  const { temporalNamespace: namespace, payloadKeys, taskQueuePrefix } = config;
  return createEntityEngine({
    ...{ connection, namespace, payloadKeys, logger, tracing },
    taskQueue: taskQueue('lifecycle', taskQueuePrefix),
  });
}

function depsOf({ config, database, card, storage, mail, logger, now }: WorkerParts, engine: WorkerEngine): Deps {
  const { environment, defaultOrgId } = config;
  return {
    ...{ database, now, environment, defaultOrgId, logger, card, storage, mail, engine },
    screening: screeningOf(database),
  };
}

function running(workers: Workers, engine: WorkerEngine): RunningWorker {
  const ended = workers.run().finally(() => engine.settled());
  return {
    ended,
    isPolling: workers.isPolling,
    stop: () => {
      workers.shutdown();
      return ended;
    },
  };
}
