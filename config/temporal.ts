// The environment variables about the Temporal server: its address, our credentials, and the keys of what we store in
// it. TEMPORAL_* variables have the names and meanings that all Temporal tools share.
import { existsSync } from 'node:fs';
import { loadClientConnectConfig } from '@temporalio/envconfig';
import { z } from 'zod';
import type { Environment } from './installation.ts';
import { address, confidential, text } from './shapes.ts';

const DEFAULT_ADDRESS = '127.0.0.1:7233';
const DEFAULT_NAMESPACE = 'default';
const KEY_BYTES = 32;
const KEY_ENTRY = /^([\w.-]{1,64}):([A-Za-z0-9+/]{43}=)$/;

/** A payload key; its id travels with every payload that it has encrypted. */
export interface PayloadKey {
  id: string;
  /** 32 bytes. */
  key: Uint8Array;
}

const payloadKeys = () =>
  z
    .string()
    .transform((value) => value.split(',').map((entry) => KEY_ENTRY.exec(entry.trim())))
    .refine(isKeyRing, `must be id:key,… with different ids and keys of ${KEY_BYTES} bytes in base64`)
    .transform((entries) => entries.map((entry) => toPayloadKey(entry as RegExpExecArray)));

/** Read by the processes that reach Temporal. */
export const temporalVariables = {
  TEMPORAL_ADDRESS: address()
    .optional()
    .describe(`host:port of the Temporal server. Set it to use one of your own. Default ${DEFAULT_ADDRESS}.`),
  TEMPORAL_NAMESPACE: text().optional().describe(`Temporal namespace. Default ${DEFAULT_NAMESPACE}.`),
  TEMPORAL_API_KEY: confidential(text().optional().describe('API key of Temporal Cloud; it switches TLS on.')),
  TEMPORAL_TLS: z
    .enum(['true', 'false'], 'must be true or false')
    .optional()
    .describe('Whether the connection is encrypted. Default: with an API key or a certificate.'),
  TEMPORAL_TLS_CLIENT_CERT_PATH: text().optional().describe('Our certificate for mutual TLS, a PEM file.'),
  TEMPORAL_TLS_CLIENT_CERT_DATA: text().optional().describe('The certificate itself, in place of its file.'),
  TEMPORAL_TLS_CLIENT_KEY_PATH: text().optional().describe('The private key of that certificate, a PEM file.'),
  TEMPORAL_TLS_CLIENT_KEY_DATA: confidential(
    text().optional().describe('The private key itself, in place of its file.'),
  ),
  TEMPORAL_TLS_SERVER_CA_CERT_PATH: text()
    .optional()
    .describe('Certificate authority that the server must be certified by, a PEM file.'),
  TEMPORAL_TLS_SERVER_CA_CERT_DATA: text().optional().describe('The authority itself, in place of its file.'),
  TEMPORAL_TLS_SERVER_NAME: text().optional().describe("Name in the server's certificate, where it is another."),
  TEMPORAL_CONFIG_FILE: text()
    .optional()
    .describe('A temporal.toml with profiles of connections. The variables above win over what it says.'),
  TEMPORAL_PROFILE: text().optional().describe('The profile of that file to use. Default: default.'),
  TASK_QUEUE_PREFIX: z
    .string()
    .regex(/^[\w.-]*$/, 'may have letters, digits, dots, dashes and underscores')
    .default('')
    .describe('Put before the name of every task queue, so that two installations can share a namespace.'),
  PAYLOAD_KEYS: confidential(
    payloadKeys()
      .optional()
      .describe(
        'Keys that encrypt what workflows carry: id:key,… The first encrypts, all decrypt. Required outside local.',
      ),
  ),
} as const;

const schema = z.object(temporalVariables);
type Values = z.infer<typeof schema>;

/** Variables that only make sense with a server of one's own. */
const SECURITY = ['TEMPORAL_API_KEY', 'TEMPORAL_TLS', ...named('TEMPORAL_TLS_')] as const;

/**
 * The keys that a value of PAYLOAD_KEYS stands for.
 * @throws ZodError showing no value
 */
export function payloadKeysIn(value: string): readonly PayloadKey[] {
  return payloadKeys().parse(value);
}

