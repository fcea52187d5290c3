// The environment variables that hold signing keys and bearer secrets: all different, each at least 32 bytes, each with
// its predecessor. A process reads only those that it signs or verifies with.
import type { z } from 'zod';
import { confidential, secret } from './shapes.ts';

const current = (text: string) => confidential(secret().describe(text));

export const secretVariables = {
  JWT_SECRET: current('Signs the tokens of staff: every role except producer and policyholder.'),
  FINANCE_JWT_SECRET: current('Signs the tokens of the finance portal.'),
  COMPLIANCE_JWT_SECRET: current('Signs the tokens of the compliance portal.'),
  CARRIER_JWT_SECRET: current('Signs the tokens of the carrier portal.'),
  PORTAL_JWT_SECRET: current('Signs the tokens of the producer portal.'),
  POLICYHOLDER_JWT_SECRET: current('Signs the tokens of policyholders.'),
  API_SECRET: current('Machine secret: full access across organizations, every call audited.'),
  AUTH_SECRET: current('Signs the sessions of the authentication service.'),
} as const;

/** Names in a configuration. */
const FIELDS = {
  JWT_SECRET: 'jwtSecret',
  FINANCE_JWT_SECRET: 'financeJwtSecret',
  COMPLIANCE_JWT_SECRET: 'complianceJwtSecret',
  CARRIER_JWT_SECRET: 'carrierJwtSecret',
  PORTAL_JWT_SECRET: 'portalJwtSecret',
  POLICYHOLDER_JWT_SECRET: 'policyholderJwtSecret',
  API_SECRET: 'apiSecret',
  AUTH_SECRET: 'authSecret',
} as const satisfies Record<keyof typeof secretVariables, string>;

export type SecretName = keyof typeof secretVariables;
export const SECRET_NAMES = Object.keys(secretVariables) as SecretName[];

type PreviousName<Name extends SecretName = SecretName> = `${Name}_PREVIOUS`;
type SecretSchema = ReturnType<typeof secret>;
type Field<Name extends SecretName> = (typeof FIELDS)[Name];
type Values<Name extends SecretName> = Record<Name, string> & { [Previous in PreviousName<Name>]?: string | undefined };
type SecretConfig<Name extends SecretName> = Record<Field<Name>, string> & {
  /**
   * The secrets that a signature may come from: the current one, which signs, and its predecessor while that is set.
   */
  acceptedSecrets: Record<Field<Name>, readonly string[]>;
};

const previousOf = <Name extends SecretName>(name: Name): PreviousName<Name> => `${name}_PREVIOUS`;

/**
 * The replaced secrets: their signatures are accepted until the variables are removed, and they sign nothing new.
 */
export const previousVariables = Object.fromEntries(
  SECRET_NAMES.map((name) => [
    previousOf(name),
    confidential(secret().optional().describe(`Still accepted: the secret that ${name} has replaced.`)),
  ]),
) as Record<PreviousName, z.ZodOptional<SecretSchema>>;

/** The variables of some of the secrets, each with its predecessor. */
export function secretsNamed<const Name extends SecretName>(names: readonly Name[]) {
  const entries = names.flatMap((name) => [
    [name, secretVariables[name]] as const,
    [previousOf(name), previousVariables[previousOf(name)]] as const,
  ]);
  return Object.fromEntries(entries) as Record<Name, SecretSchema> &
    Record<PreviousName<Name>, z.ZodOptional<SecretSchema>>;
}

/** Describes a conflict between secrets, or null; no value is shown. */
export function secretFault(values: Partial<Record<SecretName | PreviousName, unknown>>): string | null {
  const holders = new Map<unknown, string>();
  for (const name of [...SECRET_NAMES, ...SECRET_NAMES.map(previousOf)]) {
    const value = values[name];
    if (value === undefined) continue;
    const holder = holders.get(value);
    if (holder) return `${name} equals ${holder}: every secret must be different`;
    holders.set(value, name);
  }
  return null;
}

/** The part of a configuration that is about secrets. */
export function secretConfig<Name extends SecretName>(
  names: readonly Name[],
  values: Values<Name>,
): SecretConfig<Name> {
  const previous = values as Partial<Record<PreviousName, string>>;
  const signing = names.map((name) => [FIELDS[name], values[name]]);
  const accepted = names.map((name) => [FIELDS[name], [values[name], previous[previousOf(name)] ?? []].flat()]);
  return { ...Object.fromEntries(signing), acceptedSecrets: Object.fromEntries(accepted) } as SecretConfig<Name>;
}
