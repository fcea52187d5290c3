// The process of the authentication service: reads the configuration, listens, and stops in order.
import pino from 'pino';
import { loadConfig } from '../config.ts';
import { startAuth } from './start.ts';

const STOP_SIGNALS = ['SIGTERM', 'SIGINT'] as const;

const config = loadConfig(process.env);
const logger = pino({ level: config.logLevel, base: { process: 'auth' } });
const service = await startAuth(config, { logger });
logger.info({ port: service.port }, 'listening');

const stop = async (signal: string) => {
  for (const name of STOP_SIGNALS) process.removeAllListeners(name);
  logger.info({ signal }, 'stopping');
  await service.stop();
  logger.info('stopped');
};
for (const signal of STOP_SIGNALS) process.once(signal, () => void stop(signal));
