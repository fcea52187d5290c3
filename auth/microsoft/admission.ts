// Who an identity of the tenant is here: a user who signed on before, one whose address is known, or one whose domain an
// organization lists. Spec 5.5.3, 5.5.4 as Contract 2 narrows them.
import type { Pool, PoolClient } from 'pg';
import { isUniqueViolation } from '../../db/faults.ts';
import type { Role } from '../../domain/permissions.ts';
import { recordAudit } from '../audit.ts';
import {
  addIdentity,
  endPassword,
  findUserByEmail,
  findUserByIdentity,
  hasIdentity,
  insertUser,
  inTransaction,
  type Member,
  makeMember,
  organizationOfDomain,
  type StoredUser,
} from '../directory.ts';
import { domainOf, isMember, membershipChanges, notAdmitted, ROLE_BY_DOMAIN } from '../membership.ts';
import { type Identity, MICROSOFT } from './provider.ts';

/** Roles that the platform gave and single sign-on leaves alone. */
const KEPT_ROLES: readonly Role[] = ['superadmin', 'platform_operator'];

/**
 * Admits an identity. The first time it is linked: a user whom an administrator invited or a seed created becomes
 * org_admin of his own organization; anybody else joins the organization that lists the domain of his address. His
 * password and sessions end, for somebody else may have set them. It is recorded in the transaction that does it.
 * @throws DomainError forbidden
 */
export async function admit(accounts: Pool, identity: Identity, requestId: string): Promise<Member> {
  const attempt = () => inTransaction(accounts, (db) => admitOnce(db, identity, requestId));
  try {
    return await attempt();
  } catch (error) {
    // The same person came in by two windows at once: the second time he is known.
    if (isUniqueViolation(error)) return attempt();
    throw error;
  }
}

/** Finds the user whom an identity means, whether they may come in or not; null when nobody is known by it. */
export async function userOfIdentity(accounts: Pool, { subject, verifiedEmail }: Identity): Promise<StoredUser | null> {
  const linked = await findUserByIdentity(accounts, MICROSOFT, subject);
  return linked ?? (verifiedEmail === null ? null : findUserByEmail(accounts, verifiedEmail));
}

async function admitOnce(db: PoolClient, identity: Identity, requestId: string): Promise<Member> {
  const known = await admitKnown(db, identity);
  if (known !== null) return known;
  if (identity.verifiedEmail === null) throw notAdmitted('The tenant does not vouch for the e-mail address.');
  const existing = await findUserByEmail(db, identity.verifiedEmail);
  // Waiting for the row's lock, another window of the same person may have linked him.
  const linked = existing && (await admitKnown(db, identity));
  if (linked !== null) return linked;
  const user = await userToLink(db, existing, { ...identity, email: identity.verifiedEmail });
  // Another transaction added the address just now and has committed: look again.
  if (user === null) return admitOnce(db, identity, requestId);
  await endPassword(db, user.id);
  await addIdentity(db, user.id, MICROSOFT, identity.subject);
  const changes = membershipChanges(existing, user);
  if (existing === null) await recordAudit(db, { action: 'account:created', requestId, user, changes });
  await recordAudit(db, { action: 'identity:linked', requestId, user, changes: existing === null ? {} : changes });
  return user;
}

async function admitKnown(db: PoolClient, { subject }: Identity): Promise<Member | null> {
  const known = await findUserByIdentity(db, MICROSOFT, subject);
  if (known === null) return null;
  if (!known.active || !isMember(known)) throw notAdmitted('This account is not active.');
  return known;
}

async function userToLink(
  db: PoolClient,
  existing: StoredUser | null,
  { email, name }: { email: string; name: string | null },
): Promise<Member | null> {
  if (existing === null || existing.origin === 'self_registered') {
    return joinByDomain(db, existing, { email, name });
  }
  if (!existing.active || !isMember(existing)) throw notAdmitted('This account is not active.');
  if (await hasIdentity(db, existing.id, MICROSOFT)) throw notAdmitted('This address belongs to another identity.');
  const { id, orgId, origin } = existing;
  return member(await makeMember(db, id, { role: roleAtFirstLink(existing), orgId, origin }));
}

/** A self-registered row counts as no account: its role and organization are given anew. Null when the address is taken. */
async function joinByDomain(
  db: PoolClient,
  existing: StoredUser | null,
  { email, name }: { email: string; name: string | null },
): Promise<Member | null> {
  const orgId = await organizationOfDomain(db, domainOf(email));
  if (orgId === null || existing?.active === false) throw notAdmitted('No organization admits this address.');
  const joined = { role: ROLE_BY_DOMAIN, orgId, origin: 'domain' } as const;
  if (existing !== null) return member(await makeMember(db, existing.id, joined));
  const added = await insertUser(db, { ...joined, email, name: name ?? email, emailVerified: true });
  return added && member(added);
}

function roleAtFirstLink({ role, origin }: Member): Role {
  if (KEPT_ROLES.includes(role) || origin === 'domain') return role;
  return 'org_admin';
}

function member(user: StoredUser | null): Member {
  if (user === null || !isMember(user)) throw notAdmitted('This account is not active.');
  return user;
}
