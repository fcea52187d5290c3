// The address of a WebSocket, and the pages from which browsers may open it.
import type { IncomingHttpHeaders } from 'node:http';
import type { Environment } from '../../config.ts';
import { DomainError } from '../../domain/errors.ts';

const HOST = /^[\w.-]+(:\d{1,5})?$|^\[[\da-f:.]+\](:\d{1,5})?$/i;

export interface Reach {
  /** The configured address of the API. */
  baseUrl: string;
  /** Whether a proxy reports how the caller reached it. */
  trustProxy: boolean;
}

/** The address under which the caller reached this process, for a WebSocket: `wss://api.example.com`. */
export function socketOrigin(headers: IncomingHttpHeaders, { baseUrl, trustProxy }: Reach): string {
  const base = new URL(baseUrl);
  const host = hostOf(headers, trustProxy) ?? base.host;
  const forwarded = trustProxy ? first(headers['x-forwarded-proto']) : undefined;
  const isSecure = forwarded === undefined ? host === base.host && base.protocol === 'https:' : forwarded === 'https';
  return `${isSecure ? 'wss' : 'ws'}://${host}`;
}

export interface Origins extends Reach {
  /** Pages of these origins may open sockets, besides those of the API itself. */
  corsOrigins: readonly string[];
  environment: Environment;
}

/**
 * Refuses a browser on a foreign page. Only browsers send an origin, and no cookie opens a socket, so this is a second
 * line of defense, used in production.
 * @throws DomainError forbidden
 */
export function ensureOrigin(headers: IncomingHttpHeaders, { corsOrigins, environment, ...reach }: Origins): void {
  const { origin } = headers;
  if (environment !== 'production' || origin === undefined || corsOrigins.includes(origin)) return;
  const host = hostOf(headers, reach.trustProxy);
  if (host !== null && (origin === `https://${host}` || origin === `http://${host}`)) return;
  const message = 'Pages of this origin may not open sockets. List it in CORS_ORIGINS.';
  throw new DomainError('forbidden', message, { permission: 'deal_room:read', origin });
}

function hostOf(headers: IncomingHttpHeaders, trustProxy: boolean): string | null {
  const named = (trustProxy ? first(headers['x-forwarded-host']) : undefined) ?? headers.host ?? '';
  return HOST.test(named) ? named : null;
}

/** With several proxies, the first is the one the caller reached. */
function first(header: string | string[] | undefined): string | undefined {
  return [header].flat()[0]?.split(',')[0]?.trim();
}
