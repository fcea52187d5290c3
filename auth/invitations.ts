// Accepting an invitation: an offer becomes a membership when someone presents its e-mailed token and proves the
// address: by a new password (passwords.ts), by single sign-on (microsoft/), or signed in (organizations.ts). Contract
// 2, 3.10.
import type { PoolClient } from 'pg';
import type { LinkKey } from '../db/queries/access/password-links.ts';
import type { Role } from '../domain/permissions.ts';
import { recordAudit } from './audit.ts';
import { isDomainOfAnother, type Person } from './directory.ts';
import { acceptUser, findOffer, type Member, type UserRow } from './members.ts';
import { domainOf, ensureOneHome, membershipChanges } from './membership.ts';

export interface AcceptedOffer {
  key: LinkKey;
  requestId: string;
  roleOf?: (offer: UserRow) => Role;
}

/**
 * Accepts an offer for a person who has proved its address. Needs the person's lock.
 * @param roleOf the role to give; without it, the offered one
 * @returns null if there is no such offer for this person: wrong, accepted, revoked, expired, or made to an address in
 * a domain that another organization lists
 * @throws DomainError forbidden if a platform role would get a second home
 */
export async function acceptOffer(
  db: PoolClient,
  person: Person,
  { key, requestId, roleOf = ({ role }) => role }: AcceptedOffer,
): Promise<Member | null> {
  const offer = await findOffer(db, key);
  if (offer === null || offer.email !== person.email) return null;
  if (await isDomainOfAnother(db, domainOf(offer.email), offer.orgId)) return null;
  const role = roleOf(offer);
  await ensureOneHome(db, person.id, role);
  const member = await acceptUser(db, offer.id, { person, role, hash: key.hash });
  if (member === null) return null;
  const changes = membershipChanges(null, member);
  await recordAudit(db, { action: 'invitation:accepted', requestId, user: member, changes });
  return member;
}
