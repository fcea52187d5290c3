// The API process: reads the configuration, connects, listens, and stops in order.
import pino from 'pino';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { loadApiConfig } from '../config.ts';
import { taskQueue } from '../contracts/queues.ts';
import { connectDatabase } from '../db/orm.ts';
import { listen } from '../http/http-server.ts';
import { runUntilStopped } from '../http/process.ts';
import { startTracing } from '../providers/tracing.ts';
import { createApp } from './app.ts';
import { createLifecycle } from './engine/lifecycle.ts';
import { connectTemporal } from './engine/temporal.ts';
import { createInboundEngine } from './inbound/engine.ts';

const NO_CARDS = 'CARD_PROCESSOR_SECRET_KEY or CARD_PROCESSOR_WEBHOOK_SECRET is not set: what needs cards answers 503';

const config = loadApiConfig(process.env);
// Buffered for as long as one write takes: a line must not hold up the requests of others.
const logger = pino({ level: config.logLevel, base: { service: 'api' } }, pino.destination({ sync: false }));

const tracing = await startTracing(config.tracing, 'api', logger);
const database = await connectDatabase({
  appUrl: config.databaseAppUrl,
  opsUrl: config.databaseOpsUrl,
  poolSize: config.poolSize,
  logger,
  observeStatement: tracing?.statement,
});
const temporal = await connectTemporal(config, tracing);
const metrics = new Registry();
collectDefaultMetrics({ register: metrics });

const engine = {
  client: temporal.client,
  taskQueue: taskQueue('lifecycle', config.taskQueuePrefix),
  availability: temporal.availability,
  deadlineMs: config.commandDeadlineMs,
  logger,
};
const app = createApp({
  config,
  database,
  lifecycle: createLifecycle(engine),
  inbound: createInboundEngine(engine),
  temporalAvailability: { isAvailable: () => temporal.availability.isUp() },
  logger,
  now: Date.now,
  corsOrigins: config.corsOrigins,
  metrics,
  tracing,
});
const server = await listen(app.callback(), { port: config.port });
logger.info({ port: server.port }, 'listening');
const { secretKey, webhookSecrets } = config.cardProcessor;
if (secretKey === null || webhookSecrets.length === 0) logger.warn(NO_CARDS);

runUntilStopped(logger, async () => {
  await server.stop();
  await app.close();
  await temporal.close();
  await database.close();
  await tracing?.close();
});
