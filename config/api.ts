// The variables of the API, and the configuration they make.
import { z } from 'zod';
import { deadlineVariables } from './deadlines.ts';
import { inboundConfig, inboundVariables } from './inbound.ts';
import {
  apiAddressVariables,
  authAddressVariables,
  authUrlOf,
  baseUrlOf,
  dataDirOf,
  dataVariables,
  defaultOrgVariables,
  environmentVariables,
  logVariables,
  proxyVariables,
} from './installation.ts';
import {
  identityConfig,
  identityVariables,
  languageModelConfig,
  languageModelFault,
  languageModelVariables,
} from './outbound.ts';
import {
  bucketConfig,
  bucketFault,
  bucketVariables,
  cardConfig,
  cardEventVariables,
  cardVariables,
  mailConfig,
  mailVariables,
  webhookSecretsOf,
} from './providers.ts';
import { receiverConfig, receiverFault, receiverVariables } from './receivers.ts';
import { SECRET_NAMES, secretConfig, secretFault, secretsNamed } from './secrets.ts';
import { corsConfig, pageVariables, portalVariables } from './sign-in.ts';
import { businessVariables, kvVariables, poolVariables } from './stores.ts';
import { tracingConfig, tracingFault, tracingVariables } from './telemetry.ts';
import { engineConfig, engineFault, temporalVariables } from './temporal.ts';

/**
 * It verifies every token, sends commands to workflows, seals sessions and codes, signs policyholders' tokens, and
 * knows the machine secret.
 */
export const apiVariables = {
  ...environmentVariables,
  ...apiAddressVariables,
  ...authAddressVariables,
  ...proxyVariables,
  ...logVariables,
  ...businessVariables,
  ...poolVariables,
  ...temporalVariables,
  ...tracingVariables,
  ...deadlineVariables,
  ...kvVariables,
  ...defaultOrgVariables,
  ...portalVariables,
  ...pageVariables,
  ...mailVariables,
  ...dataVariables,
  ...cardVariables,
  ...receiverVariables,
  ...cardEventVariables,
  ...inboundVariables,
  ...identityVariables,
  ...languageModelVariables,
  ...bucketVariables,
  ...secretsNamed(SECRET_NAMES),
} as const;

export const apiSchema = z.object(apiVariables);

type Values = z.infer<typeof apiSchema>;
export type ApiConfig = ReturnType<typeof apiConfig>;

/** Describes a conflict between variables that depend on each other, or null. */
export function apiFault(values: Values): string | null {
  return (
    secretFault(values) ??
    bucketFault(values) ??
    engineFault(values) ??
    tracingFault(values) ??
    receiverFault(values) ??
    languageModelFault(values)
  );
}

export function apiConfig(values: Values) {
  return {
    environment: values.ENVIRONMENT,
    port: values.PORT,
    baseUrl: baseUrlOf(values),
    authUrl: authUrlOf(values),
    trustProxy: values.TRUST_PROXY,
    logLevel: values.LOG_LEVEL,
    databaseAppUrl: values.DATABASE_APP_URL,
    databaseOpsUrl: values.DATABASE_OPS_URL,
    poolSize: values.DATABASE_POOL_SIZE,
    ...engineConfig(values),
    ...tracingConfig(values),
    commandDeadlineMs: values.COMMAND_DEADLINE_MS,
    webhookDeadlineMs: values.WEBHOOK_DEADLINE_MS,
    kvCache: values.KV_CACHE ?? null,
    defaultOrgId: values.DEFAULT_ORG_ID ?? null,
    corsOrigins: corsConfig(values),
    ...mailConfig(values),
    dataDir: dataDirOf(values),
    ...receiverConfig(values),
    s3: bucketConfig(values),
    cardProcessor: { ...cardConfig(values), webhookSecrets: webhookSecretsOf(values) },
    inbound: inboundConfig(values),
    identityVerifier: identityConfig(values),
    languageModel: languageModelConfig(values),
    ...secretConfig(SECRET_NAMES, values),
  };
}
