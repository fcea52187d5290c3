// Links to set a password: for an invitation, or because the old one was forgotten. Only a user's newest link works,
// and only once; the database stores its hash.
import { createHash, randomBytes } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { ID_PREFIXES, isId } from '../../domain/ids.ts';
import { putValue, takeValueWithHash } from './kv.ts';

const TOKEN_BYTES = 32;

/** Creates a link token for a user. Any scope will do. */
export async function createPasswordLink(em: EntityManager, userId: string, lifetimeSeconds: number): Promise<string> {
  const secret = randomBytes(TOKEN_BYTES).toString('base64url');
  await putValue(em, keyOf(userId), { hash: hashOf(secret) }, lifetimeSeconds);
  return `${userId}.${secret}`;
}

/** Uses up a link and returns the user whose password may be set; null when it is wrong, used, replaced or expired. */
export async function takePasswordLink(em: EntityManager, token: string): Promise<string | null> {
  const [userId = '', secret = '', ...rest] = token.split('.');
  if (!isId(userId, ID_PREFIXES.user) || rest.length > 0) return null;
  return (await takeValueWithHash(em, keyOf(userId), hashOf(secret))) === null ? null : userId;
}

function keyOf(userId: string): string {
  return `set-password:${userId}`;
}

function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}
