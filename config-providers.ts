// The environment variables of those whom the platform calls: the card processor and the object storage. Part of config.ts.
import { z } from 'zod';

const DEFAULT_CARD_PROCESSOR_PORT = 8790;
const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;

const webUrl = () => z.url({ protocol: /^https?$/, error: 'must be an http or https address' });
/** A key goes along with every call, so it must not cross a network in the open. */
const confidentialOrigin = () =>
  z.string().refine(isConfidentialOrigin, 'must be an https address without a path, or one of this machine');
const key = () => z.string().regex(/^\S{16,}$/, 'must have at least 16 characters and no blanks');

/** Read by the services. */
export const providerVariables = {
  CARD_PROCESSOR_SECRET_KEY: key()
    .optional()
    .describe('Our key at the card processor. Unset: npm start runs a local one, elsewhere cards are unavailable.'),
  CARD_PROCESSOR_WEBHOOK_SECRET: key().optional().describe('Signs the events that the card processor sends us.'),
  CARD_PROCESSOR_WEBHOOK_SECRET_PREVIOUS: key()
    .optional()
    .describe('Still accepted: the secret that CARD_PROCESSOR_WEBHOOK_SECRET has replaced.'),
  CARD_PROCESSOR_BASE_URL: confidentialOrigin()
    .optional()
    .describe("Where the card processor answers. Default: the processor's own address."),
  S3_BUCKET: z.string().min(3).optional().describe('Bucket for documents. Default: files in DATA_DIR/storage.'),
  S3_REGION: z.string().min(1).default('us-east-1').describe('Region of the bucket.'),
  S3_ENDPOINT: webUrl().optional().describe("A store that is compatible with S3. Default: Amazon's."),
  S3_ACCESS_KEY_ID: z
    .string()
    .min(1)
    .optional()
    .describe('Name of our key at the store. Default: the credentials of the machine.'),
  S3_SECRET_ACCESS_KEY: z.string().min(1).optional().describe('Secret of our key at the store.'),
} as const;

/** Read by `npm start` alone. */
export const localProviderVariables = {
  CARD_PROCESSOR_PORT: z.coerce
    .number('must be a port number')
    .int('must be a port number')
    .min(1)
    .max(65_535)
    .default(DEFAULT_CARD_PROCESSOR_PORT)
    .describe('Port of the local card processor that npm start runs.'),
} as const;

const providerSchema = z.object(providerVariables);
const supervisorSchema = z.object({ ...providerVariables, ...localProviderVariables });

type Values = z.infer<typeof providerSchema>;

function isConfidentialOrigin(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, pathname } = new URL(text);
  return pathname === '/' && (protocol === 'https:' || (protocol === 'http:' && LOOPBACK.test(hostname)));
}

/** What is wrong with variables that only make sense together, or null. */
export function providerFault(values: Values): string | null {
  const hasName = values.S3_ACCESS_KEY_ID !== undefined;
  if (hasName === (values.S3_SECRET_ACCESS_KEY !== undefined)) return null;
  return `${hasName ? 'S3_SECRET_ACCESS_KEY' : 'S3_ACCESS_KEY_ID'} must be set too`;
}

/** The part of a service's configuration that is about providers. */
export function providerConfig(values: Values) {
  return {
    cardProcessor: {
      secretKey: values.CARD_PROCESSOR_SECRET_KEY ?? null,
      baseUrl: values.CARD_PROCESSOR_BASE_URL ?? null,
      /** Of which any may have signed an event; none where no processor is set up. */
      webhookSecrets: [
        values.CARD_PROCESSOR_WEBHOOK_SECRET ?? [],
        values.CARD_PROCESSOR_WEBHOOK_SECRET_PREVIOUS ?? [],
      ].flat() as readonly string[],
    },
    s3: bucketConfig(values),
  };
}

function bucketConfig(values: Values) {
  const { S3_BUCKET: bucket, S3_REGION: region, S3_ACCESS_KEY_ID: accessKeyId } = values;
  const secretAccessKey = values.S3_SECRET_ACCESS_KEY;
  if (bucket === undefined) return null;
  const hasCredentials = accessKeyId !== undefined && secretAccessKey !== undefined;
  return {
    bucket,
    region,
    endpoint: values.S3_ENDPOINT ?? null,
    credentials: hasCredentials ? { accessKeyId, secretAccessKey } : null,
  };
}

/** What `npm start` decides by: a local card processor runs where the installation is local and has no other. */
export function localProviderConfig(values: z.infer<typeof supervisorSchema> & { ENVIRONMENT: string }) {
  const isNeeded = values.ENVIRONMENT === 'local' && values.CARD_PROCESSOR_SECRET_KEY === undefined;
  return { localCardProcessorPort: isNeeded ? values.CARD_PROCESSOR_PORT : null };
}
