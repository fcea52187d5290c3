// Identifies the caller: reads and verifies the credential of a request. Spec 5.1, 5.2, Contract 2.
import type { IncomingMessage } from 'node:http';
import type { ApiConfig } from '../../config.ts';
import type { Database } from '../../db/orm.ts';
import { findApiKeysByHash, isTouchDue, type KeyInUse, touchApiKey } from '../../db/queries/access/api-keys.ts';
import { ANY_SCOPE } from '../../db/scope.ts';
import { together } from '../../db/together.ts';
import { isStillEntitled } from '../../domain/access/key-makers.ts';
import type { Role } from '../../domain/permissions.ts';
import { isSameSecret } from '../../providers/constant-time.ts';
import { fitsEnvironment, hashOfApiKey, looksLikeApiKey } from './api-keys.ts';
import type { OrganizationDirectory, OrganizationFacts } from './organizations.ts';
import { CredentialRejected, type RejectionFacts } from './rejected.ts';
import type { VerifyToken } from './tokens.ts';
import type { EnsureServed, TokenHolder } from './user-standing.ts';

/** A caller with a valid credential, before the organization of the call is known. */
export interface Caller {
  kind: 'user' | 'api_key' | 'machine';
  id: string;
  role: Role;
  /** The organization the credential belongs to; null for the machine. */
  home: OrganizationFacts | null;
  scopes: string[] | null;
  credential: CredentialFacts;
}

/** What ends a credential; a socket it opened ends with it. */
export interface CredentialFacts {
  /** Null for one that does not expire. */
  expiresAtMs: number | null;
  /** Set for a token: its user may be deactivated or changed. */
  holder: TokenHolder | null;
}

/** Verifies the credential of a request. @throws CredentialRejected */
export type Authenticate = (request: IncomingMessage) => Promise<Caller>;

export interface CredentialParts {
  config: Pick<ApiConfig, 'acceptedSecrets' | 'environment'>;
  database: Database;
  organizations: OrganizationDirectory;
  verifyToken: VerifyToken;
  ensureServed: EnsureServed;
  now: () => number;
  /** Work that no caller waits for. */
  inBackground: (what: string, work: Promise<unknown>) => void;
}

const BEARER = /^Bearer +(\S+) *$/i;
const JWT_SHAPE = /^[\w-]+\.[\w-]+\.[\w-]*$/;
const ENDLESS: CredentialFacts = { expiresAtMs: null, holder: null };
const MACHINE: Caller = {
  kind: 'machine',
  id: 'machine',
  role: 'superadmin',
  home: null,
  scopes: null,
  credential: ENDLESS,
};

/**
 * Builds the credential check. An API key and its maker are looked up every time, so that an ended one is refused
 * immediately.
 */
export function createAuthenticator(parts: CredentialParts): Authenticate {
  const { database } = parts;
  const findKey = together<string, KeyInUse | null>((hashes) =>
    database.forOrg(ANY_SCOPE, (em) => findApiKeysByHash(em, hashes)),
  );
  // `headers` would only show the first of two `Authorization`s.
  return async ({ headersDistinct: { authorization = [], 'x-api-key': apiKeys = [] } }) => {
    const credential = credentialOf(authorization, apiKeys);
    if (looksLikeApiKey(credential)) return callerOfKey(credential, findKey, parts);
    if (authorization.length === 0) throw rejected('api_key', 'no API key');
    if (JWT_SHAPE.test(credential)) return callerOfToken(credential, parts);
    if (isSameSecret(credential, ...parts.config.acceptedSecrets.apiSecret)) return MACHINE;
    throw rejected('machine', 'unknown secret');
  };
}

/**
 * Takes the single credential from the headers. A header sent twice proves nothing; neither do two different
 * credentials.
 */
function credentialOf(authorizations: readonly string[], apiKeys: readonly string[]): string {
  if (authorizations.length > 1 || apiKeys.length > 1) throw rejected('malformed', 'two credentials');
  const [authorization] = authorizations;
  const [apiKey] = apiKeys;
  if (authorization === undefined && apiKey === undefined) throw rejected('none', 'no credential');
  const bearer = authorization === undefined ? null : BEARER.exec(authorization)?.[1];
  if (bearer === undefined) throw rejected('malformed', 'not a bearer credential');
  if (apiKey === undefined) return bearer ?? '';
  if (bearer !== null && bearer !== apiKey) throw rejected('malformed', 'two credentials');
  return apiKey;
}

async function callerOfToken(token: string, parts: CredentialParts): Promise<Caller> {
  const { verifyToken, ensureServed, organizations } = parts;
  const claims = await verifyToken(token);
  const { subject, orgId, role } = claims;
  const home = await organizations.find(orgId);
  if (home === null) throw new CredentialRejected({ kind: 'jwt', reason: 'unknown organization', subject });
  await ensureServed(claims);
  const credential = { expiresAtMs: claims.expiresAtSeconds * 1000, holder: claims };
  return { kind: 'user', id: subject, role, home, scopes: null, credential };
}

async function callerOfKey(
  credential: string,
  findKey: (hash: string) => Promise<KeyInUse | null>,
  parts: CredentialParts,
): Promise<Caller> {
  const { database, organizations, now } = parts;
  if (!fitsEnvironment(credential, parts.config.environment)) throw rejected('api_key', 'malformed or foreign key');
  const found = await findKey(hashOfApiKey(credential));
  if (found === null) throw rejected('api_key', 'unknown key');
  const { key, maker } = found;
  const { orgId, id } = key;
  if (key.revokedAt !== null) throw rejected('api_key', 'revoked key', { orgId, subject: id });
  if (key.expiresAt !== null && key.expiresAt.getTime() <= now()) {
    throw rejected('api_key', 'expired key', { orgId, subject: id });
  }
  if (!isStillEntitled(key, maker)) {
    throw rejected('api_key', 'its maker has lost the role for it', { orgId, subject: id });
  }
  const home = await organizations.find(orgId);
  if (home === null) throw rejected('api_key', 'unknown organization');
  if (isTouchDue(key, now())) {
    const touched = database.forOrg(orgId, (em) => touchApiKey(em, key, now()));
    parts.inBackground('noting the use of an API key', touched);
  }
  const facts = { expiresAtMs: key.expiresAt?.getTime() ?? null, holder: null };
  return { kind: 'api_key', id, role: key.makerRole, home, scopes: key.scopes, credential: facts };
}

function rejected(kind: RejectionFacts['kind'], reason: string, known: Partial<RejectionFacts> = {}) {
  return new CredentialRejected({ kind, reason, ...known });
}
