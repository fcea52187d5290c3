// The variables of the service that carries notifications to the devices of insureds.
import { z } from 'zod';
import { confidential, confidentialOrigin, isEncryptedOrLocal } from './shapes.ts';

const AccountSchema = z.object({
  project_id: z.string().regex(/^[\w-]+$/),
  client_email: z.string().min(3),
  private_key: z.string().startsWith('-----BEGIN'),
  token_uri: z.string().refine((url) => URL.canParse(url) && isEncryptedOrLocal(url)),
});

export const pushVariables = {
  PUSH_SERVICE_ACCOUNT_KEY: confidential(
    z
      .string()
      .transform(accountIn)
      .refine((account) => account !== null, 'must be the JSON of a service account, on one line')
      .optional()
      .describe('The key file of our service account at the push service. Unset: devices are notified nothing.'),
  ),
  PUSH_BASE_URL: confidentialOrigin()
    .default('https://fcm.googleapis.com')
    .describe("Where the push service answers. Default: the service's own address."),
} as const;

const pushSchema = z.object(pushVariables);

/** How the push service is called; without an account it is not. */
export function pushConfig(values: z.infer<typeof pushSchema>) {
  return { account: values.PUSH_SERVICE_ACCOUNT_KEY ?? null, baseUrl: values.PUSH_BASE_URL };
}

function accountIn(text: string) {
  const { data } = AccountSchema.safeParse(jsonIn(text));
  if (data === undefined) return null;
  const { project_id: projectId, client_email: clientEmail, private_key: privateKey, token_uri: tokenUrl } = data;
  return { projectId, clientEmail, privateKey, tokenUrl };
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
