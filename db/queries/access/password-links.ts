// Tokens e-mailed as links: to replace a forgotten password, and to accept an invitation. Only a person's newest
// password link is valid, and only once; the database stores hashes.
import { createHash, randomBytes } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { ID_PREFIXES, isId } from '../../../domain/ids.ts';
import { putValue, takeValueWithHash } from '../platform/kv.ts';

const TOKEN_BYTES = 32;

/** What the database knows about a token. */
export interface LinkKey {
  /** The person, or the invited user. */
  id: string;
  /** SHA-256 of the secret in hex. */
  hash: string;
}

/** Makes the secret of a link, and its hash. */
export function newLinkSecret(): { secret: string; hash: string } {
  const secret = randomBytes(TOKEN_BYTES).toString('base64url');
  return { secret, hash: hashOf(secret) };
}

/** Writes the token of the e-mail. */
export function linkToken(id: string, secret: string): string {
  return `${id}.${secret}`;
}

/** Reads an e-mailed token; null for any other shape. */
export function openLinkToken(token: string): LinkKey | null {
  const [id = '', secret = '', ...rest] = token.split('.');
  return isId(id, ID_PREFIXES.user) && rest.length === 0 ? { id, hash: hashOf(secret) } : null;
}

/** Makes the token of a link by which a person sets a password. Any scope will do. */
export async function createPasswordLink(
  em: EntityManager,
  personId: string,
  lifetimeSeconds: number,
): Promise<string> {
  const { secret, hash } = newLinkSecret();
  await putValue(em, keyOf(personId), { hash }, lifetimeSeconds);
  return linkToken(personId, secret);
}

/** Redeems a link and returns the person whose password may be set; null if it is wrong, used, replaced or expired. */
export async function takePasswordLink(em: EntityManager, { id, hash }: LinkKey): Promise<string | null> {
  return (await takeValueWithHash(em, keyOf(id), hash)) === null ? null : id;
}

function keyOf(personId: string): string {
  return `set-password:${personId}`;
}

function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}
