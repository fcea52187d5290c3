// The cookies of the service: its session, the state of a single sign-on in progress, and those of the portals.

/** Spec 5.4.1. Its Path keeps it from portals on the same host, one of which uses the same name. */
export const SESSION_COOKIE = 'svc_session';
export const SESSION_PATH = '/api/auth';

export interface CookieFacts {
  name: string;
  value: string;
  path: string;
  maxAgeSeconds: number;
  /** Outside local development, a cookie is sent only over TLS. */
  secure: boolean;
}

/**
 * Writes a Set-Cookie value: never readable by scripts, and sent along only when the user navigates here themselves.
 */
export function writeCookie({ name, value, path, maxAgeSeconds, secure }: CookieFacts): string {
  const parts = [`${name}=${encodeURIComponent(value)}`, `Max-Age=${maxAgeSeconds}`, `Path=${path}`, 'HttpOnly'];
  return [...parts, ...(secure ? ['Secure'] : []), 'SameSite=Lax'].join('; ');
}

/** Reads a cookie from a Cookie header, decoded; null if missing. */
export function readCookie(header: string, name: string): string | null {
  for (const pair of header.split(';')) {
    const equals = pair.indexOf('=');
    if (equals < 0 || pair.slice(0, equals).trim() !== name) continue;
    try {
      return decodeURIComponent(pair.slice(equals + 1).trim());
    } catch {
      return null;
    }
  }
  return null;
}
