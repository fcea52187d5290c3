// The configurations of a platform under test: from one set of variables, each process gets those that it reads.
import {
  type ApiConfig,
  type AuthConfig,
  loadApiConfig,
  loadAuthConfig,
  loadWorkerConfig,
  SECRET_NAMES,
  variablesOf,
  type WorkerConfig,
} from '../../config.ts';
import { PATIENT_VARIABLES } from './patience.ts';
import { TEST_PAYLOAD_KEYS } from './payload-keys.ts';
import type { TestDatabase } from './servers/database.ts';
import { BUNDLE_VARIABLE } from './servers/servers.ts';

export interface TestConfigInput {
  database: Pick<TestDatabase, 'appUrl' | 'opsUrl'> & Partial<Pick<TestDatabase, 'authUrl'>>;
  temporalAddress: string;
  taskQueuePrefix: string;
  /** Variables as in `.env.example`, overriding those of `testVariables`. */
  variables?: Record<string, string>;
}

/** Complete variables for an installation, with every secret different. */
export function testVariables(input: TestConfigInput): Record<string, string> {
  const { database, temporalAddress, taskQueuePrefix, variables } = input;
  const secrets = SECRET_NAMES.map((name) => [name, `${name.toLowerCase()}-of-the-tests-0123456789abcdef`]);
  return {
    ...Object.fromEntries(secrets),
    DATABASE_APP_URL: database.appUrl,
    DATABASE_OPS_URL: database.opsUrl,
    ...(database.authUrl === undefined ? {} : { DATABASE_AUTH_URL: database.authUrl }),
    TEMPORAL_ADDRESS: temporalAddress,
    TASK_QUEUE_PREFIX: taskQueuePrefix,
    WORKER_PORT: '0',
    // Making one costs as much as the rest of a worker's start.
    WORKFLOW_BUNDLE: process.env[BUNDLE_VARIABLE] ?? '',
    PAYLOAD_KEYS: TEST_PAYLOAD_KEYS,
    LOG_LEVEL: 'silent',
    ...PATIENT_VARIABLES,
    ...variables,
  };
}

/** The configuration of an API. */
export function testConfig(input: TestConfigInput): ApiConfig {
  return loadApiConfig(variablesOf('api', testVariables(input)));
}

/** The configuration of a worker. */
export function testWorkerConfig(input: TestConfigInput): WorkerConfig {
  return loadWorkerConfig(variablesOf('worker', testVariables(input)));
}

/** The configuration of an authentication service. */
export function testAuthConfig(input: TestConfigInput): AuthConfig {
  return loadAuthConfig(variablesOf('auth', testVariables(input)));
}
