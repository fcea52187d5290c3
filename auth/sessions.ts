// Signing up, in and out by e-mail and password, and reading the session of the cookie. Spec 4.1, 5.4, Contract 2.
import { isAPIError } from 'better-auth/api';
import { isCheckViolation, isForeignKeyViolation } from '../db/faults.ts';
import { secretOfRole } from '../domain/access/portals.ts';
import { auditedChanges } from '../domain/audit.ts';
import { DomainError } from '../domain/errors.ts';
import type { Role } from '../domain/permissions.ts';
import { openSessionToken, sealSessionToken, sessionReference } from '../providers/session-token.ts';
import { signMemberToken } from '../providers/signed-token.ts';
import { recordAudit, recordPersonAudit } from './audit.ts';
import { CLIENT_ADDRESS_HEADER, CREDENTIAL_HEADER, REQUEST_ID_HEADER } from './better-auth.ts';
import { readCookie, SESSION_COOKIE } from './cookies.ts';
import {
  demoOrganization,
  endSession,
  findPersonByEmail,
  insertPassword,
  insertPerson,
  inTransaction,
  passwordOf,
} from './directory.ts';
import { ensureBody } from './http/body.ts';
import type { AuthReply, AuthRequest } from './http/state.ts';
import { findLiveSession, type LiveSession } from './live-sessions.ts';
import { insertMember, type Member } from './members.ts';
import { notAdmitted } from './membership.ts';
import { sendPasswordLink } from './passwords.ts';
import { SignInRequest, SignUpRequest } from './schemas.ts';
import type { AuthService } from './service.ts';

/** A session as its owner sees it. */
export interface OpenSession {
  id: string;
  expiresAt: Date;
  /** As stored in the database. */
  token: string;
}

/** The session of a request, with its person and the membership it acts in. */
export type RequestSession = LiveSession & OpenSession;

/**
 * `POST /api/auth/sign-in/email`.
 * @throws DomainError validation_failed, unauthenticated, forbidden without an organization, rate_limited
 */
export async function signIn(service: AuthService, request: AuthRequest): Promise<AuthReply> {
  const { email, password } = ensureBody(SignInRequest, request.body);
  const { library, lockOut } = service;
  await lockOut.beforeSignIn(email, request.client).catch((error: unknown) => {
    noteLockedOut(error, service, request);
    throw error;
  });
  try {
    // Read before it is compared: anything that replaces it from here on also ends the session.
    const credential = await passwordOf(service.accounts, email);
    const opened = await library.api.signInEmail({
      body: { email, password },
      headers: libraryHeaders(request, credential),
      returnHeaders: true,
    });
    await lockOut.afterSignIn(email, request.client, true);
    return await answerWithSession(service, opened.response.token, { status: 200, headers: opened.headers });
  } catch (error) {
    const refusal = signInRefusal(error);
    if (refusal.code === 'unauthenticated') await lockOut.afterSignIn(email, request.client, false);
    const person = await findPersonByEmail(service.accounts, email);
    const changes = { reason: refusal.code };
    await recordPersonAudit(service.accounts, person, {
      action: 'sign_in:refused',
      requestId: request.requestId,
      changes,
    });
    throw refusal;
  }
}

/**
 * `POST /api/auth/sign-up/email`. In local and sandbox the person joins the demo organization and is signed in;
 * elsewhere, or if that organization has invited the address, they get a link to prove that the mailbox is theirs, and
 * wait to be admitted.
 * @throws DomainError validation_failed, already_exists
 */
export async function signUp(service: AuthService, request: AuthRequest): Promise<AuthReply> {
  const { email, password, name = email } = ensureBody(SignUpRequest, request.body);
  const { accounts, config } = service;
  const orgId = config.environment === 'production' ? null : await demoOrganization(accounts);
  const { password: hasher } = await service.library.$context;
  const passwordHash = await hasher.hash(password);
  const { person, member, credential } = await inTransaction(accounts, async (db) => {
    const created = await insertPerson(db, { email, name, emailVerified: false });
    if (created === null)
      throw new DomainError('already_exists', 'An account with this e-mail address already exists.');
    const credential = await insertPassword(db, created.id, passwordHash);
    const joined = orgId === null ? null : await insertMember(db, created, { orgId, ...SELF_REGISTERED });
    const { role, orgId: joinedOrgId } = joined ?? NO_MEMBERSHIP;
    const changes = auditedChanges(null, { origin: SELF_REGISTERED.origin, role, orgId: joinedOrgId });
    const user = joined ?? created;
    await recordAudit(db, { action: 'account:created', requestId: request.requestId, user, changes });
    return { person: created, member: joined, credential };
  });
  if (member !== null) return openSession(service, request, { member, credential, status: 201 });
  sendPasswordLink(service, person, 'confirm');
  return { status: 201, body: { user: userToWire({ ...person, ...NO_MEMBERSHIP }), session: null, token: null } };
}

/** `GET /api/auth/get-session`. @throws DomainError unauthenticated without a live session of an active member */
export async function getSession(service: AuthService, request: AuthRequest): Promise<AuthReply> {
  const session = await ensureSession(service, request);
  return answerWithMember(service, session.member, session);
}

/** Returns the session of the cookie. @throws DomainError unauthenticated without a live session of an active member */
export async function ensureSession(service: AuthService, request: AuthRequest): Promise<RequestSession> {
  const token = sessionTokenOf(service, request);
  // The library's own lookup does not distinguish an outage or fault from a missing session.
  const session = token === null ? null : await findLiveSession(service.accounts, token);
  if (token === null || session === null) {
    if (readCookie(request.cookieHeader, SESSION_COOKIE)) noteDeadSession(service, request);
    throw noSession();
  }
  if (!session.member.active) throw noSession();
  return { ...session, token };
}

