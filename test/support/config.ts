// The configuration of a platform under test.
import { type Config, loadConfig, SECRET_NAMES } from '../../config.ts';
import type { TestDatabase } from './database.ts';
import { PATIENT_VARIABLES } from './patience.ts';
import { TEST_PAYLOAD_KEYS } from './payload-keys.ts';

export interface TestConfigInput {
  database: Pick<TestDatabase, 'appUrl' | 'opsUrl'> & Partial<Pick<TestDatabase, 'authUrl'>>;
  temporalAddress: string;
  taskQueuePrefix: string;
  /** Variables as in `.env.example`, which replace those above. */
  variables?: Record<string, string>;
}

/** A complete configuration with secrets that differ from each other. */
export function testConfig({ database, temporalAddress, taskQueuePrefix, variables }: TestConfigInput): Config {
  const secrets = SECRET_NAMES.map((name) => [name, `${name.toLowerCase()}-of-the-tests-0123456789abcdef`]);
  return loadConfig({
    ...Object.fromEntries(secrets),
    DATABASE_APP_URL: database.appUrl,
    DATABASE_OPS_URL: database.opsUrl,
    DATABASE_AUTH_URL: database.authUrl,
    TEMPORAL_ADDRESS: temporalAddress,
    TASK_QUEUE_PREFIX: taskQueuePrefix,
    PAYLOAD_KEYS: TEST_PAYLOAD_KEYS,
    LOG_LEVEL: 'silent',
    ...PATIENT_VARIABLES,
    ...variables,
  });
}
