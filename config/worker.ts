// The variables of a worker, and the configuration they make. It signs and verifies nothing, so it has none of our
// secrets.
import { z } from 'zod';
import { dataDirOf, dataVariables, defaultOrgVariables, environmentVariables, logVariables } from './installation.ts';
import { signingConfig, signingFault, signingVariables } from './outbound.ts';
import {
  bucketConfig,
  bucketFault,
  bucketVariables,
  cardConfig,
  cardVariables,
  chromiumConfig,
  chromiumVariables,
  mailConfig,
  mailVariables,
} from './providers.ts';
import { pushConfig, pushVariables } from './push.ts';
import { receiverConfig, receiverFault, receiverVariables } from './receivers.ts';
import { portOrAny, text } from './shapes.ts';
import { businessVariables, poolVariables } from './stores.ts';
import { tracingConfig, tracingFault, tracingVariables } from './telemetry.ts';
import { engineConfig, engineFault, temporalVariables } from './temporal.ts';

/** Where a worker answers probes and scrapers. */
export const workerAddressVariables = {
  WORKER_PORT: portOrAny()
    .default(8789)
    .describe('Port at which the worker answers /healthz, /readyz and /metrics. 0 is any that is free.'),
} as const;

/** Where a worker has its workflow code from, and its version, when Temporal should route workflows by it. */
export const workflowCodeVariables = {
  WORKFLOW_BUNDLE: text()
    .optional()
    .describe(
      'File with the bundled workflow code, of scripts/bundle-workflows.ts. Default: a worker bundles it at each start.',
    ),
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
  ...workerAddressVariables,
  ...logVariables,
  ...businessVariables,
  ...poolVariables,
  ...temporalVariables,
  ...tracingVariables,
  ...workflowCodeVariables,
  ...defaultOrgVariables,
  ...mailVariables,
  ...dataVariables,
  ...cardVariables,
  ...chromiumVariables,
  ...signingVariables,
  ...pushVariables,
  ...receiverVariables,
  ...bucketVariables,
} as const;

export const workerSchema = z.object(workerVariables);

type Values = z.infer<typeof workerSchema>;
export type WorkerConfig = ReturnType<typeof workerConfig>;

/** Describes a conflict between variables that depend on each other, or null. */
export function workerFault(values: Values): string | null {
  return (
    bucketFault(values) ?? engineFault(values) ?? tracingFault(values) ?? receiverFault(values) ?? signingFault(values)
  );
}

export function workerConfig(values: Values) {
  return {
    environment: values.ENVIRONMENT,
    port: values.WORKER_PORT,
    logLevel: values.LOG_LEVEL,
    databaseAppUrl: values.DATABASE_APP_URL,
    databaseOpsUrl: values.DATABASE_OPS_URL,
    poolSize: values.DATABASE_POOL_SIZE,
    ...engineConfig(values),
    ...tracingConfig(values),
    workflowBundle: values.WORKFLOW_BUNDLE ?? null,
    deployment: deploymentConfig(values),
    defaultOrgId: values.DEFAULT_ORG_ID ?? null,
    ...mailConfig(values),
    dataDir: dataDirOf(values),
    ...receiverConfig(values),
    cardProcessor: cardConfig(values),
    chromium: chromiumConfig(values),
    signing: signingConfig(values),
    push: pushConfig(values),
    s3: bucketConfig(values),
  };
}

function deploymentConfig({ WORKER_DEPLOYMENT_NAME: deploymentName, WORKER_BUILD_ID: buildId }: Values) {
  return deploymentName === undefined || buildId === undefined ? null : { deploymentName, buildId };
}