/** Describes a fault in the connection settings, or null; no value is shown. */
export function connectionFault(values: Values): string | null {
  const file = values.TEMPORAL_CONFIG_FILE;
  if (values.TEMPORAL_PROFILE !== undefined && file === undefined) return 'TEMPORAL_CONFIG_FILE must be set too';
  if (file !== undefined && !existsSync(file)) return 'TEMPORAL_CONFIG_FILE names a file that is not there';
  const hasCertificate = has(values, 'TEMPORAL_TLS_CLIENT_CERT');
  if (hasCertificate !== has(values, 'TEMPORAL_TLS_CLIENT_KEY')) {
    return `TEMPORAL_TLS_CLIENT_${hasCertificate ? 'KEY' : 'CERT'}_PATH or …_DATA must be set too`;
  }
  const connection = attempt(values);
  if (connection === null) {
    return 'The connection to Temporal cannot be read: a profile of TEMPORAL_CONFIG_FILE or a file that TEMPORAL_TLS_… names';
  }
  const given = SECURITY.find((name) => values[name] !== undefined);
  if (given !== undefined && connection.temporalAddress === null)
    return `${given} is set: TEMPORAL_ADDRESS must be too`;
  const { apiKey, tls } = connection.temporalSecurity;
  return apiKey !== undefined && tls === false
    ? 'TEMPORAL_TLS must not be false: the API key would go in the open'
    : null;
}

/** Describes a fault in a service's connection settings or payload keys, or null; no value is shown. */
export function engineFault(values: Values & { ENVIRONMENT: Environment }): string | null {
  return connectionFault(values) ?? payloadKeyFault(values);
}

function payloadKeyFault(values: Values & { ENVIRONMENT: Environment }): string | null {
  if (values.PAYLOAD_KEYS !== undefined || values.ENVIRONMENT === 'local') return null;
  return 'PAYLOAD_KEYS is missing: outside a local installation what workflows carry is encrypted';
}

/** The part of a service's configuration that is about Temporal. */
export function engineConfig(values: Values) {
  const { temporalAddress, ...rest } = temporalConfig(values);
  return { ...rest, temporalAddress: temporalAddress ?? DEFAULT_ADDRESS };
}

/** The same for `npm start`; `temporalAddress` is null where none is given: then it runs a server. */
export function temporalConfig(values: Values) {
  const { connectionOptions, namespace } = loadClientConnectConfig({
    overrideEnvVars: asEnvironment(values),
    // A file in the user's home must not decide where an installation's workflows run.
    disableFile: values.TEMPORAL_CONFIG_FILE === undefined,
  });
  const { address, tls, apiKey, metadata } = connectionOptions;
  return {
    temporalAddress: address ?? null,
    temporalNamespace: namespace ?? DEFAULT_NAMESPACE,
    /** Credentials and encryption of the connection, as the SDK takes them. */
    temporalSecurity: {
      ...(tls === undefined || tls === null ? {} : { tls }),
      ...(typeof apiKey === 'string' ? { apiKey } : {}),
      ...(metadata === undefined ? {} : { metadata: metadata as Record<string, string> }),
    },
    taskQueuePrefix: values.TASK_QUEUE_PREFIX,
    payloadKeys: (values.PAYLOAD_KEYS ?? []) as readonly PayloadKey[],
  };
}

/** Null when the SDK refuses it; what it says may quote the file, which may hold an API key. */
function attempt(values: Values): ReturnType<typeof temporalConfig> | null {
  try {
    return temporalConfig(values);
  } catch {
    return null;
  }
}

function named(prefix: string) {
  return (Object.keys(temporalVariables) as (keyof Values)[]).filter((name) => name.startsWith(prefix));
}

function has(values: Values, name: 'TEMPORAL_TLS_CLIENT_CERT' | 'TEMPORAL_TLS_CLIENT_KEY'): boolean {
  return values[`${name}_PATH`] !== undefined || values[`${name}_DATA`] !== undefined;
}

/** Ours have meanings of our own, and only texts are variables of the SDK. */
function asEnvironment(values: Values): Record<string, string> {
  return Object.fromEntries(
    named('TEMPORAL_').flatMap((name) => (typeof values[name] === 'string' ? [[name, values[name]]] : [])),
  );
}

function isKeyRing(entries: (RegExpExecArray | null)[]): boolean {
  const ids = entries.map((entry) => entry?.[1]);
  return !ids.includes(undefined) && new Set(ids).size === ids.length;
}

function toPayloadKey([, id = '', key = '']: RegExpExecArray): PayloadKey {
  return { id, key: Buffer.from(key, 'base64') };
}
