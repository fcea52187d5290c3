// The keys of the signing secrets, by the roles they vouch for (domain/access/portals.ts). Contract 2 "JWT".
import type { KeyObject } from 'node:crypto';
import { type AcceptedSecrets, ROLES_BY_SECRET, type SigningSecret, vouchesFor } from '../../domain/access/portals.ts';
import { ROLES, type Role } from '../../domain/permissions.ts';
import { signingKey } from '../../providers/signed-token.ts';

const SIGNING_SECRETS = Object.keys(ROLES_BY_SECRET) as SigningSecret[];

/** Gives the keys that may have signed a token of each role; a secret that was replaced vouches for the same roles. */
export function keysByRole(secrets: AcceptedSecrets): ReadonlyMap<Role, readonly KeyObject[]> {
  const keys = SIGNING_SECRETS.flatMap((name) => secrets[name].map((secret) => ({ name, key: signingKey(secret) })));
  return new Map(ROLES.map((role) => [role, keys.filter(({ name }) => vouchesFor(name, role)).map(({ key }) => key)]));
}
