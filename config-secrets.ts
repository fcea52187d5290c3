// The environment variables that hold signing keys and bearer secrets: all different, each at least 32 bytes, each with the
// one that it has replaced. Part of config.ts.
import { z } from 'zod';

const MINIMUM_SECRET_BYTES = 32;

const secret = () =>
  z
    .string()
    .refine(
      (value) => Buffer.byteLength(value) >= MINIMUM_SECRET_BYTES,
      `must have at least ${MINIMUM_SECRET_BYTES} bytes`,
    );

export const secretVariables = {
  JWT_SECRET: secret().describe('Signs the tokens of staff: every role except producer and policyholder.'),
  FINANCE_JWT_SECRET: secret().describe('Signs the tokens of the finance portal.'),
  COMPLIANCE_JWT_SECRET: secret().describe('Signs the tokens of the compliance portal.'),
  CARRIER_JWT_SECRET: secret().describe('Signs the tokens of the carrier portal.'),
  PORTAL_JWT_SECRET: secret().describe('Signs the tokens of the producer portal.'),
  POLICYHOLDER_JWT_SECRET: secret().describe('Signs the tokens of policyholders.'),
  API_SECRET: secret().describe('Machine secret: full access across organizations, every call audited.'),
  AUTH_SECRET: secret().describe('Signs the sessions of the authentication service.'),
} as const;

export type SecretName = keyof typeof secretVariables;
export const SECRET_NAMES = Object.keys(secretVariables) as SecretName[];

type PreviousName = `${SecretName}_PREVIOUS`;
const previousOf = (name: SecretName): PreviousName => `${name}_PREVIOUS`;

/** The secrets that were replaced: what they signed is accepted until they are taken away, and nothing new is signed. */
export const previousVariables = Object.fromEntries(
  SECRET_NAMES.map((name) => [
    previousOf(name),
    secret().optional().describe(`Still accepted: the secret that ${name} has replaced.`),
  ]),
) as Record<PreviousName, z.ZodOptional<ReturnType<typeof secret>>>;

const schema = z.object({ ...secretVariables, ...previousVariables });

type Values = z.infer<typeof schema>;

/** What is wrong with secrets that are held against each other, or null; no value is shown. */
export function secretFault(values: Values): string | null {
  const holders = new Map<string, string>();
  for (const name of [...SECRET_NAMES, ...SECRET_NAMES.map(previousOf)]) {
    const value = values[name];
    if (value === undefined) continue;
    const holder = holders.get(value);
    if (holder) return `${name} equals ${holder}: every secret must be different`;
    holders.set(value, name);
  }
  return null;
}

/** The part of a service's configuration that is about secrets. */
export function secretConfig(values: Values) {
  return {
    jwtSecret: values.JWT_SECRET,
    financeJwtSecret: values.FINANCE_JWT_SECRET,
    complianceJwtSecret: values.COMPLIANCE_JWT_SECRET,
    carrierJwtSecret: values.CARRIER_JWT_SECRET,
    portalJwtSecret: values.PORTAL_JWT_SECRET,
    policyholderJwtSecret: values.POLICYHOLDER_JWT_SECRET,
    apiSecret: values.API_SECRET,
    authSecret: values.AUTH_SECRET,
    acceptedSecrets: acceptedSecrets(values),
  };
}

/** What a signature may have been made with: the current secret, which signs, and the one before it while it is set. */
function acceptedSecrets(values: Values) {
  const accepted = (name: SecretName): readonly string[] => [values[name], values[previousOf(name)] ?? []].flat();
  return {
    jwtSecret: accepted('JWT_SECRET'),
    financeJwtSecret: accepted('FINANCE_JWT_SECRET'),
    complianceJwtSecret: accepted('COMPLIANCE_JWT_SECRET'),
    carrierJwtSecret: accepted('CARRIER_JWT_SECRET'),
    portalJwtSecret: accepted('PORTAL_JWT_SECRET'),
    policyholderJwtSecret: accepted('POLICYHOLDER_JWT_SECRET'),
    apiSecret: accepted('API_SECRET'),
    authSecret: accepted('AUTH_SECRET'),
  };
}
