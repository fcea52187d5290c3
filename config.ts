// The one place that knows the environment variables: one documented entry each, in one schema.
// Entry files call `loadConfig(process.env)`; everything else is given a `Config`.
// A fault names its variable and never shows a value.
import { resolve } from 'node:path';
import { z } from 'zod';
import {
  localProviderConfig,
  localProviderVariables,
  providerConfig,
  providerFault,
  providerVariables,
} from './config-providers.ts';
import {
  previousVariables,
  SECRET_NAMES,
  type SecretName,
  secretConfig,
  secretFault,
  secretVariables,
} from './config-secrets.ts';
import { PORTALS } from './domain/portals.ts';

export { SECRET_NAMES, type SecretName };

export const ENVIRONMENTS = ['local', 'sandbox', 'production'] as const;
export type Environment = (typeof ENVIRONMENTS)[number];
export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;

const port = () => z.coerce.number('must be a port number').int('must be a port number').min(1).max(65_535);
const count = (most: number) =>
  z.coerce.number('must be a whole number').int('must be a whole number').min(1).max(most);
const flag = () => z.stringbool({ error: 'must be true or false' });
const webUrl = () => z.url({ protocol: /^https?$/, error: 'must be an http or https address' });
const databaseUrl = () => z.url({ protocol: /^postgres(ql)?$/, error: 'must be a postgres:// address' });
const kvUrl = () =>
  z.url({ protocol: /^(redis|rediss|valkey|valkeys)$/, error: 'must be a redis:// or rediss:// address' });
const address = () => z.string().regex(/^[^\s:/]+:\d{1,5}$/, 'must be host:port');
const smtpUrl = () => z.url({ protocol: /^smtps?$/, error: 'must be an smtp:// or smtps:// address' });
const portalOrigins = () =>
  z
    .string()
    .transform((text) => text.split(',').map((entry) => entry.trim().split('=')))
    .refine((entries) => entries.every(isPortalOrigin), 'must be portal=origin, separated by commas')
    .transform((entries) => new Map(entries.map(([name, origin]) => [name ?? '', origin ?? ''])));
const corsOrigins = () =>
  z
    .string()
    .transform((text) => text.split(',').map((entry) => entry.trim()))
    .refine((origins) => origins.every(isPageOrigin), 'must be https origins, separated by commas');

/** Read by every process. */
const sharedVariables = {
  ENVIRONMENT: z
    .enum(ENVIRONMENTS, `must be one of ${ENVIRONMENTS.join(', ')}`)
    .default('local')
    .describe('What this installation is for: local, sandbox or production.'),
  PORT: port().default(8787).describe('Port of the API.'),
  AUTH_PORT: port().default(8788).describe('Port of the authentication service.'),
  BASE_URL: webUrl().optional().describe('Public address of the API, without /v1. Default http://localhost:PORT.'),
  AUTH_URL: webUrl()
    .optional()
    .describe('Public address of the authentication service. Default http://localhost:AUTH_PORT.'),
  TRUST_PROXY: flag()
    .default(false)
    .describe('Whether X-Forwarded-For names the client: only behind a proxy that sets it.'),
  LOG_LEVEL: z
    .enum(LOG_LEVELS, `must be one of ${LOG_LEVELS.join(', ')}`)
    .default('info')
    .describe('Least severe line that is logged.'),

  DATABASE_URL: databaseUrl()
    .optional()
    .describe(
      'PostgreSQL as the owner of the tables; only the migration needs it. Set it to use a server of your own.',
    ),
  DATABASE_APP_URL: databaseUrl().describe('PostgreSQL as the role bindery_app, which row-level security binds.'),
  DATABASE_OPS_URL: databaseUrl().describe('PostgreSQL as the role bindery_ops, which reads across organizations.'),
  DATABASE_AUTH_URL: databaseUrl()
    .optional()
    .describe('PostgreSQL as the role bindery_auth. Default: as bindery_app, with that role in its place.'),
  DATABASE_POOL_SIZE: count(200).default(10).describe('Connections that one process keeps at most, for each role.'),

  TEMPORAL_ADDRESS: address()
    .default('127.0.0.1:7233')
    .describe('host:port of the Temporal server. Set it to use one of your own.'),
  TEMPORAL_NAMESPACE: z.string().min(1).default('default').describe('Temporal namespace.'),
  TASK_QUEUE_PREFIX: z
    .string()
    .regex(/^[\w.-]*$/, 'may have letters, digits, dots, dashes and underscores')
    .default('')
    .describe('Put before the name of every task queue, so that two installations can share a namespace.'),
  WORKER_DEPLOYMENT_NAME: z
    .string()
    .regex(/^[\w-]*$/, 'may have letters, digits, dashes and underscores')
    .optional()
    .describe(
      'Name of the deployment by which Temporal routes workflows to versions of the worker. With WORKER_BUILD_ID.',
    ),
  WORKER_BUILD_ID: z
    .string()
    .optional()
    .describe(
      'Version of the worker within its deployment, as a commit. Without both, every worker takes every workflow.',
    ),

  COMMAND_DEADLINE_MS: count(600_000)
    .default(15_000)
    .describe('How long a caller waits for a command before the API answers 503, in milliseconds.'),
  WEBHOOK_DEADLINE_MS: count(600_000)
    .default(8_000)
    .describe('How long the sender of a webhook waits, in milliseconds: below what providers wait for an answer.'),

  KV_CACHE: kvUrl()
    .optional()
    .describe(
      'Valkey or Redis for codes, attempts, marks of events and request counters. Default: a table of PostgreSQL.',
    ),

  DEFAULT_ORG_ID: z
    .string()
    .min(1)
    .optional()
    .describe('Organization that the machine secret reads when a call names none.'),
  DEMO: flag().optional().describe('Whether a demo organization is created. Default: yes, except in production.'),
  DEMO_API_KEY: z
    .string()
    .regex(/^svck_(live|test)_[0-9A-Za-z]{32,}$/, 'must be an API key')
    .optional()
    .describe('API key that the demo organization is given.'),
} as const;

