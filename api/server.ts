// The API process: reads the configuration, opens the parts of the API, and stops in order.
import pino from 'pino';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { loadApiConfig } from '../config.ts';
import { connectDatabase } from '../db/orm.ts';
import { createLog } from '../http/log.ts';
import { runUntilStopped } from '../http/process.ts';
import { connectPatiently } from '../providers/connections/patience.ts';
import { startTracing } from '../providers/tracing/tracing.ts';
import { connectTemporal } from './engine/temporal.ts';
import { startApi } from './start-api.ts';

const NO_CARDS = 'CARD_PROCESSOR_SECRET_KEY or CARD_PROCESSOR_WEBHOOK_SECRET is not set: what needs cards answers 503';

connectPatiently();
const config = loadApiConfig(process.env);
// Buffered while a write is in progress: a log line must not hold up other requests.
const log = { level: config.logLevel, base: { service: 'api' } };
const logger = createLog(log, pino.destination({ sync: false }));

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

const api = await startApi({
  ...{ config, database, temporal, logger, metrics },
  now: Date.now,
  corsOrigins: config.corsOrigins,
  tracing,
  port: config.port,
});
logger.info({ port: api.port }, 'listening');
const { secretKey, webhookSecrets } = config.cardProcessor;
if (secretKey === null || webhookSecrets.length === 0) logger.warn(NO_CARDS);

runUntilStopped(logger, async () => {
  await api.stop();
  await temporal.close();
  await database.close();
  await tracing?.close();
});
