// The variables of the authentication service, and the configuration they make. It signs the tokens of every portal and
// checks those presented to a portal; it has neither the machine secret nor the roles of business rows.
import { z } from 'zod';
import {
  authAddressVariables,
  authUrlOf,
  dataDirOf,
  dataVariables,
  environmentVariables,
  logVariables,
  proxyVariables,
} from './installation.ts';
import { mailConfig, mailVariables } from './providers.ts';
import { secretConfig, secretFault, secretsNamed } from './secrets.ts';
import { microsoftConfig, microsoftFault, microsoftVariables, portalVariables } from './sign-in.ts';
import { accountVariables, kvVariables, poolVariables } from './stores.ts';

const SECRETS = [
  'JWT_SECRET',
  'FINANCE_JWT_SECRET',
  'COMPLIANCE_JWT_SECRET',
  'CARRIER_JWT_SECRET',
  'PORTAL_JWT_SECRET',
  'POLICYHOLDER_JWT_SECRET',
  'AUTH_SECRET',
] as const;

export const authVariables = {
  ...environmentVariables,
  ...authAddressVariables,
  ...proxyVariables,
  ...logVariables,
  ...accountVariables,
  ...poolVariables,
  ...kvVariables,
  ...portalVariables,
  ...microsoftVariables,
  ...mailVariables,
  ...dataVariables,
  ...secretsNamed(SECRETS),
} as const;

export const authSchema = z.object(authVariables);

type Values = z.infer<typeof authSchema>;
export type AuthConfig = ReturnType<typeof authConfig>;

/** Describes a conflict between variables that depend on each other, or null. */
export function authFault(values: Values): string | null {
  return microsoftFault(values) ?? secretFault(values);
}

export function authConfig(values: Values) {
  return {
    environment: values.ENVIRONMENT,
    authPort: values.AUTH_PORT,
    authUrl: authUrlOf(values),
    trustProxy: values.TRUST_PROXY,
    logLevel: values.LOG_LEVEL,
    databaseAuthUrl: values.DATABASE_AUTH_URL,
    poolSize: values.DATABASE_POOL_SIZE,
    kvCache: values.KV_CACHE ?? null,
    portalOrigins: values.PORTAL_ORIGINS ?? new Map<string, string>(),
    microsoft: microsoftConfig(values),
    ...mailConfig(values),
    dataDir: dataDirOf(values),
    ...secretConfig(SECRETS, values),
  };
}