/** Sign-in and mail. */
const signInVariables = {
  PORTAL_ORIGINS: portalOrigins()
    .optional()
    .describe('Where portals live, for single sign-on: admin=https://admin.example.com,finance=https://….'),
  CORS_ORIGINS: corsOrigins()
    .optional()
    .describe(
      'Pages that may call the API from a browser: https://app.example.com,… Default: none; locally the portals.',
    ),
  MICROSOFT_TENANT_ID: z.guid('must be a UUID').optional().describe('The one tenant that may sign in with Microsoft.'),
  MICROSOFT_CLIENT_ID: z.string().min(1).optional().describe('Id of our application in that tenant.'),
  MICROSOFT_CLIENT_SECRET: z.string().min(1).optional().describe('Secret of our application in that tenant.'),
  MICROSOFT_AUTHORITY: webUrl()
    .default('https://login.microsoftonline.com')
    .describe('The identity provider, without the tenant.'),
  SMTP_URL: smtpUrl().optional().describe('Mail server. Default: mail is written to DATA_DIR/mail as .eml files.'),
  MAIL_FROM: z.string().min(3).default('Bindery <no-reply@bindery.localhost>').describe('Sender of mail.'),
  DATA_DIR: z.string().min(1).default('.data').describe('Folder for everything that npm start keeps.'),
} as const;

/** Read by `npm start` alone, which runs what is not already running elsewhere. */
const supervisorVariables = {
  DATA_DIR: signInVariables.DATA_DIR,
  POSTGRES_PORT: port().default(5433).describe('Port of the PostgreSQL that npm start runs.'),
  TEMPORAL_PORT: port().default(7233).describe('Port of the Temporal server that npm start runs.'),
  TEMPORAL_UI_PORT: port().default(8233).describe('Port of the Temporal web interface that npm start runs.'),
  ...localProviderVariables,
  TEMPORAL_CLI_PATH: z
    .string()
    .min(1)
    .optional()
    .describe('The temporal program to run. Default: the first that is found.'),
} as const;

const serviceSchema = z.object({
  ...sharedVariables,
  ...signInVariables,
  ...providerVariables,
  ...secretVariables,
  ...previousVariables,
});
const migrationSchema = z.object({ ...sharedVariables, DATABASE_URL: sharedVariables.DATABASE_URL.unwrap() });
const supervisorSchema = z.object({
  ...sharedVariables,
  ...providerVariables,
  ...supervisorVariables,
  TEMPORAL_ADDRESS: sharedVariables.TEMPORAL_ADDRESS.unwrap().optional(),
  DATABASE_APP_URL: sharedVariables.DATABASE_APP_URL.optional(),
  DATABASE_OPS_URL: sharedVariables.DATABASE_OPS_URL.optional(),
});

