// The variables by which the identity verifier, the e-signature provider and a language model are called.
import { z } from 'zod';
import { esignProviderVariables } from './inbound.ts';
import { confidential, confidentialOrigin, count, key, text } from './shapes.ts';

/** Of the process that starts inquiries. */
export const identityVariables = {
  IDENTITY_VERIFIER_API_KEY: confidential(
    key().optional().describe('Our key at the identity verifier. Unset: inquiries are unavailable.'),
  ),
  IDENTITY_VERIFIER_BASE_URL: confidentialOrigin()
    .default('https://api.withpersona.com')
    .describe("Where the identity verifier answers. Default: the verifier's own address."),
  IDENTITY_VERIFIER_TEMPLATE_ID: text()
    .default('itmpl_producer')
    .describe('What an inquiry asks for, as it is set up at the identity verifier.'),
} as const;

/** Of the process that has documents signed. */
export const signingVariables = {
  ...esignProviderVariables,
  ESIGN_API_KEY: confidential(
    key().optional().describe('Our key at the e-signature provider. Unset: envelopes are unavailable.'),
  ),
  ESIGN_BASE_URL: confidentialOrigin()
    .default('https://api.boldsign.com')
    .describe("Where the e-signature provider answers. Default: the provider's own address."),
} as const;

/** Of the process that understands documents. */
export const languageModelVariables = {
  AI_PROVIDER: z
    .enum(['local', 'anthropic'])
    .default('local')
    .describe('Who understands documents that are taken in. anthropic: a language model beside the local analyst.'),
  AI_API_KEY: confidential(key().optional().describe('Our key at the provider of the language model.')),
  AI_BASE_URL: confidentialOrigin()
    .default('https://api.anthropic.com')
    .describe("Where the language model answers. Default: the provider's own address."),
  AI_MODEL: text().optional().describe('The model, as its provider names it.'),
  AI_CALLS_PER_DAY: count(1_000_000)
    .default(500)
    .describe('Calls of the language model for one organization and day. Beyond them the local analyst works alone.'),
} as const;

const languageModelSchema = z.object(languageModelVariables);
const identitySchema = z.object(identityVariables);
const signingSchema = z.object(signingVariables);

/** How the identity verifier is called. */
export function identityConfig(values: z.infer<typeof identitySchema>) {
  return {
    apiKey: values.IDENTITY_VERIFIER_API_KEY ?? null,
    baseUrl: values.IDENTITY_VERIFIER_BASE_URL,
    templateId: values.IDENTITY_VERIFIER_TEMPLATE_ID,
  };
}

/** How the e-signature provider is called. */
export function signingConfig(values: z.infer<typeof signingSchema>) {
  return {
    apiKey: values.ESIGN_API_KEY ?? null,
    baseUrl: values.ESIGN_BASE_URL,
    provider: values.ESIGN_PROVIDER,
  };
}

/** Describes what keeps envelopes from being created although a key is set, or null. */
export function signingFault({ ESIGN_API_KEY, ESIGN_PROVIDER }: z.infer<typeof signingSchema>): string | null {
  if (ESIGN_API_KEY === undefined || ESIGN_PROVIDER === 'boldsign') return null;
  return 'ESIGN_API_KEY needs ESIGN_PROVIDER=boldsign: no other provider can create envelopes';
}

/** Describes what is missing for the language model, or null. */
export function languageModelFault(values: z.infer<typeof languageModelSchema>): string | null {
  if (values.AI_PROVIDER === 'local') return null;
  if (values.AI_API_KEY === undefined) return 'AI_PROVIDER needs AI_API_KEY';
  return values.AI_MODEL === undefined ? 'AI_PROVIDER needs AI_MODEL' : null;
}

/** How the language model is called; null where none is set up. */
export function languageModelConfig(values: z.infer<typeof languageModelSchema>) {
  const { AI_PROVIDER: provider, AI_API_KEY: apiKey, AI_BASE_URL: baseUrl, AI_MODEL: model } = values;
  if (provider === 'local' || apiKey === undefined || model === undefined) return null;
  return { apiKey, baseUrl, model, callsPerDay: values.AI_CALLS_PER_DAY };
}
