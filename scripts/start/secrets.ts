// The secrets that `npm start` generates once and keeps in the data folder, readable only by its owner: signing
// secrets, the database roles' passwords, the demo organization's API key, the secrets shared with event providers,
// and the payload key.
import { randomBytes, randomInt } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Environment, SECRET_NAMES, type SecretName, type Variables } from '../../config.ts';
import { StartError } from './start-error.ts';

const FILE = 'secrets.json';
const SECRET_BYTES = 32;
const API_KEY_LENGTH = 43;
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** The secrets that event senders sign with, by the services' variable names. */
export const EVENT_SECRET_NAMES = [
  'CARD_PROCESSOR_WEBHOOK_SECRET',
  'IDENTITY_VERIFIER_WEBHOOK_SECRET',
  'EMAIL_PROVIDER_WEBHOOK_SECRET',
  'ESIGN_WEBHOOK_SECRET',
] as const;
type EventSecretName = (typeof EVENT_SECRET_NAMES)[number];

export type Secrets = Record<SecretName | EventSecretName, string> & {
  databaseOwnerPassword: string;
  databaseAppPassword: string;
  databaseOpsPassword: string;
  databaseAuthPassword: string;
  demoApiKey: string;
  cardProcessorKey: string;
  PAYLOAD_KEYS: string;
};

/**
 * Reads a data folder's secrets and generates missing ones.
 * @throws StartError when the file cannot be read as JSON
 */
export function keepSecrets(dataDir: string, environment: Environment): Secrets {
  const path = join(dataDir, FILE);
  const kept = readSecrets(dataDir);
  const secrets = { ...generateSecrets(environment), ...kept };
  if (Object.keys(secrets).length > Object.keys(kept).length) {
    writeFileSync(`${path}.new`, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600 });
    renameSync(`${path}.new`, path);
  }
  return secrets;
}

/**
 * Reads a data folder's secrets; there are none before the first start.
 * @throws StartError when the file cannot be read as JSON
 */
export function readSecrets(dataDir: string): Partial<Secrets> {
  const path = join(dataDir, FILE);
  if (!existsSync(path)) return {};
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Partial<Secrets>;
  } catch {
    throw new StartError(
      `${path} is not readable as JSON: restore it, or move the whole data folder away to start afresh (its database knows only the old passwords).`,
    );
  }
}

/** Credentials for the local platform; null if neither the environment nor the data folder has them. */
export interface LocalCredentials {
  apiKey: string | null;
  apiSecret: string | null;
}

/** Finds the credentials of the local platform. An empty variable counts as not set. */
export function localCredentials(variables: Variables, dataDir: string): LocalCredentials {
  const kept = readSecrets(dataDir);
  return {
    apiKey: variables.DEMO_API_KEY || kept.demoApiKey || null,
    apiSecret: variables.API_SECRET || kept.API_SECRET || null,
  };
}

function generateSecrets(environment: Environment): Secrets {
  const signing = Object.fromEntries(SECRET_NAMES.map((name) => [name, randomSecret()])) as Record<SecretName, string>;
  return {
    ...signing,
    databaseOwnerPassword: randomSecret(),
    databaseAppPassword: randomSecret(),
    databaseOpsPassword: randomSecret(),
    databaseAuthPassword: randomSecret(),
    demoApiKey: `svck_${environment === 'production' ? 'live' : 'test'}_${randomBase62(API_KEY_LENGTH)}`,
    cardProcessorKey: `sk_test_${randomSecret()}`,
    CARD_PROCESSOR_WEBHOOK_SECRET: `whsec_${randomSecret()}`,
    IDENTITY_VERIFIER_WEBHOOK_SECRET: `wbhsec_${randomSecret()}`,
    // This one is a prefix followed by the key in base64.
    EMAIL_PROVIDER_WEBHOOK_SECRET: `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`,
    ESIGN_WEBHOOK_SECRET: randomSecret(),
    PAYLOAD_KEYS: `local:${randomBytes(SECRET_BYTES).toString('base64')}`,
  };
}

function randomSecret(): string {
  return randomBytes(SECRET_BYTES).toString('hex');
}

function randomBase62(length: number): string {
  return Array.from({ length }, () => BASE62[randomInt(BASE62.length)]).join('');
}
