// The organizations of a signed-in person: accepting an invitation, listing, switching. Roles, deactivation and tokens
// are each organization's own; a session acts in one of them at a time. Contract 2, 3.10.
import { openLinkToken } from '../db/queries/access/password-links.ts';
import { DomainError } from '../domain/errors.ts';
import { organizationIdFrom } from '../domain/ids.ts';
import { sessionReference } from '../providers/session-token.ts';
import { recordAudit } from './audit.ts';
import { inTransaction, lockPerson, moveSession } from './directory.ts';
import { ensureBody } from './http/body.ts';
import type { AuthReply, AuthRequest } from './http/state.ts';
import { acceptOffer } from './invitations.ts';
import { holdMembership, markUsed, membersOf, organizationNames } from './members.ts';
import { notAdmitted } from './membership.ts';
import { AcceptRequest, SwitchRequest } from './schemas.ts';
import type { AuthService } from './service.ts';
import { answerWithMember, ensureSession } from './sessions.ts';

/**
 * `POST /api/auth/accept-invitation`, for a signed-in person. The session acts in the new organization from then on.
 * @throws DomainError validation_failed, unauthenticated without a session, forbidden for an unproved address,
 * not_found for an invitation that is not theirs or not open
 */
export async function acceptInvitation(service: AuthService, request: AuthRequest): Promise<AuthReply> {
  const { token } = ensureBody(AcceptRequest, request.body);
  const session = await ensureSession(service, request);
  const key = openLinkToken(token);
  const { requestId } = request;
  const member = await inTransaction(service.accounts, async (db) => {
    const person = await lockPerson(db, session.personId);
    if (!person?.emailVerified)
      throw notAdmitted(
        'The e-mail address of this account has not been confirmed. Request a password link to confirm it.',
      );
    const accepted = key && (await acceptOffer(db, person, { key, requestId }));
    if (accepted === null) throw noInvitation();
    if (!(await moveSession(db, session.id, accepted.id))) throw noInvitation();
    return accepted;
  });
  return answerWithMember(service, member, session);
}

/** `GET /api/auth/organizations`: where the person is an active member. @throws DomainError unauthenticated */
export async function listOrganizations(service: AuthService, request: AuthRequest): Promise<AuthReply> {
  const { accounts } = service;
  const { personId, userId } = await ensureSession(service, request);
  const members = (await membersOf(accounts, personId)).filter(({ active }) => active);
  const names = await organizationNames(
    accounts,
    members.map(({ orgId }) => orgId),
  );
  const data = members.map(({ id, orgId, role }) => ({
    orgId,
    name: names.get(orgId) ?? '',
    role,
    userId: id,
    current: id === userId,
  }));
  return { status: 200, body: { data, nextCursor: null } };
}

/**
 * `POST /api/auth/switch`: the session acts in another organization of its person. Responds like sign-in.
 * @throws DomainError validation_failed, unauthenticated, not_found for an organization where they are not an active
 * member
 */
export async function switchOrganization(service: AuthService, request: AuthRequest): Promise<AuthReply> {
  const { orgId: named } = ensureBody(SwitchRequest, request.body);
  const session = await ensureSession(service, request);
  const orgId = organizationIdFrom(named);
  const member = await inTransaction(service.accounts, async (db) => {
    await lockPerson(db, session.personId);
    const target = orgId && (await holdMembership(db, session.personId, orgId));
    if (!target || !(await moveSession(db, session.id, target.id))) throw noSuchOrganization();
    await markUsed(db, target.id);
    const changes = { session: sessionReference(session.id, service.config.authSecret) };
    const fact = { action: 'session:switched', requestId: request.requestId, changes };
    for (const id of new Set([session.userId, target.id])) await recordAudit(db, { ...fact, user: { id } });
    return target;
  });
  return answerWithMember(service, member, session);
}

function noSuchOrganization(): DomainError {
  return new DomainError('not_found', 'There is no such organization.');
}

function noInvitation(): DomainError {
  return new DomainError('not_found', 'There is no open invitation for this account with that token.');
}
