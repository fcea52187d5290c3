// The authentication library, reduced to the parts we use: passwords, sessions and their cookie, on our own tables. Its
// user is a person here; the membership that a session acts in is a field that we added. It is called, never mounted:
// no path of its own is reachable. Its rate limit, sign-on with providers and role fields are not used; lock-out.ts,
// microsoft/ and membership.ts replace them.
import { betterAuth } from 'better-auth';
import { createAuthEndpoint } from 'better-auth/api';
import { setSessionCookie } from 'better-auth/cookies';
import type { Pool } from 'pg';
import { z } from 'zod';
import type { AuthConfig } from '../config.ts';
import { newId } from '../db/ids.ts';
import { DomainError } from '../domain/errors.ts';
import type { IdKind } from '../domain/ids.ts';
import { JWT_LIFETIME_SECONDS, PASSWORD_MAX_CHARACTERS, PASSWORD_MIN_CHARACTERS } from '../domain/limits.ts';
import { SESSION_COOKIE, SESSION_PATH } from './cookies.ts';

/** Header that carries the client's address to the library; we set it, whatever the client sent under that name. */
export const CLIENT_ADDRESS_HEADER = 'x-bindery-client-address';
/** Header that carries the request's id to the library; we set it too. */
export const REQUEST_ID_HEADER = 'x-bindery-request-id';
/** Header that names the proved password or identity; also ours. The session ends with it. */
export const CREDENTIAL_HEADER = 'x-bindery-credential';

const ID_KINDS: Record<string, IdKind> = { user: 'user', session: 'session' };
const COLUMNS = { createdAt: 'created_at', updatedAt: 'updated_at' };

/** A session about to be opened. */
export interface SessionToBe {
  personId: string;
  /** The membership it acts in, if already decided. */
  userId: string | null;
  sessionId: string;
  requestId: string;
}

export type BeforeSession = (session: SessionToBe) => Promise<string>;

export type BetterAuth = ReturnType<typeof createBetterAuth>;

/**
 * Builds the library on the pool of the role `bindery_auth`, whose search path is the schema `auth`.
 * @param beforeSession returns the membership that a session acts in, or throws to refuse the session; it runs before
 * the library writes the session, on other connections
 */
export function createBetterAuth(
  config: Pick<AuthConfig, 'authUrl' | 'authSecret' | 'environment'>,
  accounts: Pool,
  beforeSession: BeforeSession,
) {
  return betterAuth({
    baseURL: config.authUrl,
    basePath: SESSION_PATH,
    secret: config.authSecret,
    database: accounts,
    logger: { disabled: true },
    telemetry: { enabled: false },
    emailAndPassword: {
      enabled: true,
      minPasswordLength: PASSWORD_MIN_CHARACTERS,
      maxPasswordLength: PASSWORD_MAX_CHARACTERS,
    },
    user: { modelName: 'people', fields: { ...COLUMNS, emailVerified: 'email_verified' } },
    session: {
      modelName: 'sessions',
      fields: {
        ...COLUMNS,
        expiresAt: 'expires_at',
        ipAddress: 'ip_address',
        userAgent: 'user_agent',
        userId: 'person_id',
      },
      additionalFields: {
        memberId: { type: 'string', fieldName: 'user_id', input: false, returned: false },
        credentialId: { type: 'string', fieldName: 'account_id', input: false, returned: false },
      },
      expiresIn: JWT_LIFETIME_SECONDS,
      disableSessionRefresh: true,
    },
    account: { modelName: 'accounts', fields: { ...COLUMNS, ...ACCOUNT_COLUMNS } },
    verification: { modelName: 'verifications', fields: { ...COLUMNS, expiresAt: 'expires_at' } },
    databaseHooks: { session: { create: { before: announcing(beforeSession) } } },
    // Our own limits and origin check come first; see lock-out.ts and app.ts.
    rateLimit: { enabled: false },
    advanced: {
      cookiePrefix: 'svc',
      // An https address would put __Secure- before the name, which the specification fixes.
      useSecureCookies: false,
      cookies: { session_token: { name: SESSION_COOKIE } },
      defaultCookieAttributes: {
        path: SESSION_PATH,
        httpOnly: true,
        sameSite: 'lax',
        secure: config.environment !== 'local',
      },
      ipAddress: { ipAddressHeaders: [CLIENT_ADDRESS_HEADER] },
      disableCSRFCheck: true,
      disableOriginCheck: true,
      database: { generateId: ({ model }) => newIdOf(model) },
    },
    plugins: [sessionsWithoutPassword],
  });
}

/** The library's hook before it writes a session. We choose the id, so that it can be recorded beforehand. */
function announcing(beforeSession: BeforeSession) {
  return async (
    { userId: personId, memberId }: { userId: string; memberId?: unknown },
    context: { headers?: Headers | undefined } | null,
  ) => {
    const id = newId('session');
    const userId = typeof memberId === 'string' ? memberId : null;
    const requestId = context?.headers?.get(REQUEST_ID_HEADER) ?? '';
    // The database accepts no unnamed credential, and so no session with one.
    const credentialId = context?.headers?.get(CREDENTIAL_HEADER) ?? '';
    const session = { id, credentialId };
    return { data: { ...session, memberId: await beforeSession({ personId, userId, sessionId: id, requestId }) } };
  };
}

const ACCOUNT_COLUMNS = {
  accountId: 'account_id',
  providerId: 'provider_id',
  userId: 'person_id',
  accessToken: 'access_token',
  refreshToken: 'refresh_token',
  idToken: 'id_token',
  accessTokenExpiresAt: 'access_token_expires_at',
  refreshTokenExpiresAt: 'refresh_token_expires_at',
};

/**
 * Opens a session for someone who proved their identity another way: by single sign-on, or by just having signed up.
 */
const sessionsWithoutPassword = {
  id: 'sessions-without-password',
  endpoints: {
    openSession: createAuthEndpoint.serverOnly(
      { method: 'POST', body: z.strictObject({ personId: z.string(), memberId: z.string() }) },
      async (ctx) => {
        const { internalAdapter } = ctx.context;
        const { personId, memberId } = ctx.body;
        const user = await internalAdapter.findUserById(personId);
        const session = user && (await internalAdapter.createSession(user.id, false, { memberId }));
        if (!user || !session) throw new DomainError('unauthenticated', 'There is no such user.');
        await setSessionCookie(ctx, { session, user });
        return { token: session.token };
      },
    ),
  },
};

function newIdOf(model: string): string {
  const kind = ID_KINDS[model];
  return kind ? newId(kind) : crypto.randomUUID();
}
