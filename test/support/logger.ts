// Loggers for tests: silent, unless BINDERY_TEST_LOG asks for a level.
import pino from 'pino';

export const silentLogger = pino({ level: process.env.BINDERY_TEST_LOG ?? 'silent' });
