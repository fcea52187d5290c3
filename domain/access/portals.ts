// The portals, their cookies, and the roles that each signing secret vouches for, so that a leaked portal secret opens
// nothing else. Spec 5.6, Contract 2 "JWT".
import { ROLES, type Role } from '../permission-table.ts';

/** Names of the signing secrets, as in the configuration. */
export type SigningSecret =
  | 'jwtSecret'
  | 'financeJwtSecret'
  | 'complianceJwtSecret'
  | 'carrierJwtSecret'
  | 'portalJwtSecret'
  | 'policyholderJwtSecret';

/** Signing secrets during rotation: the current one first, then the previous one. */
export type AcceptedSecrets = Readonly<Record<SigningSecret, readonly string[]>>;

/** Secret → the roles it vouches for. Under any other pairing a token is invalid. Contract 2. */
export const ROLES_BY_SECRET: Readonly<Record<SigningSecret, readonly Role[]>> = {
  jwtSecret: ROLES.filter((role) => role !== 'producer' && role !== 'policyholder'),
  financeJwtSecret: ['finance_analyst', 'billing_admin', 'auditor'],
  complianceJwtSecret: ['compliance_officer', 'auditor'],
  carrierJwtSecret: ['org_admin', 'auditor'],
  portalJwtSecret: ['producer'],
  policyholderJwtSecret: ['policyholder'],
};

export interface Portal {
  /** In paths: `/portals/<name>`. */
  name: string;
  cookie: string;
  secret: SigningSecret;
}

/** Every portal with a callback; `uw` is short for the underwriting workbench. Spec 5.6. */
export const PORTALS: readonly Portal[] = [
  { name: 'admin', cookie: 'svc_admin_token', secret: 'jwtSecret' },
  { name: 'finance', cookie: 'svc_finance_token', secret: 'financeJwtSecret' },
  { name: 'compliance', cookie: 'svc_compliance_token', secret: 'complianceJwtSecret' },
  { name: 'carrier', cookie: 'svc_carrier_token', secret: 'carrierJwtSecret' },
  { name: 'producer', cookie: 'svc_producer_token', secret: 'portalJwtSecret' },
  { name: 'underwriting', cookie: 'svc_uw_token', secret: 'jwtSecret' },
  { name: 'uw', cookie: 'svc_uw_token', secret: 'jwtSecret' },
  { name: 'policyholder', cookie: 'svc_session', secret: 'policyholderJwtSecret' },
];

/** Whether tokens of a role may be signed with a secret. Contract 2. */
export function vouchesFor(secret: SigningSecret, role: Role): boolean {
  return ROLES_BY_SECRET[secret].includes(role);
}

/** Names the secret that signs a role's tokens at sign-in, exchange and demo. Contract 2. */
export function secretOfRole(role: Role): SigningSecret {
  if (role === 'producer') return 'portalJwtSecret';
  return role === 'policyholder' ? 'policyholderJwtSecret' : 'jwtSecret';
}
