/**
 * The worker process: runs workflows and activities for the queues named on the command line (`--queues
 * lifecycle,batch`), all of them by default. Stops in order: no new tasks, then running ones finish, then the
 * database, then Temporal.
 */
import { parseArgs } from 'node:util';
import { Client } from '@temporalio/client';
import type { Logger } from 'pino';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { loadWorkerConfig, type WorkerConfig } from '../config.ts';
import { QUEUES, type QueueName, taskQueue } from '../contracts/machinery/queues.ts';
import { connectDatabase } from '../db/orm.ts';
import { createLog } from '../http/log.ts';
import { createCardProcessor } from '../providers/card-processor.ts';
import { connectPatiently } from '../providers/connections/patience.ts';
import { createMail } from '../providers/mail.ts';
import { createPdfEngine } from '../providers/pdf/pdf-engine.ts';
import { createPushService } from '../providers/push/fcm.ts';
import { createSigningService } from '../providers/signing/boldsign.ts';
import { createStorage } from '../providers/storage.ts';
import { connectionOptions } from '../providers/temporal.ts';
import { startTracing } from '../providers/tracing/tracing.ts';
import { startAuditSealing } from './audit-sealing.ts';
import { registerBusinessGauges } from './business-gauges.ts';
import { connectWorker } from './create-workers.ts';
import { startFactFolding } from './fact-folding.ts';
import { startHousekeeping } from './housekeeping.ts';
import { registerPrintFigures } from './print-figures.ts';
import { installRuntime, temporalLogger } from './runtime.ts';
import { ensureSchedules } from './schedules.ts';
import { type RunningWorker, startWorker } from './start-worker.ts';
import { startStatusServer } from './status-server.ts';
import { untilAnswered } from './until-answered.ts';
import { workflowBundle } from './workflow-bundle.ts';

const NO_CARDS = 'CARD_PROCESSOR_SECRET_KEY is not set: what needs cards answers 503';

/** Monitors will retry. */
const STATUS_GRACE_MS = 1_000;

connectPatiently();
const config = loadWorkerConfig(process.env);
const logger = createLog({ level: config.logLevel, base: { service: 'worker' } });
const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort());

try {
  await main(config, queuesFrom(process.argv.slice(2)), logger, stopping.signal);
} catch (error) {
  // Stopped before it had started: not a failure.
  if (stopping.signal.aborted) process.exit(0);
  logger.fatal({ err: error }, 'the worker cannot run');
  process.exit(1);
}

async function main(config: WorkerConfig, queues: QueueName[], logger: Logger, stopping: AbortSignal): Promise<void> {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const sdkMetrics = await installRuntime(logger);
  const status = await startStatusServer({ port: config.port, registry, sdkMetrics, logger });
  const tracing = await startTracing(config.tracing, 'worker', logger);
  const [bundle, connection, database] = await Promise.all([
    workflowBundle(config.workflowBundle, temporalLogger(logger)),
    connectWorker(connectionOptions(config), { logger, stopping }),
    connectDatabase({
      appUrl: config.databaseAppUrl,
      opsUrl: config.databaseOpsUrl,
      poolSize: config.poolSize,
      logger,
      observeStatement: tracing?.statement,
    }),
  ]);
  const mail = createMail(config);
  if (config.cardProcessor.secretKey === null) logger.warn(NO_CARDS);
  await untilAnswered(() => ensureSchedules({ connection, ...schedulesOf(config) }), { logger, stopping });
  const pdf = queues.includes('documents') ? createPdfEngine(config.chromium, logger) : null;
  if (pdf) registerPrintFigures(registry, pdf);
  const worker = await startWorker({
    ...{ config, connection, database, mail, pdf, logger, stopping, queues, tracing },
    ...{ workflowBundle: bundle, now: Date.now },
    card: createCardProcessor(config.cardProcessor),
    storage: createStorage(config),
    signing: createSigningService(config.signing),
    push: createPushService(config.push, Date.now),
  });
  status.watch({ worker, database, connection });
  registerBusinessGauges({
    ...{ registry, database, logger, now: Date.now, taskQueue: taskQueue('lifecycle', config.taskQueuePrefix) },
    client: new Client({ connection, namespace: config.temporalNamespace }),
  });
  const repeating = [
    startAuditSealing({ database, logger, now: Date.now }),
    startHousekeeping({ database, logger, now: Date.now }),
    startFactFolding({ database, logger }),
  ];
  logger.info({ queues, port: status.port }, 'worker ready');
  await untilStopped(worker, stopping);
  await Promise.all(repeating.map((work) => work.stop()));
  await status.stop(STATUS_GRACE_MS);
  await pdf?.close();
  await mail.close();
  await database.close();
  await connection.close();
  await tracing?.close();
  logger.info('worker stopped');
}

function schedulesOf({ temporalNamespace, payloadKeys, taskQueuePrefix }: WorkerConfig) {
  return {
    ...{ namespace: temporalNamespace, payloadKeys, prefix: taskQueuePrefix },
    taskQueue: taskQueue('batch', taskQueuePrefix),
  };
}

/** Serves until it is time to stop, or the worker fails. */
async function untilStopped(worker: RunningWorker, stopping: AbortSignal): Promise<void> {
  const stop = () => void worker.stop().catch(() => {});
  if (stopping.aborted) stop();
  else stopping.addEventListener('abort', stop, { once: true });
  await worker.ended;
}

function queuesFrom(args: string[]): QueueName[] {
  const { values } = parseArgs({ args, options: { queues: { type: 'string' } } });
  if (values.queues === undefined) return [...QUEUES];
  return values.queues.split(',').map((name) => {
    const queue = QUEUES.find((known) => known === name.trim());
    if (queue === undefined) throw new Error(`There is no queue "${name}": ${QUEUES.join(', ')} are served`);
    return queue;
  });
}