/** Every variable with its description and default, in the order of `.env.example`. */
export const VARIABLES: readonly { name: string; description: string; fallback: string | null }[] = Object.entries({
  ...sharedVariables,
  ...signInVariables,
  ...providerVariables,
  ...secretVariables,
  ...previousVariables,
  ...supervisorVariables,
}).map(([name, schema]) => ({ name, description: schema.description ?? '', fallback: fallbackOf(schema) }));

export type Variables = Readonly<Record<string, string | undefined>>;
export type Config = ReturnType<typeof serviceConfig>;
export type MigrationConfig = ReturnType<typeof migrationConfig>;
export type SupervisorConfig = ReturnType<typeof supervisorConfig>;

/** The configuration cannot be used; the message has one line for each variable at fault and no values. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/**
 * Reads the configuration of a service (api, auth, worker).
 * @throws ConfigError naming each variable that is missing or malformed, or whose secret equals another's
 */
export function loadConfig(variables: Variables): Config {
  const values = parse(serviceSchema, variables);
  refuseHalfMicrosoft(values);
  const fault = secretFault(values) ?? providerFault(values);
  if (fault !== null) throw new ConfigError(fault);
  return serviceConfig(values);
}

/**
 * Reads what the migration needs: the owner's connection and the roles whose passwords it sets.
 * @throws ConfigError naming each variable at fault
 */
export function loadMigrationConfig(variables: Variables): MigrationConfig {
  return migrationConfig(parse(migrationSchema, variables));
}

/**
 * Reads what `npm start` needs to decide which parts it runs itself. Secrets are not among it: it generates what is missing.
 * @throws ConfigError naming each variable at fault
 */
export function loadSupervisorConfig(variables: Variables): SupervisorConfig {
  return supervisorConfig(parse(supervisorSchema, variables));
}

function parse<Schema extends z.ZodType>(schema: Schema, variables: Variables): z.infer<Schema> {
  const present = Object.fromEntries(
    Object.entries(variables).filter(([, value]) => value !== undefined && value !== ''),
  );
  const result = schema.safeParse(present);
  if (result.success) return result.data;
  const lines = result.error.issues.map((issue) => {
    const name = String(issue.path[0]);
    return `${name} ${name in present ? issue.message : 'is missing'}`;
  });
  throw new ConfigError(
    ['The configuration cannot be used (.env.example documents every variable):', ...lines].join('\n  '),
  );
}

function refuseHalfMicrosoft(values: z.infer<typeof serviceSchema>): void {
  const names = ['MICROSOFT_TENANT_ID', 'MICROSOFT_CLIENT_ID', 'MICROSOFT_CLIENT_SECRET'] as const;
  const missing = names.filter((name) => values[name] === undefined);
  if (missing.length === 1 || missing.length === 2) throw new ConfigError(`${missing.join(' and ')} must be set too`);
  if (values.ENVIRONMENT !== 'local' && !values.MICROSOFT_AUTHORITY.startsWith('https:')) {
    throw new ConfigError('MICROSOFT_AUTHORITY must be an https address');
  }
}

/** `portal=origin` with a portal that exists and an origin written as browsers write it. */
function isPortalOrigin([name, origin, ...rest]: string[]): boolean {
  if (rest.length > 0 || !origin || !PORTALS.some((portal) => portal.name === name)) return false;
  return /^https?:/.test(origin) && URL.canParse(origin) && new URL(origin).origin === origin;
}

/** An https origin written as browsers write it; without TLS, of this machine alone. */
function isPageOrigin(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { origin, protocol, hostname } = new URL(text);
  return origin === text && (protocol === 'https:' || (protocol === 'http:' && LOOPBACK.test(hostname)));
}

/** Pages of the portals may call a local API without being listed again. */
function corsConfig({ CORS_ORIGINS, ENVIRONMENT, PORTAL_ORIGINS }: z.infer<typeof serviceSchema>): readonly string[] {
  if (CORS_ORIGINS !== undefined) return CORS_ORIGINS;
  return ENVIRONMENT === 'local' ? [...new Set(PORTAL_ORIGINS?.values())] : [];
}

function asAuthRole(appUrl: string): string {
  const url = new URL(appUrl);
  url.username = 'bindery_auth';
  return url.toString();
}

/** What the worker tells Temporal of its version, or null where it does not route by versions. */
function deploymentConfig(values: z.infer<typeof serviceSchema>) {
  const { WORKER_DEPLOYMENT_NAME: deploymentName, WORKER_BUILD_ID: buildId } = values;
  return deploymentName === undefined || buildId === undefined ? null : { deploymentName, buildId };
}

