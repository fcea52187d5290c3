// Setting a password through an e-mailed link: to replace a forgotten one, to prove a new account's mailbox, or to
// accept an invitation. The response to a request is the same, and as fast, whether or not there is an account.
import type { PoolClient } from 'pg';
import {
  createPasswordLink,
  type LinkKey,
  openLinkToken,
  takePasswordLink,
} from '../db/queries/access/password-links.ts';
import { PLATFORM_SCOPE } from '../db/scope.ts';
import { DomainError } from '../domain/errors.ts';
import { recordPersonAudit } from './audit.ts';
import {
  findPerson,
  findPersonByEmail,
  identityOf,
  insertPerson,
  inTransaction,
  lockPerson,
  type Person,
  type Queryable,
  replacePassword,
} from './directory.ts';
import { ensureBody } from './http/body.ts';
import type { AuthReply, AuthRequest } from './http/state.ts';
import { acceptOffer } from './invitations.ts';
import { findOffer, membersOf, type UserRow } from './members.ts';
import { MICROSOFT } from './microsoft/provider.ts';
import { LinkRequest, ResetRequest } from './schemas.ts';
import type { AuthService } from './service.ts';

/** Our choice; the specification leaves it open. */
const LINK_LIFETIME_SECONDS = 3_600;

/** `POST /api/auth/request-password-reset`. @throws DomainError validation_failed, rate_limited */
export async function requestPasswordReset(service: AuthService, request: AuthRequest): Promise<AuthReply> {
  const { email } = ensureBody(LinkRequest, request.body);
  await service.lockOut.beforeLink(email, request.client);
  service.inBackground('mailing a password link', async () => {
    const person = await findPersonByEmail(service.accounts, email);
    if (person !== null) await mailPasswordLink(service, person, 'reset');
  });
  return { status: 200, body: { sent: true, expiresInSeconds: LINK_LIFETIME_SECONDS } };
}

/**
 * `POST /api/auth/reset-password`. An invitation token also accepts its offer, for the person with that address, who is
 * added if missing.
 * @throws DomainError validation_failed, unauthenticated for an invalid link
 */
export async function resetPassword(service: AuthService, request: AuthRequest): Promise<AuthReply> {
  const { token, newPassword: password } = ensureBody(ResetRequest, request.body);
  const key = openLinkToken(token);
  const attempt = key && { key, password, request };
  const person = attempt && ((await setByLink(service, attempt)) ?? (await setByInvitation(service, attempt)));
  if (person === null) return refuse(service, request, null);
  await service.lockOut.forgive(person.email);
  return { status: 200, body: { reset: true } };
}

interface Attempt {
  key: LinkKey;
  password: string;
  request: AuthRequest;
}

/** Null if the link neither resets a password nor confirms an address. */
async function setByLink(service: AuthService, { key, password, request }: Attempt): Promise<Person | null> {
  const { accounts, database } = service;
  const personId = await database.forOrg(PLATFORM_SCOPE, (em) => takePasswordLink(em, key));
  if (personId === null) return null;
  const person = await findPerson(accounts, personId);
  if (person === null || !(await maySetPassword(accounts, person))) return refuse(service, request, person);
  const passwordHash = await hashOf(service, password);
  await inTransaction(accounts, async (db) => {
    await lockPerson(db, person.id);
    await replacePassword(db, person.id, passwordHash);
    await recordPersonAudit(db, person, { action: 'password:reset', requestId: request.requestId });
  });
  return person;
}

/** Null if the invitation is not open, or closes before it is accepted. */
async function setByInvitation(service: AuthService, { key, password, request }: Attempt): Promise<Person | null> {
  const { requestId } = request;
  const offer = await findOffer(service.accounts, key);
  if (offer === null) return null;
  const passwordHash = await hashOf(service, password);
  const accept = async (db: PoolClient) => {
    const person = await personOfAddress(db, offer);
    const isElsewhere = (await identityOf(db, person.id, MICROSOFT)) !== null;
    const member = isElsewhere ? null : await acceptOffer(db, person, { key, requestId });
    if (member === null) throw badLink();
    await replacePassword(db, person.id, passwordHash);
    await recordPersonAudit(db, person, { action: 'password:reset', requestId });
    return person;
  };
  return inTransaction(service.accounts, accept).catch((error: unknown) => {
    if (error instanceof DomainError && error.code === 'unauthenticated') return null;
    throw error;
  });
}

/** Finds or adds the person of a proved address, and locks the row. */
async function personOfAddress(db: PoolClient, offer: Pick<UserRow, 'email' | 'name'>): Promise<Person> {
  const { email, name } = offer;
  const person = (await findPersonByEmail(db, email)) ?? (await insertPerson(db, { email, name, emailVerified: true }));
  // Null: another transaction just added the person and committed.
  return person ?? personOfAddress(db, offer);
}

/** People who sign in with Microsoft have no password to set, and people who are active nowhere need none. */
async function maySetPassword(db: Queryable, { id }: Person): Promise<boolean> {
  if ((await identityOf(db, id, MICROSOFT)) !== null) return false;
  const members = await membersOf(db, id);
  return members.length === 0 || members.some(({ active }) => active);
}

async function hashOf({ library }: AuthService, password: string): Promise<string> {
  const { password: hasher } = await library.$context;
  return hasher.hash(password);
}

/** @throws DomainError unauthenticated, always, after the refusal is recorded, or counted if the person is unknown */
async function refuse(
  { accounts, refusals }: AuthService,
  { requestId, client }: AuthRequest,
  person: Person | null,
): Promise<never> {
  if (person === null) refusals.add({ orgId: null, client, reason: 'password link: unknown or used' });
  else await recordPersonAudit(accounts, person, { action: 'password:reset_refused', requestId });
  throw badLink();
}

function badLink(): DomainError {
  return new DomainError('unauthenticated', 'The link is wrong, used or expired.');
}

/** Sends a link by e-mail after the response. */
export function sendPasswordLink(service: AuthService, person: Person, why: 'reset' | 'confirm'): void {
  service.inBackground('mailing a password link', () => mailPasswordLink(service, person, why));
}

async function mailPasswordLink(service: AuthService, person: Person, why: 'reset' | 'confirm'): Promise<void> {
  if (!(await maySetPassword(service.accounts, person))) return;
  const token = await service.database.forOrg(PLATFORM_SCOPE, (em) =>
    createPasswordLink(em, person.id, LINK_LIFETIME_SECONDS),
  );
  const opening =
    why === 'reset'
      ? 'Someone requested a new password for this address. If it was not you, ignore this message: your password stays the same.'
      : 'An account was created with this address. If you created it, confirm the address by setting your password. If not, ignore this message.';
  const text = [
    opening,
    '',
    `Send this token with the new password to ${service.config.authUrl}/api/auth/reset-password`,
    'as JSON: {"token": "...", "newPassword": "..."}. You can use it once, within one hour.',
    '',
    `Token: ${token}`,
    '',
  ].join('\n');
  const subject = why === 'reset' ? 'Set a new password' : 'Confirm your address';
  await service.mail.send({ to: person.email, subject, text });
}
