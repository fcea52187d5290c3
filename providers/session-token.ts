// The form in which a session leaves the authentication service: `<token>.<HMAC>`, as in its cookie. The database keeps
// only the token, so that reading the table lets no one impersonate anyone.
import { createHmac } from 'node:crypto';
import { isSameSecret } from './constant-time.ts';

const MAX_CHARACTERS = 500;

/** Signs the token of a session, the way better-auth signs its cookies. */
export function sealSessionToken(token: string, authSecret: string): string {
  return `${token}.${signature(token, authSecret)}`;
}

/**
 * Returns the token inside a sealed one, which may still be cookie-encoded; null if none of the secrets made the
 * signature.
 */
export function openSessionToken(sealed: string, ...authSecrets: readonly string[]): string | null {
  if (sealed.length > MAX_CHARACTERS) return null;
  const text = decode(sealed);
  const dot = text.lastIndexOf('.');
  if (dot < 1) return null;
  const token = text.slice(0, dot);
  const signatures = authSecrets.map((secret) => signature(token, secret));
  return isSameSecret(text.slice(dot + 1), ...signatures) ? token : null;
}

/**
 * Names a session where others can read it, such as the audit log: its start and end carry the same name, and no one
 * can derive the id from it without the key. A new key gives another name.
 */
export function sessionReference(sessionId: string, authSecret: string): string {
  return createHmac('sha256', authSecret).update(`session:${sessionId}`).digest('hex');
}

function signature(token: string, authSecret: string): string {
  return createHmac('sha256', authSecret).update(token).digest('base64');
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