/** Responds like sign-in, for a session that acts in a membership. */
export async function answerWithMember(
  service: AuthService,
  member: Member,
  session: OpenSession,
): Promise<AuthReply & { status: 200 }> {
  return { status: 200, body: await sessionToWire(service, member, session) };
}

/** `POST /api/auth/sign-out`. Without a session there is nothing to end, but the cookie is still cleared. */
export async function signOut(service: AuthService, request: AuthRequest): Promise<AuthReply> {
  const token = sessionTokenOf(service, request);
  // The library reports success even when the database is down and the session lives on.
  if (token !== null) {
    await inTransaction(service.accounts, async (db) => {
      const ended = await endSession(db, token);
      if (ended === null) return;
      const changes = { session: sessionReference(ended.id, service.config.authSecret) };
      const user = { id: ended.userId };
      await recordAudit(db, { action: 'sign_out:accepted', requestId: request.requestId, user, changes });
    });
  }
  const { headers } = await service.library.api.signOut({ headers: libraryHeaders(request), returnHeaders: true });
  return { status: 200, body: { success: true }, cookies: sessionCookies(headers) };
}

/**
 * Opens a session for a member who proved their identity, and responds with it.
 * @param opening `credential` names the password or identity they proved
 * @throws DomainError unauthenticated, forbidden if the credential or membership ended in the meantime
 */
export async function openSession(
  service: AuthService,
  request: AuthRequest,
  { member, credential, status }: { member: Member; credential: string | null; status: number },
): Promise<AuthReply> {
  const body = { personId: member.personId, memberId: member.id };
  const opened = await service.library.api
    .openSession({ body, headers: libraryHeaders(request, credential), returnHeaders: true })
    .catch((error: unknown) => {
      throw signInRefusal(error);
    });
  return answerWithSession(service, opened.response.token, { status, headers: opened.headers });
}

/** The headers that the library sees: the cookies, and our own request id, client address and proved credential. */
function libraryHeaders(
  { requestId, cookieHeader, userAgent, clientAddress }: AuthRequest,
  credential: string | null = null,
): Headers {
  return new Headers({
    [CREDENTIAL_HEADER]: credential ?? '',
    cookie: cookieHeader,
    'user-agent': userAgent,
    [CLIENT_ADDRESS_HEADER]: clientAddress,
    [REQUEST_ID_HEADER]: requestId,
  });
}

/** The library also clears cookies of its own, which no one has. */
function sessionCookies(headers: Headers): string[] {
  return headers.getSetCookie().filter((cookie) => cookie.startsWith(`${SESSION_COOKIE}=`));
}

/** The token in the session cookie, as stored in the database; null without a cookie that we sealed. */
function sessionTokenOf({ config }: AuthService, { cookieHeader }: AuthRequest): string | null {
  const sealed = readCookie(cookieHeader, SESSION_COOKIE);
  return sealed === null ? null : openSessionToken(sealed, ...config.acceptedSecrets.authSecret);
}

const NO_MEMBERSHIP = { role: null, orgId: null } as const;
const SELF_REGISTERED = { role: 'producer', origin: 'self_registered' } as const;

async function answerWithSession(
  service: AuthService,
  token: string,
  { status, headers }: { status: number; headers: Headers },
): Promise<AuthReply> {
  const session = await findLiveSession(service.accounts, token);
  if (!session?.member.active) throw noSession();
  const body = await sessionToWire(service, session.member, { ...session, token });
  return { status, body, cookies: sessionCookies(headers) };
}

async function sessionToWire({ config, now }: AuthService, member: Member, session: OpenSession) {
  const holder = { ...member, userId: member.id };
  const facts = { id: session.id, issuedAtMs: now() };
  const token = await signMemberToken(config[secretOfRole(member.role)], holder, facts);
  return {
    user: userToWire(member),
    session: {
      id: session.id,
      expiresAt: session.expiresAt.toISOString(),
      token: sealSessionToken(session.token, config.authSecret),
    },
    token,
  };
}

function userToWire({
  id,
  email,
  role,
  orgId,
}: {
  id: string;
  email: string;
  role: Role | null;
  orgId: string | null;
}) {
  return { id, email, role, orgId };
}

/** Counted in memory: a row for each would let a guesser flood the audit. */
function noteLockedOut(error: unknown, { refusals }: AuthService, { client }: AuthRequest): void {
  if (!(error instanceof DomainError) || error.code !== 'rate_limited') return;
  refusals.add({ orgId: null, client, reason: 'sign-in: tried too often' });
}

/** A cookie that we did not seal, or whose session is over, proves nothing. */
function noteDeadSession({ refusals }: AuthService, { client }: AuthRequest): void {
  refusals.add({ orgId: null, client, reason: 'session: forged or over' });
}

function noSession(): DomainError {
  return new DomainError('unauthenticated', 'The session does not exist or has ended.');
}

/**
 * The library has only one refusal here: address and password do not match. The database refuses a session whose
 * credential or membership ended while it was being opened. Any other error is ours, or a fault.
 */
function signInRefusal(error: unknown): DomainError {
  if (error instanceof DomainError) return error;
  if (isCheckViolation(error, 'session_of_active_member')) return notAdmitted('This account is not active.');
  const isOver = isForeignKeyViolation(error, 'session_of_credential');
  if (isOver || (isAPIError(error) && error.statusCode === 401)) {
    return new DomainError('unauthenticated', 'The e-mail address or the password is wrong.');
  }
  throw error;
}
