// The variables of the process that receives the events of the identity verifier, the email provider and the
// e-signature provider: by which secrets they are proven. Without a secret nothing is accepted.
import { z } from 'zod';
import { ESIGN_PROVIDERS } from '../domain/signing/provider.ts';
import { confidential, key } from './shapes.ts';

const secretOf = (sender: string) =>
  confidential(key().optional().describe(`Signs the events that ${sender} sends us. Unset: none is accepted.`));
const previousOf = (name: string) =>
  confidential(key().optional().describe(`Still accepted: the secret that ${name} has replaced.`));

/** Of the processes that know one e-signature provider from another. */
export const esignProviderVariables = {
  ESIGN_PROVIDER: z
    .enum(ESIGN_PROVIDERS, `must be one of ${ESIGN_PROVIDERS.join(', ')}`)
    .default('boldsign')
    .describe('The e-signature provider: boldsign, docusign, documenso or generic. Envelopes are created at boldsign.'),
} as const;

export const inboundVariables = {
  IDENTITY_VERIFIER_WEBHOOK_SECRET: secretOf('the identity verifier'),
  IDENTITY_VERIFIER_WEBHOOK_SECRET_PREVIOUS: previousOf('IDENTITY_VERIFIER_WEBHOOK_SECRET'),
  EMAIL_PROVIDER_WEBHOOK_SECRET: secretOf('the email provider'),
  EMAIL_PROVIDER_WEBHOOK_SECRET_PREVIOUS: previousOf('EMAIL_PROVIDER_WEBHOOK_SECRET'),
  ...esignProviderVariables,
  ESIGN_WEBHOOK_SECRET: secretOf('the e-signature provider'),
  ESIGN_WEBHOOK_SECRET_PREVIOUS: previousOf('ESIGN_WEBHOOK_SECRET'),
} as const;

const inboundSchema = z.object(inboundVariables);

/** Any of the secrets of a provider may have signed its events; none where it is not set up. */
export function inboundConfig(values: z.infer<typeof inboundSchema>) {
  return {
    identityVerifierSecrets: [
      values.IDENTITY_VERIFIER_WEBHOOK_SECRET ?? [],
      values.IDENTITY_VERIFIER_WEBHOOK_SECRET_PREVIOUS ?? [],
    ].flat(),
    emailProviderSecrets: [
      values.EMAIL_PROVIDER_WEBHOOK_SECRET ?? [],
      values.EMAIL_PROVIDER_WEBHOOK_SECRET_PREVIOUS ?? [],
    ].flat(),
    esignProvider: values.ESIGN_PROVIDER,
    esignSecrets: [values.ESIGN_WEBHOOK_SECRET ?? [], values.ESIGN_WEBHOOK_SECRET_PREVIOUS ?? []].flat(),
  };
}
