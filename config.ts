// The one place that knows the environment variables: each is described once in config/, each process has a
// configuration of its own. Entry files call their loader with `process.env`; everything else is given the
// configuration.
import type { z } from 'zod';
import { type ApiConfig, apiConfig, apiFault, apiSchema } from './config/api.ts';
import { type AuthConfig, authConfig, authFault, authSchema } from './config/auth.ts';
import { type CardProcessorConfig, cardProcessorConfig, cardProcessorSchema } from './config/card-processor.ts';
import { type MigrationConfig, migrationConfig, migrationSchema } from './config/migration.ts';
import { ConfigError, parse, type Variables } from './config/parse.ts';
import { type ProcessName, refuseForeign } from './config/processes.ts';
import { type SupervisorConfig, supervisorConfig, supervisorFault, supervisorSchema } from './config/supervisor.ts';
import { type WorkerConfig, workerConfig, workerFault, workerSchema } from './config/worker.ts';

export { ENVIRONMENTS, type Environment, LOG_LEVELS } from './config/installation.ts';
export { PROCESSES, type ProcessName, VARIABLES, type VariableFacts, variablesOf } from './config/processes.ts';
export { SECRET_NAMES, type SecretName } from './config/secrets.ts';
export { type PayloadKey, payloadKeysIn } from './config/temporal.ts';
export type { ApiConfig, AuthConfig, CardProcessorConfig, MigrationConfig, SupervisorConfig, Variables, WorkerConfig };
export { ConfigError };

/**
 * Reads the configuration of the API.
 * @throws ConfigError naming each variable that is missing, malformed or not for this process, or whose secret equals
 * another's
 */
export function loadApiConfig(variables: Variables): ApiConfig {
  return apiConfig(load('api', apiSchema, variables, apiFault));
}

/** Reads the configuration of a worker. @throws ConfigError like loadApiConfig */
export function loadWorkerConfig(variables: Variables): WorkerConfig {
  return workerConfig(load('worker', workerSchema, variables, workerFault));
}

/** Reads the configuration of the authentication service. @throws ConfigError like loadApiConfig */
export function loadAuthConfig(variables: Variables): AuthConfig {
  return authConfig(load('auth', authSchema, variables, authFault));
}

/** Reads the configuration of the local card processor. @throws ConfigError like loadApiConfig */
export function loadCardProcessorConfig(variables: Variables): CardProcessorConfig {
  return cardProcessorConfig(load('card-processor', cardProcessorSchema, variables));
}

/**
 * Reads what the migration needs. A person runs it with all of `.env`, and it ends before the services start, so it may
 * hold more than it reads.
 * @throws ConfigError naming each variable at fault
 */
export function loadMigrationConfig(variables: Variables): MigrationConfig {
  return migrationConfig(parse(migrationSchema, variables));
}

/**
 * Reads what `npm start` needs to decide which parts it runs itself. Secrets are not among it: it generates what is
 * missing.
 * @throws ConfigError naming each variable at fault
 */
export function loadSupervisorConfig(variables: Variables): SupervisorConfig {
  return supervisorConfig(refuse(supervisorFault, parse(supervisorSchema, variables)));
}

function load<Schema extends z.ZodType>(
  process: ProcessName,
  schema: Schema,
  variables: Variables,
  faultOf: (values: z.infer<Schema>) => string | null = () => null,
): z.infer<Schema> {
  refuseForeign(process, variables);
  return refuse(faultOf, parse(schema, variables));
}

function refuse<Values>(faultOf: (values: Values) => string | null, values: Values): Values {
  const fault = faultOf(values);
  if (fault !== null) throw new ConfigError(fault);
  return values;
}
