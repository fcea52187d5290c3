// The variables of `npm start` and of the scripts that work on what it runs: what runs elsewhere, and where the rest
// should run.
import { isAbsolute } from 'node:path';
import { z } from 'zod';
import { cardPortVariables } from './card-processor.ts';
import {
  apiAddressVariables,
  authAddressVariables,
  dataVariables,
  defaultOrgVariables,
  demoConfig,
  demoVariables,
  environmentVariables,
} from './installation.ts';
import { bucketVariables, cardVariables } from './providers.ts';
import { port } from './shapes.ts';
import { accountVariables, businessVariables, ownerVariables } from './stores.ts';
import { connectionFault, temporalConfig, temporalVariables } from './temporal.ts';
import { workerAddressVariables } from './worker.ts';

/** Read by `npm start` alone, which runs what is not already running elsewhere. */
export const supervisorVariables = {
  POSTGRES_PORT: port().default(5433).describe('Port of the PostgreSQL that npm start runs.'),
  TEMPORAL_PORT: port().default(7233).describe('Port of the Temporal server that npm start runs.'),
  TEMPORAL_UI_PORT: port().default(8233).describe('Port of the Temporal web interface that npm start runs.'),
  ...cardPortVariables,
  BACKGROUND_WORKER_PORT: port()
    .default(8791)
    .describe('WORKER_PORT of the second worker that npm start runs, for batches, deliveries and reports.'),
  TEMPORAL_CLI_PATH: z
    .string()
    .min(1)
    .optional()
    .describe('The temporal program to run. Default: the first that is found.'),
  BACKUP_DIR: z
    .string()
    .refine(isAbsolute, 'must be an absolute path, such as /srv/bindery-backups')
    .optional()
    .describe('Folder for backups of what npm start runs, as an absolute path. Default: nothing is archived.'),
  OPERATOR: z
    .string()
    .min(1)
    .optional()
    .describe('Who decides with npm run ops. Default: the account of the operating system, where that is a person.'),
} as const;

export const supervisorSchema = z.object({
  ...environmentVariables,
  ...apiAddressVariables,
  ...authAddressVariables,
  ...workerAddressVariables,
  ...ownerVariables,
  DATABASE_APP_URL: businessVariables.DATABASE_APP_URL.optional(),
  DATABASE_OPS_URL: businessVariables.DATABASE_OPS_URL.optional(),
  DATABASE_AUTH_URL: accountVariables.DATABASE_AUTH_URL.optional(),
  ...temporalVariables,
  ...defaultOrgVariables,
  ...demoVariables,
  ...dataVariables,
  ...cardVariables,
  S3_BUCKET: bucketVariables.S3_BUCKET,
  ...supervisorVariables,
});

type Values = z.infer<typeof supervisorSchema>;
export type SupervisorConfig = ReturnType<typeof supervisorConfig>;

/** Describes a conflict between variables that depend on each other, or null. */
export function supervisorFault(values: Values): string | null {
  if (values.WORKER_PORT === 0) return 'WORKER_PORT must not be 0: npm start asks there whether the worker is ready';
  return connectionFault(values);
}

export function supervisorConfig(values: Values) {
  // A local card processor runs where the installation is local and has no other.
  const needsCardProcessor = values.ENVIRONMENT === 'local' && values.CARD_PROCESSOR_SECRET_KEY === undefined;
  return {
    ...demoConfig(values),
    port: values.PORT,
    authPort: values.AUTH_PORT,
    workerPort: values.WORKER_PORT,
    backgroundWorkerPort: values.BACKGROUND_WORKER_PORT,
    dataDir: values.DATA_DIR,
    databaseUrl: values.DATABASE_URL ?? null,
    databaseAppUrl: values.DATABASE_APP_URL ?? null,
    databaseOpsUrl: values.DATABASE_OPS_URL ?? null,
    databaseAuthUrl: values.DATABASE_AUTH_URL ?? null,
    postgresPort: values.POSTGRES_PORT,
    ...temporalConfig(values),
    temporalPort: values.TEMPORAL_PORT,
    temporalUiPort: values.TEMPORAL_UI_PORT,
    temporalCliPath: values.TEMPORAL_CLI_PATH ?? null,
    bucket: values.S3_BUCKET ?? null,
    backupDir: values.BACKUP_DIR ?? null,
    operator: values.OPERATOR ?? null,
    localCardProcessorPort: needsCardProcessor ? values.CARD_PROCESSOR_PORT : null,
  };
}
