// The keys of the signing secrets, by the roles they vouch for (domain/access/portals.ts). Contract 2 "JWT".
import type { KeyObject } from 'node:crypto';
import { type AcceptedSecrets, ROLES_BY_SECRET, type SigningSecret, vouchesFor } from '../../domain/access/portals.ts';
import { ROLES, type Role } from '../../domain/permissions.ts';
import { tokenKey } from '../../providers/signed-token.ts';

const SIGNING_SECRETS = Object.keys(ROLES_BY_SECRET) as SigningSecret[];

export type KeysBySecret = ReadonlyMap<SigningSecret, readonly KeyObject[]>;

/** Returns the keys of each signing secret: the current one and the one it replaces. */
export function keysBySecret(secrets: AcceptedSecrets): KeysBySecret {
  return new Map(SIGNING_SECRETS.map((name) => [name, secrets[name].map(tokenKey)]));
}

/** Returns the keys that may have signed a token for each role; a replaced secret vouches for the same roles. */
export function keysByRole(keys: KeysBySecret): ReadonlyMap<Role, readonly KeyObject[]> {
  const keysOf = (role: Role) => [...keys].flatMap(([name, own]) => (vouchesFor(name, role) ? own : []));
  return new Map(ROLES.map((role) => [role, keysOf(role)]));
}
