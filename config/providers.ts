// The environment variables of the providers that the platform calls: mail, the card processor and the object storage.
import { homedir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { confidential, confidentialOrigin, key, smtpUrl, webUrl } from './shapes.ts';

export const mailVariables = {
  SMTP_URL: confidential(
    smtpUrl().optional().describe('Mail server. Default: mail is written to DATA_DIR/mail as .eml files.'),
  ),
  EMAIL_PROVIDER_API_KEY: confidential(
    key().optional().describe('Our key at the email provider, which sends mail where SMTP_URL is not set.'),
  ),
  EMAIL_PROVIDER_BASE_URL: confidentialOrigin()
    .default('https://api.resend.com')
    .describe("Where the email provider answers. Default: the provider's own address."),
  MAIL_FROM: z.string().min(3).default('Bindery <no-reply@bindery.localhost>').describe('Sender of mail.'),
} as const;

/** Of the processes that call the card processor. */
export const cardVariables = {
  CARD_PROCESSOR_SECRET_KEY: confidential(
    key()
      .optional()
      .describe('Our key at the card processor. Unset: npm start runs a local one, elsewhere cards are unavailable.'),
  ),
  CARD_PROCESSOR_BASE_URL: confidentialOrigin()
    .optional()
    .describe("Where the card processor answers. Default: the processor's own address."),
} as const;

/** Of the process that receives its events. */
export const cardEventVariables = {
  CARD_PROCESSOR_WEBHOOK_SECRET: confidential(
    key().optional().describe('Signs the events that the card processor sends us.'),
  ),
  CARD_PROCESSOR_WEBHOOK_SECRET_PREVIOUS: confidential(
    key().optional().describe('Still accepted: the secret that CARD_PROCESSOR_WEBHOOK_SECRET has replaced.'),
  ),
} as const;

export const bucketVariables = {
  S3_BUCKET: z.string().min(3).optional().describe('Bucket for documents. Default: files in DATA_DIR/storage.'),
  S3_REGION: z.string().min(1).default('us-east-1').describe('Region of the bucket.'),
  S3_ENDPOINT: webUrl().optional().describe("A store that is compatible with S3. Default: Amazon's."),
  S3_ACCESS_KEY_ID: confidential(
    z.string().min(1).optional().describe('Name of our key at the store. Default: the credentials of the machine.'),
  ),
  S3_SECRET_ACCESS_KEY: confidential(z.string().min(1).optional().describe('Secret of our key at the store.')),
} as const;

export const chromiumVariables = {
  CHROMIUM_PATH: z
    .string()
    .min(1)
    .optional()
    .describe('Chromium that prints documents. Default: the packed one, unpacked into the cache folder of the user.'),
} as const;

const chromiumSchema = z.object(chromiumVariables);
const mailSchema = z.object(mailVariables);
const cardSchema = z.object(cardVariables);
const cardEventSchema = z.object(cardEventVariables);
const bucketSchema = z.object(bucketVariables);

type Bucket = z.infer<typeof bucketSchema>;

/** Describes a conflict between the variables of the bucket, or null. */
export function bucketFault(values: Bucket): string | null {
  const hasName = values.S3_ACCESS_KEY_ID !== undefined;
  if (hasName === (values.S3_SECRET_ACCESS_KEY !== undefined)) return null;
  return `${hasName ? 'S3_SECRET_ACCESS_KEY' : 'S3_ACCESS_KEY_ID'} must be set too`;
}

/** What prints documents. */
export function chromiumConfig(values: z.infer<typeof chromiumSchema>) {
  return { path: values.CHROMIUM_PATH ?? null, cacheDir: join(homedir(), '.cache', 'bindery') };
}

/** How mail is sent. */
export function mailConfig(values: z.infer<typeof mailSchema>) {
  return {
    smtpUrl: values.SMTP_URL ?? null,
    emailProvider: { apiKey: values.EMAIL_PROVIDER_API_KEY ?? null, baseUrl: values.EMAIL_PROVIDER_BASE_URL },
    mailFrom: values.MAIL_FROM,
  };
}

/** How the card processor is called. */
export function cardConfig(values: z.infer<typeof cardSchema>) {
  return { secretKey: values.CARD_PROCESSOR_SECRET_KEY ?? null, baseUrl: values.CARD_PROCESSOR_BASE_URL ?? null };
}

/** Any of these may have signed an event; empty when no processor is set up. */
export function webhookSecretsOf(values: z.infer<typeof cardEventSchema>): readonly string[] {
  return [values.CARD_PROCESSOR_WEBHOOK_SECRET ?? [], values.CARD_PROCESSOR_WEBHOOK_SECRET_PREVIOUS ?? []].flat();
}

/** The bucket, or null where documents are files. */
export function bucketConfig(values: Bucket) {
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
