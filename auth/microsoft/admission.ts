// Maps an identity of the tenant to a person, and chooses their organization. A person who signed on before acts where
// they last acted in a role that the portal admits; the first time, the domain of the proved address takes precedence
// over any invitation. Spec 5.5.3, 5.5.4 as Contract 2 narrows them.
import type { Pool, PoolClient } from 'pg';
import { isUniqueViolation } from '../../db/faults.ts';
import type { LinkKey } from '../../db/queries/access/password-links.ts';
import { isPlatformRole, type Role } from '../../domain/permissions.ts';
import { recordAudit } from '../audit.ts';
import {
  addIdentity,
  endPassword,
  findPersonByEmail,
  findPersonByIdentity,
  identityOf,
  insertPerson,
  inTransaction,
  lockPerson,
  organizationOfDomain,
  type Person,
  proveAddress,
} from '../directory.ts';
import { acceptOffer } from '../invitations.ts';
import { changeMember, type Member, membersOf, type UserRow } from '../members.ts';
import { domainOf, joinByDomain, membershipChanges, notAdmitted } from '../membership.ts';
import { type Identity, MICROSOFT } from './provider.ts';

/** The identity that signs on, and what comes with it. */
export interface Arrival {
  identity: Identity;
  /** The invitation the sign-on was started with, if any. */
  invitation: LinkKey | null;
  /** Whether the portal they come from admits a role. */
  admits: (role: Role) => boolean;
  requestId: string;
}

/**
 * Admits an identity. The first time it is linked to the person of its address: a person invited by an administrator or
 * created by a seed becomes org_admin of their own organization; anyone else joins the organization that lists the
 * domain of their address. Their password, sessions and tokens end, since someone else may have set them. An invitation
 * is accepted only with its token, or if it comes from the listing organization. The change is recorded in its own
 * transaction.
 * @throws DomainError forbidden
 */
export async function admit(accounts: Pool, arrival: Arrival): Promise<Member> {
  const attempt = () => inTransaction(accounts, (db) => admitOnce(db, arrival));
  try {
    return await attempt();
  } catch (error) {
    // The same person signed on in two windows simultaneously: on the second attempt they are known.
    if (isUniqueViolation(error)) return attempt();
    throw error;
  }
}

/** Finds the person behind an identity, whether they may sign in or not; null for an unknown identity. */
export async function personOfIdentity(accounts: Pool, { subject, verifiedEmail }: Identity): Promise<Person | null> {
  const linked = await findPersonByIdentity(accounts, MICROSOFT, subject);
  return linked ?? (verifiedEmail === null ? null : findPersonByEmail(accounts, verifiedEmail));
}

async function admitOnce(db: PoolClient, arrival: Arrival): Promise<Member> {
  const known = await admitKnown(db, arrival);
  if (known !== null) return known;
  const { verifiedEmail: email, name, subject } = arrival.identity;
  if (email === null) throw notAdmitted('The tenant does not vouch for the e-mail address.');
  const existing = await findPersonByEmail(db, email);
  // While this waited for the row's lock, another window of the same person may have linked them.
  const linked = existing && (await admitKnown(db, arrival));
  if (linked !== null) return linked;
  const person = existing ?? (await insertPerson(db, { email, name: name ?? email, emailVerified: true }));
  // Another transaction just added the address and committed: look again.
  if (person === null) return admitOnce(db, arrival);
  if ((await identityOf(db, person.id, MICROSOFT)) !== null)
    throw notAdmitted('This address belongs to another identity.');
  await endPassword(db, person.id);
  const before = await membersOf(db, person.id);
  const member = await homeAtFirstLink(db, { person, members: before, arrival });
  await proveAddress(db, person.id);
  await addIdentity(db, person.id, MICROSOFT, subject);
  const { requestId } = arrival;
  const changes = membershipChanges(before.find(({ id }) => id === member.id) ?? null, member);
  if (existing === null) await recordAudit(db, { action: 'account:created', requestId, user: member, changes });
  for (const user of await membersOf(db, person.id)) {
    const isChanged = existing !== null && user.id === member.id;
    await recordAudit(db, { action: 'identity:linked', requestId, user, changes: isChanged ? changes : {} });
  }
  return member;
}

/**
 * A person who signed on before acts where an invitation to their proved address takes them, or where they last acted:
 * in a role that the portal admits, if they have one.
 */
async function admitKnown(
  db: PoolClient,
  { identity, invitation, admits, requestId }: Arrival,
): Promise<Member | null> {
  const known = await findPersonByIdentity(db, MICROSOFT, identity.subject);
  if (known === null) return null;
  if (invitation !== null && identity.verifiedEmail === known.email) {
    await lockPerson(db, known.id);
    const accepted = await acceptOffer(db, known, { key: invitation, requestId });
    if (accepted !== null) return accepted;
  }
  const members = (await membersOf(db, known.id)).filter(({ active }) => active);
  const member = members.find(({ role }) => admits(role)) ?? members[0];
  if (member === undefined) throw notAdmitted('This account is not active.');
  return member;
}

/** A self-registered membership does not count. A platform role stays where it is. */
async function homeAtFirstLink(
  db: PoolClient,
  { person, members, arrival }: { person: Person; members: Member[]; arrival: Arrival },
): Promise<Member> {
  const ofPlatform = members.find(({ role }) => isPlatformRole(role));
  const orgId = ofPlatform ? null : await organizationOfDomain(db, domainOf(person.email));
  if (orgId !== null) return joinByDomain(db, person, { orgId, roleOf: roleAtFirstLink });
  const { invitation: key, requestId } = arrival;
  const accepted = key && (await acceptOffer(db, person, { key, requestId, roleOf: roleAtFirstLink }));
  if (accepted !== null) return accepted;
  const known = ofPlatform ?? members.find(({ active, origin }) => active && origin !== 'self_registered');
  if (known === undefined) throw notAdmitted('No organization admits this address.');
  const { id, active, origin } = known;
  const home = active ? await changeMember(db, id, { role: roleAtFirstLink(known), origin }) : null;
  if (home === null) throw notAdmitted('This account is not active.');
  return home;
}

function roleAtFirstLink({ role, origin }: UserRow): Role {
  return isPlatformRole(role) || origin === 'domain' ? role : 'org_admin';
}
