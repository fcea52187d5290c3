// The environment variables of the installation: what it is for, its addresses, and where it stores things.
import { resolve } from 'node:path';
import { z } from 'zod';
import { confidential, flag, port, webUrl } from './shapes.ts';

export const ENVIRONMENTS = ['local', 'sandbox', 'production'] as const;
export type Environment = (typeof ENVIRONMENTS)[number];
export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

const ROOT = resolve(import.meta.dirname, '..');

export const environmentVariables = {
  ENVIRONMENT: z
    .enum(ENVIRONMENTS, `must be one of ${ENVIRONMENTS.join(', ')}`)
    .default('local')
    .describe('What this installation is for: local, sandbox or production.'),
} as const;

/** Of the API. */
export const apiAddressVariables = {
  PORT: port().default(8787).describe('Port of the API.'),
  BASE_URL: webUrl().optional().describe('Public address of the API, without /v1. Default http://localhost:PORT.'),
} as const;

/** Of the authentication service. */
export const authAddressVariables = {
  AUTH_PORT: port().default(8788).describe('Port of the authentication service.'),
  AUTH_URL: webUrl()
    .optional()
    .describe('Public address of the authentication service. Default http://localhost:AUTH_PORT.'),
} as const;

export const proxyVariables = {
  TRUST_PROXY: flag()
    .default(false)
    .describe('Whether X-Forwarded-For names the client: only behind a proxy that sets it.'),
} as const;

export const logVariables = {
  LOG_LEVEL: z
    .enum(LOG_LEVELS, `must be one of ${LOG_LEVELS.join(', ')}`)
    .default('info')
    .describe('Least severe line that is logged.'),
} as const;

export const defaultOrgVariables = {
  DEFAULT_ORG_ID: z
    .string()
    .min(1)
    .optional()
    .describe('Organization that the machine secret reads when a call names none.'),
} as const;

/** Of the demo organization, which the migration creates. */
export const demoVariables = {
  DEMO: flag().optional().describe('Whether a demo organization is created. Default: yes, except in production.'),
  DEMO_API_KEY: confidential(
    z
      .string()
      .regex(/^svck_(live|test)_[0-9A-Za-z]{32,}$/, 'must be an API key')
      .optional()
      .describe('API key that the demo organization is given.'),
  ),
} as const;

export const dataVariables = {
  DATA_DIR: z.string().min(1).default('.data').describe('Folder for everything that npm start keeps.'),
} as const;

/** The public address of the API. */
export function baseUrlOf({ BASE_URL, PORT }: { BASE_URL?: string | undefined; PORT: number }): string {
  return BASE_URL ?? `http://localhost:${PORT}`;
}

/** The public address of the authentication service. */
export function authUrlOf({ AUTH_URL, AUTH_PORT }: { AUTH_URL?: string | undefined; AUTH_PORT: number }): string {
  return AUTH_URL ?? `http://localhost:${AUTH_PORT}`;
}

/** The data folder as an absolute path. */
export function dataDirOf({ DATA_DIR }: { DATA_DIR: string }): string {
  return resolve(ROOT, DATA_DIR);
}

/** Whether to create the demo organization, and its settings. */
export function demoConfig(values: {
  ENVIRONMENT: Environment;
  DEMO?: boolean | undefined;
  DEMO_API_KEY?: string | undefined;
  DEFAULT_ORG_ID?: string | undefined;
}) {
  return {
    environment: values.ENVIRONMENT,
    demo: values.DEMO ?? values.ENVIRONMENT !== 'production',
    demoApiKey: values.DEMO_API_KEY ?? null,
    defaultOrgId: values.DEFAULT_ORG_ID ?? null,
  };
}
