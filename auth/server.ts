// The process of the authentication service: reads the configuration, listens, and stops in order.

import { loadAuthConfig } from '../config.ts';
import { createLog } from '../http/log.ts';
import { runUntilStopped } from '../http/process.ts';
import { connectPatiently } from '../providers/connections/patience.ts';
import { startAuth } from './start.ts';

connectPatiently();
const config = loadAuthConfig(process.env);
const logger = createLog({ level: config.logLevel, base: { process: 'auth' } });
const service = await startAuth(config, { logger });
logger.info({ port: service.port }, 'listening');
runUntilStopped(logger, service.stop);
