// Which organization somebody belongs to, and whether he may come in at all. Spec 5.5, Contract 2 "Sign-up".
import type { Pool } from 'pg';
import { auditedChanges } from '../domain/audit.ts';
import { DomainError } from '../domain/errors.ts';
import type { Role } from '../domain/permissions.ts';
import { recordAudit } from './audit.ts';
import {
  findUser,
  inTransaction,
  lockUser,
  type Member,
  makeMember,
  organizationOfDomain,
  type StoredUser,
} from './directory.ts';

/** What someone becomes who joins by the domain of a proven address: the specification leaves it open. */
export const ROLE_BY_DOMAIN: Role = 'underwriter';

/**
 * Gives a user who may have a session. Who has no organization joins the one that lists the domain of his address,
 * provided that he has proved the address.
 * @throws DomainError forbidden for a deactivated user and for one without an organization
 */
export async function ensureMember(accounts: Pool, userId: string, requestId: string): Promise<Member> {
  const user = await findUser(accounts, userId);
  if (user === null || !user.active) throw notAdmitted('This account is not active.');
  const member = isMember(user) ? user : await joinByDomain(accounts, user, requestId);
  if (member === null)
    throw notAdmitted('This account belongs to no organization yet: an administrator must invite it.');
  return member;
}

/** Tells whether a user belongs to an organization. */
export function isMember(user: StoredUser): user is Member {
  return user.role !== null && user.orgId !== null;
}

/** The domain of an e-mail address, in lower case. */
export function domainOf(email: string): string {
  return email.slice(email.lastIndexOf('@') + 1).toLowerCase();
}

/** Builds the refusal of somebody who proved who he is and may not come in all the same. */
export function notAdmitted(message: string): DomainError {
  return new DomainError('forbidden', message, { permission: 'session:create' });
}

async function joinByDomain(accounts: Pool, user: StoredUser, requestId: string): Promise<Member | null> {
  if (!user.emailVerified) return null;
  const orgId = await organizationOfDomain(accounts, domainOf(user.email));
  if (orgId === null) return null;
  return inTransaction(accounts, async (db) => {
    const now = await lockUser(db, user.id);
    // Another window of the same person came first.
    if (now === null || isMember(now)) return now;
    const joined = await makeMember(db, user.id, { role: ROLE_BY_DOMAIN, orgId, origin: 'domain' });
    if (joined === null || !isMember(joined)) return null;
    await recordAudit(db, {
      action: 'account:joined',
      requestId,
      user: joined,
      changes: membershipChanges(now, joined),
    });
    return joined;
  });
}

/** What an audit row tells of somebody who was given an organization or a role. */
export function membershipChanges(before: StoredUser | null, { role, orgId, origin }: StoredUser): object {
  return auditedChanges(before && { role: before.role, orgId: before.orgId, origin: before.origin }, {
    role,
    orgId,
    origin,
  });
}
