// The organization a person acts in, and whether they may sign in at all. Spec 5.5, Contract 2 "Sign-up".
import type { Pool } from 'pg';
import { auditedChanges } from '../domain/audit.ts';
import { DomainError } from '../domain/errors.ts';
import { isPlatformRole, type Role } from '../domain/permissions.ts';
import { recordAudit } from './audit.ts';
import {
  findPerson,
  inTransaction,
  lockPerson,
  organizationOfDomain,
  type Person,
  type Queryable,
} from './directory.ts';
import {
  acceptUser,
  changeMember,
  insertMember,
  lockUserOfAddress,
  type Member,
  membersOf,
  type UserRow,
} from './members.ts';

/** The role of a person who joins by the domain of a proved address: the specification leaves it open. */
const ROLE_BY_DOMAIN: Role = 'underwriter';

/**
 * Returns the membership of a person who signs in: the last used active one. A person without one joins the
 * organization that lists the domain of their address, if they have proved the address.
 * @throws DomainError forbidden for someone who is not active in any organization
 */
export async function ensureMember(accounts: Pool, personId: string, requestId: string): Promise<Member> {
  const members = await membersOf(accounts, personId);
  const member = members.find(({ active }) => active) ?? (await joinUnasked(accounts, personId, requestId));
  if (member !== null) return member;
  if (members.length > 0) throw notAdmitted('This account is not active.');
  throw notAdmitted('This account does not belong to an organization yet. Ask an administrator for an invitation.');
}

/**
 * Makes a person with a proved address a member of the organization that lists its domain, or finds that they already
 * are. This also accepts an open offer from that organization; a self-registered membership does not count and is
 * replaced. Needs the person's lock.
 * @param roleOf the role of someone the organization already has, as member or offer
 * @throws DomainError forbidden for someone the organization deactivated
 */
export async function joinByDomain(
  db: Queryable,
  person: Person,
  { orgId, roleOf }: { orgId: string; roleOf: (user: UserRow) => Role },
): Promise<Member> {
  const user = await lockUserOfAddress(db, orgId, person.email);
  const joining = { orgId, role: ROLE_BY_DOMAIN, origin: 'domain' } as const;
  if (user === null) {
    await ensureOneHome(db, person.id, joining.role);
    const added = await insertMember(db, { ...person, emailVerified: true }, joining);
    // The organization made them an offer concurrently: it exists now.
    return added ?? joinByDomain(db, person, { orgId, roleOf });
  }
  if (!user.active) throw notAdmitted('This account is not active.');
  if (user.origin === 'self_registered') return present(await changeMember(db, user.id, joining));
  const role = roleOf(user);
  if (user.personId !== null) return present(await changeMember(db, user.id, { role, origin: user.origin }));
  await ensureOneHome(db, person.id, role);
  return present(await acceptUser(db, user.id, { person, role, hash: null }));
}

/**
 * Refuses another membership to a person with a platform role, or one with such a role. Needs the person's lock.
 * Contract 2.
 * @throws DomainError forbidden
 */
export async function ensureOneHome(db: Queryable, personId: string, role: Role): Promise<void> {
  const members = await membersOf(db, personId);
  if (members.length === 0 || ![role, ...members.map((member) => member.role)].some(isPlatformRole)) return;
  throw notAdmitted('An account with a platform role can belong to only one organization.');
}

/** The domain of an e-mail address, in lower case. */
export function domainOf(email: string): string {
  return email.slice(email.lastIndexOf('@') + 1).toLowerCase();
}

/** Builds the refusal of a person who proved their identity but may not sign in. */
export function notAdmitted(message: string): DomainError {
  return new DomainError('forbidden', message, { permission: 'session:create' });
}

/** The audit facts for a person who gained an organization or role. */
export function membershipChanges(
  before: Pick<UserRow, 'role' | 'orgId' | 'origin'> | null,
  { role, orgId, origin }: UserRow,
): object {
  return auditedChanges(before && { role: before.role, orgId: before.orgId, origin: before.origin }, {
    role,
    orgId,
    origin,
  });
}

async function joinUnasked(accounts: Pool, personId: string, requestId: string): Promise<Member | null> {
  const person = await findPerson(accounts, personId);
  if (person === null || !person.emailVerified) return null;
  const orgId = await organizationOfDomain(accounts, domainOf(person.email));
  if (orgId === null) return null;
  return inTransaction(accounts, async (db) => {
    await lockPerson(db, personId);
    // Another window of the same person may have been first.
    const known = (await membersOf(db, personId)).find(({ active }) => active);
    if (known !== undefined) return known;
    const joined = await joinByDomain(db, person, { orgId, roleOf: ({ role }) => role });
    const changes = membershipChanges(null, joined);
    await recordAudit(db, { action: 'account:joined', requestId, user: joined, changes });
    return joined;
  });
}

function present(member: Member | null): Member {
  if (member === null) throw notAdmitted('This account is not active.');
  return member;
}
