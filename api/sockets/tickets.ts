// Tickets: a signed address for a WebSocket, for clients that cannot send a header. A ticket represents the credential
// it was issued to, for one room, for 60 seconds, once. Contract 3.7.
import { createHmac, type KeyObject, randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { SignJWT } from 'jose';
import type { ApiConfig } from '../../config.ts';
import { SOCKET_TICKET_LIFETIME_SECONDS } from '../../domain/limits.ts';
import { isUpgrade } from '../../http/upgrades.ts';
import type { KvStore } from '../../providers/ports.ts';
import { openSignedToken, tokenKey } from '../../providers/signed-token.ts';
import type { Authenticate, Caller } from '../credentials/caller.ts';
import type { OrganizationDirectory } from '../credentials/organizations.ts';
import { CredentialRejected } from '../credentials/rejected.ts';
import type { EnsureServed } from '../credentials/user-standing.ts';

const PURPOSE = 'ticket for a deal room';

export interface TicketParts {
  config: Pick<ApiConfig, 'authSecret' | 'acceptedSecrets'>;
  kv: Pick<KvStore, 'claim'>;
  organizations: OrganizationDirectory;
  ensureServed: EnsureServed;
  now: () => number;
}

/** The contents of a ticket besides its id. */
interface TicketContent {
  path: string;
  expiresAtMs: number;
  caller: Omit<Caller, 'home'> & { homeOrgId: string | null };
}

/** Issues a caller's ticket for the path of a room. */
export type IssueTicket = (caller: Caller, path: string) => Promise<{ ticket: string; expiresAtMs: number }>;

/** Builds the issuer. A ticket never outlives the credential. */
export function createTicketIssuer({ config, now }: Pick<TicketParts, 'config' | 'now'>): IssueTicket {
  const key = ticketKey(config.authSecret);
  return async ({ home, ...caller }, path) => {
    const until = now() + SOCKET_TICKET_LIFETIME_SECONDS * 1_000;
    const expiresAtMs = Math.min(until, caller.credential.expiresAtMs ?? until);
    const content: TicketContent = { path, expiresAtMs, caller: { ...caller, homeOrgId: home?.id ?? null } };
    const token = new SignJWT({ ...content }).setProtectedHeader({ alg: 'HS256' }).setJti(randomUUID());
    return { ticket: await token.sign(key), expiresAtMs };
  };
}

/**
 * Authenticates a WebSocket request by its ticket, and every other request by its headers. A credential sent along with
 * a ticket must be the one it was issued to: two different credentials prove nothing.
 */
export function orByTicket(byHeaders: Authenticate, parts: TicketParts): Authenticate {
  const keys = parts.config.acceptedSecrets.authSecret.map(ticketKey);
  return async (request) => {
    if (!isUpgrade(request)) return byHeaders(request);
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost');
    const ticket = searchParams.get('ticket');
    if (ticket === null) return byHeaders(request);
    const beside = hasCredential(request) ? await byHeaders(request) : null;
    return callerOfTicket({ ticket, pathname, beside }, keys, parts);
  };
}

/** The ticket is consumed before anything else is checked: only one of two callers who present it gets in. */
async function callerOfTicket(
  { ticket, pathname, beside }: { ticket: string; pathname: string; beside: Caller | null },
  keys: readonly KeyObject[],
  { kv, organizations, ensureServed, now }: TicketParts,
): Promise<Caller> {
  const payload = await openSignedToken(ticket, keys);
  if (payload === null) throw rejected('bad signature');
  const { path, expiresAtMs, caller, jti } = payload as unknown as TicketContent & { jti: string };
  if (now() >= expiresAtMs) throw rejected('expired');
  if (path !== pathname) throw rejected('for another room');
  if (beside !== null && !isIssuedTo(caller, beside)) throw rejected('another credential beside it');
  const { claimed } = await kv.claim(`socket-ticket:${jti}`, true, SOCKET_TICKET_LIFETIME_SECONDS);
  if (!claimed) throw rejected('used before');
  const { homeOrgId, ...proven } = caller;
  const home = homeOrgId === null ? null : await organizations.find(homeOrgId);
  if (home === null && homeOrgId !== null) throw rejected('unknown organization');
  if (proven.credential.holder !== null) await ensureServed(proven.credential.holder);
  return { ...proven, home };
}

function hasCredential({ headersDistinct }: IncomingMessage): boolean {
  return headersDistinct.authorization !== undefined || headersDistinct['x-api-key'] !== undefined;
}

function isIssuedTo({ kind, id, role, homeOrgId }: TicketContent['caller'], { home, ...caller }: Caller): boolean {
  return caller.kind === kind && caller.id === id && caller.role === role && (home?.id ?? null) === homeOrgId;
}

/** A separate key, so that a ticket cannot be a session, nor a session a ticket. */
function ticketKey(secret: string): KeyObject {
  return tokenKey(createHmac('sha256', secret).update(PURPOSE).digest('hex'));
}

function rejected(reason: string): CredentialRejected {
  return new CredentialRejected({ kind: 'ticket', reason });
}
