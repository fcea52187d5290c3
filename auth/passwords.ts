// Setting a password through a link that was mailed: because it was forgotten, or to show that a new account's mailbox is
// one's own. The answer to a request is the same, and as fast, whether there is an account or not.
import { z } from 'zod';
import { createPasswordLink, takePasswordLink } from '../db/queries/password-links.ts';
import { PLATFORM_SCOPE } from '../db/scope.ts';
import { DomainError } from '../domain/errors.ts';
import { recordAudit } from './audit.ts';
import {
  findUser,
  findUserByEmail,
  hasIdentity,
  inTransaction,
  replacePassword,
  type StoredUser,
} from './directory.ts';
import { ensureBody } from './http/body.ts';
import type { AuthReply, AuthRequest } from './http/state.ts';
import { MICROSOFT } from './microsoft/provider.ts';
import { emailAddress, newPassword } from './schemas.ts';
import type { AuthService } from './service.ts';

/** Our choice, the specification leaves it open. */
export const LINK_LIFETIME_SECONDS = 3_600;

const LinkRequest = z.strictObject({ email: emailAddress });
const ResetRequest = z.strictObject({ token: z.string().min(1).max(200), newPassword });

/** `POST /api/auth/request-password-reset`. @throws DomainError validation_failed, rate_limited */
export async function requestPasswordReset(service: AuthService, request: AuthRequest): Promise<AuthReply> {
  const { email } = ensureBody(LinkRequest, request.body);
  await service.lockOut.beforeLink(email, request.clientAddress);
  service.inBackground('mailing a password link', async () => {
    const user = await findUserByEmail(service.accounts, email);
    if (user?.active) await mailPasswordLink(service, user, 'reset');
  });
  return { status: 200, body: { sent: true, expiresInSeconds: LINK_LIFETIME_SECONDS } };
}

/** `POST /api/auth/reset-password`. @throws DomainError validation_failed, unauthenticated for a link that is not good */
export async function resetPassword(service: AuthService, request: AuthRequest): Promise<AuthReply> {
  const { token, newPassword: password } = ensureBody(ResetRequest, request.body);
  const { accounts, database, lockOut, refusals } = service;
  const userId = await database.forOrg(PLATFORM_SCOPE, (em) => takePasswordLink(em, token));
  const user = userId === null ? null : await findUser(accounts, userId);
  if (user === null || !user.active || (await hasIdentity(accounts, user.id, MICROSOFT))) {
    if (user === null) refusals.add({ orgId: null, client: request.client, reason: 'password link: unknown or used' });
    else await recordAudit(accounts, { action: 'password:reset_refused', requestId: request.requestId, user });
    throw new DomainError('unauthenticated', 'The link is wrong, used or expired.');
  }
  const { password: hasher } = await service.library.$context;
  const passwordHash = await hasher.hash(password);
  await inTransaction(accounts, async (db) => {
    await replacePassword(db, user.id, passwordHash);
    await recordAudit(db, { action: 'password:reset', requestId: request.requestId, user });
  });
  await lockOut.forgive(user.email);
  return { status: 200, body: { reset: true } };
}

/** Mails a link after the answer. */
export function sendPasswordLink(service: AuthService, user: StoredUser, why: 'reset' | 'confirm'): void {
  service.inBackground('mailing a password link', () => mailPasswordLink(service, user, why));
}

/** Who signs in with Microsoft has no password to set. */
async function mailPasswordLink(service: AuthService, user: StoredUser, why: 'reset' | 'confirm'): Promise<void> {
  if (await hasIdentity(service.accounts, user.id, MICROSOFT)) return;
  const token = await service.database.forOrg(PLATFORM_SCOPE, (em) =>
    createPasswordLink(em, user.id, LINK_LIFETIME_SECONDS),
  );
  const opening =
    why === 'reset'
      ? 'Somebody asked to set a new password for this address. If it was not you, do nothing: the old one stays.'
      : 'An account was made with this address. If it was you, confirm the address by setting your password.';
  const text = [
    opening,
    '',
    `Send this token with the new password to ${service.config.authUrl}/api/auth/reset-password`,
    'as JSON: {"token": "...", "newPassword": "..."}. It is good once and for one hour.',
    '',
    `Token: ${token}`,
    '',
  ].join('\n');
  const subject = why === 'reset' ? 'Set a new password' : 'Confirm your address';
  await service.mail.send({ to: user.email, subject, text });
}