/** Single sign-on, or null where it is not set up. */
function microsoftConfig(values: z.infer<typeof serviceSchema>) {
  const {
    MICROSOFT_TENANT_ID: tenantId,
    MICROSOFT_CLIENT_ID: clientId,
    MICROSOFT_CLIENT_SECRET: clientSecret,
  } = values;
  if (tenantId === undefined || clientId === undefined || clientSecret === undefined) return null;
  const authority = values.MICROSOFT_AUTHORITY.replace(/\/+$/, '');
  return { tenantId: tenantId.toLowerCase(), clientId, clientSecret, authority };
}

function fallbackOf(schema: z.ZodType): string | null {
  const result = schema.safeParse(undefined);
  return result.success && result.data !== undefined ? String(result.data) : null;
}

type Shared = Pick<z.infer<typeof migrationSchema>, 'ENVIRONMENT' | 'DEMO' | 'DEMO_API_KEY' | 'DEFAULT_ORG_ID'>;

function sharedConfig(values: Shared) {
  return {
    environment: values.ENVIRONMENT,
    demo: values.DEMO ?? values.ENVIRONMENT !== 'production',
    demoApiKey: values.DEMO_API_KEY ?? null,
    defaultOrgId: values.DEFAULT_ORG_ID ?? null,
  };
}

function serviceConfig(values: z.infer<typeof serviceSchema>) {
  return {
    ...sharedConfig(values),
    port: values.PORT,
    authPort: values.AUTH_PORT,
    baseUrl: values.BASE_URL ?? `http://localhost:${values.PORT}`,
    authUrl: values.AUTH_URL ?? `http://localhost:${values.AUTH_PORT}`,
    trustProxy: values.TRUST_PROXY,
    logLevel: values.LOG_LEVEL,
    databaseAppUrl: values.DATABASE_APP_URL,
    databaseOpsUrl: values.DATABASE_OPS_URL,
    databaseAuthUrl: values.DATABASE_AUTH_URL ?? asAuthRole(values.DATABASE_APP_URL),
    poolSize: values.DATABASE_POOL_SIZE,
    temporalAddress: values.TEMPORAL_ADDRESS,
    temporalNamespace: values.TEMPORAL_NAMESPACE,
    taskQueuePrefix: values.TASK_QUEUE_PREFIX,
    deployment: deploymentConfig(values),
    commandDeadlineMs: values.COMMAND_DEADLINE_MS,
    webhookDeadlineMs: values.WEBHOOK_DEADLINE_MS,
    kvCache: values.KV_CACHE ?? null,
    portalOrigins: values.PORTAL_ORIGINS ?? new Map<string, string>(),
    corsOrigins: corsConfig(values),
    microsoft: microsoftConfig(values),
    smtpUrl: values.SMTP_URL ?? null,
    mailFrom: values.MAIL_FROM,
    dataDir: resolve(import.meta.dirname, values.DATA_DIR),
    ...providerConfig(values),
    ...secretConfig(values),
  };
}

function migrationConfig(values: z.infer<typeof migrationSchema>) {
  return {
    ...sharedConfig(values),
    databaseUrl: values.DATABASE_URL,
    databaseAppUrl: values.DATABASE_APP_URL,
    databaseOpsUrl: values.DATABASE_OPS_URL,
    databaseAuthUrl: values.DATABASE_AUTH_URL ?? asAuthRole(values.DATABASE_APP_URL),
    logLevel: values.LOG_LEVEL,
  };
}

function supervisorConfig(values: z.infer<typeof supervisorSchema>) {
  return {
    ...sharedConfig(values),
    port: values.PORT,
    authPort: values.AUTH_PORT,
    dataDir: values.DATA_DIR,
    databaseUrl: values.DATABASE_URL ?? null,
    databaseAppUrl: values.DATABASE_APP_URL ?? null,
    databaseOpsUrl: values.DATABASE_OPS_URL ?? null,
    databaseAuthUrl: values.DATABASE_AUTH_URL ?? null,
    postgresPort: values.POSTGRES_PORT,
    temporalAddress: values.TEMPORAL_ADDRESS ?? null,
    temporalNamespace: values.TEMPORAL_NAMESPACE,
    temporalPort: values.TEMPORAL_PORT,
    temporalUiPort: values.TEMPORAL_UI_PORT,
    temporalCliPath: values.TEMPORAL_CLI_PATH ?? null,
    taskQueuePrefix: values.TASK_QUEUE_PREFIX,
    ...localProviderConfig(values),
  };
}
