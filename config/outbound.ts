// The variables by which the identity verifier and the e-signature provider are called.
import { z } from 'zod';
import { esignProviderVariables } from './inbound.ts';
import { confidential, confidentialOrigin, key, text } from './shapes.ts';

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
