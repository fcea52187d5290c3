// The variables of a worker, and the configuration they make. It signs and verifies nothing, so it has none of our
// secrets.
import { z } from 'zod';
import { dataDirOf, dataVariables, defaultOrgVariables, environmentVariables, logVariables } from './installation.ts';
import {
  bucketConfig,
  bucketFault,
  bucketVariables,
  cardConfig,
  cardVariables,
  mailConfig,
  mailVariables,
} from './providers.ts';
import { text } from './shapes.ts';
import { businessVariables, poolVariables } from './stores.ts';
import { engineConfig, engineFault, temporalVariables } from './temporal.ts';

/** The version of the worker's workflow code, when Temporal should route workflows by it. */
export const deploymentVariables = {
  WORKER_DEPLOYMENT_NAME: z
    .string()
    .regex(/^[\w-]*$/, 'may have letters, digits, dashes and underscores')
    .optional()
    .describe(
      'Name of the deployment by which Temporal routes workflows to versions of the worker. With WORKER_BUILD_ID.',
    ),
  WORKER_BUILD_ID: text()
    .optional()
    .describe(
      'Version of the worker within its deployment, as a commit. Without both, every worker takes every workflow.',
    ),
} as const;

export const workerVariables = {
  ...environmentVariables,
  ...logVariables,
  ...businessVariables,
  ...poolVariables,
  ...temporalVariables,
  ...deploymentVariables,
  ...defaultOrgVariables,
  ...mailVariables,
  ...dataVariables,
  ...cardVariables,
  ...bucketVariables,
} as const;

export const workerSchema = z.object(workerVariables);

type Values = z.infer<typeof workerSchema>;
export type WorkerConfig = ReturnType<typeof workerConfig>;

/** Describes a conflict between variables that depend on each other, or null. */
export function workerFault(values: Values): string | null {
  return bucketFault(values) ?? engineFault(values);
}

export function workerConfig(values: Values) {
  return {
    environment: values.ENVIRONMENT,
    logLevel: values.LOG_LEVEL,
    databaseAppUrl: values.DATABASE_APP_URL,
    databaseOpsUrl: values.DATABASE_OPS_URL,
    poolSize: values.DATABASE_POOL_SIZE,
    ...engineConfig(values),
    deployment: deploymentConfig(values),
    defaultOrgId: values.DEFAULT_ORG_ID ?? null,
    ...mailConfig(values),
    dataDir: dataDirOf(values),
    cardProcessor: cardConfig(values),
    s3: bucketConfig(values),
  };
}

function deploymentConfig({ WORKER_DEPLOYMENT_NAME: deploymentName, WORKER_BUILD_ID: buildId }: Values) {
  return deploymentName === undefined || buildId === undefined ? null : { deploymentName, buildId };
}
