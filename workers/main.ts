/**
 * The worker process: runs workflows and activities for the queues named on the command line (`--queues
 * lifecycle,batch`), all of them by default. Stops in order: no new tasks, running ones to their end, then the
 * database, then Temporal.
 */
import { parseArgs } from 'node:util';
import { DefaultLogger, makeTelemetryFilterString, type NativeConnection, Runtime } from '@temporalio/worker';
import pino, { type Logger } from 'pino';
import { createActivities } from '../activities/create-activities.ts';
import { loadWorkerConfig, type WorkerConfig } from '../config.ts';
import { QUEUES, type QueueName, taskQueue } from '../contracts/queues.ts';
import { connectDatabase, type Database } from '../db/orm.ts';
import { sanctionsEntries } from '../db/queries/submission/sanctions.ts';
import { createCardProcessor } from '../providers/card-processor.ts';
import { createMail } from '../providers/mail.ts';
import type { MailPort } from '../providers/mail-port.ts';
import { createStorage } from '../providers/storage.ts';
import { createTableScreening } from '../providers/table-screening.ts';
import { connectionOptions } from '../providers/temporal.ts';
import { startAuditSealing } from './audit-sealing.ts';
import { connectWorker, createWorkers, type Workers } from './create-workers.ts';
import { createEntityEngine } from './entity-engine.ts';
import { startHousekeeping } from './housekeeping.ts';
import { ensureSchedules } from './schedules.ts';
import { registerSearchAttributes } from './search-attributes.ts';
import { bundleWorkflows } from './workflow-bundle.ts';

const NO_CARDS = 'CARD_PROCESSOR_SECRET_KEY is not set: what needs cards answers 503';

const config = loadWorkerConfig(process.env);
const logger = pino({ level: config.logLevel, base: { service: 'worker' } });
const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort());

try {
  await main(config, queuesFrom(process.argv.slice(2)), logger, stopping.signal);
} catch (error) {
  // Stopped before it had started: that is not a failure.
  if (stopping.signal.aborted) process.exit(0);
  logger.fatal({ err: error }, 'the worker cannot run');
  process.exit(1);
}

async function main(config: WorkerConfig, queues: QueueName[], logger: Logger, stopping: AbortSignal): Promise<void> {
  // Signals are handled above: the runtime's own handling would close the connection before the database.
  const filter = makeTelemetryFilterString({ core: 'WARN', other: 'ERROR' });
  const telemetryOptions = { logging: { filter, forward: {} } };
  Runtime.install({ shutdownSignals: [], logger: temporalLogger(logger), telemetryOptions });
  const [bundle, connection, database] = await Promise.all([
    bundleWorkflows(temporalLogger(logger)),
    connectWorker(connectionOptions(config), logger, stopping),
    connectDatabase({
      appUrl: config.databaseAppUrl,
      opsUrl: config.databaseOpsUrl,
      poolSize: config.poolSize,
      logger,
    }),
  ]);
  const mail = createMail(config);
  if (config.cardProcessor.secretKey === null) logger.warn(NO_CARDS);
  await registerSearchAttributes(connection, config.temporalNamespace);
  await ensureSchedules({
    connection,
    namespace: config.temporalNamespace,
    payloadKeys: config.payloadKeys,
    taskQueue: taskQueue('batch', config.taskQueuePrefix),
    prefix: config.taskQueuePrefix,
  });
  const workers = await createWorkers({
    connection,
    namespace: config.temporalNamespace,
    taskQueue: taskQueue('lifecycle', config.taskQueuePrefix),
    queues,
    workflowBundle: bundle,
    payloadKeys: config.payloadKeys,
    activities: activitiesFor(config, { connection, database, mail, logger }),
    poolSize: config.poolSize,
    deployment: config.deployment,
  });
  const repeating = [
    startAuditSealing({ database, logger, now: Date.now }),
    startHousekeeping({ database, logger, now: Date.now }),
  ];
  await run(workers, stopping, () => logger.info({ queues }, 'worker ready'));
  await Promise.all(repeating.map((work) => work.stop()));
  await mail.close();
  await database.close();
  await connection.close();
  logger.info('worker stopped');
}

interface Connected {
  connection: NativeConnection;
  database: Database;
  mail: MailPort;
  logger: Logger;
}

function activitiesFor(config: WorkerConfig, { connection, database, mail, logger }: Connected) {
  const { cardProcessor, dataDir, s3 } = config;
  return createActivities({
    database,
    now: Date.now,
    environment: config.environment,
    defaultOrgId: config.defaultOrgId,
    logger,
    screening: createTableScreening({
      loadEntries: () => database.acrossOrgs('the sanctions list', sanctionsEntries),
      now: () => performance.now(),
    }),
    card: createCardProcessor(cardProcessor),
    storage: createStorage({ dataDir, s3 }),
    mail,
    engine: createEntityEngine({
      connection,
      namespace: config.temporalNamespace,
      payloadKeys: config.payloadKeys,
      taskQueue: taskQueue('lifecycle', config.taskQueuePrefix),
      logger,
    }),
  });
}

async function run(workers: Workers, stopping: AbortSignal, ready: () => void): Promise<void> {
  const running = workers.run();
  if (stopping.aborted) workers.shutdown();
  else stopping.addEventListener('abort', workers.shutdown, { once: true });
  ready();
  await running;
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

/** The SDK's log lines in the format of ours. */
function temporalLogger(logger: Logger): DefaultLogger {
  return new DefaultLogger('INFO', ({ level, message, meta }) => {
    // Under this name the logger writes an error with its message, cause and stack.
    const { error, ...rest } = meta ?? {};
    const fields = error === undefined ? rest : { ...rest, err: error };
    if (level === 'ERROR') logger.error(fields, message);
    else if (level === 'WARN') logger.warn(fields, message);
    else logger.debug(fields, message);
  });
}
