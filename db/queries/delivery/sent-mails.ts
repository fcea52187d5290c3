// Notices due to the insured, and the addresses to which an organization no longer sends mail.
import type { EntityManager } from '@mikro-orm/postgresql';
import { SentMail } from '../../entities/delivery/sent-mail.ts';
import { lockById } from '../../entity-rows.ts';
import { organizationOf } from '../../scope.ts';
import { type Page, type PageRequest, pageOf } from '../pages.ts';

/**
 * Finds an e-mail and its organization, in any organization; null for none. The email provider's id counts, then our
 * own: the provider's server may have taken the e-mail by SMTP, which returns no id. Needs the all-organizations scope.
 */
export async function ownerOfMail(
  em: EntityManager,
  { emailId, headerId }: { emailId: string | null; headerId: string | null },
): Promise<{ orgId: string; id: string } | null> {
  const byProvider = emailId === null ? null : await em.findOne(SentMail, { providerId: emailId });
  const mail = byProvider ?? (headerId === null ? null : await em.findOne(SentMail, { messageId: headerId }));
  return mail && { orgId: mail.orgId, id: mail.id };
}

/** Reads and locks an e-mail, or returns null. */
export function lockSentMail(em: EntityManager, id: string): Promise<SentMail | null> {
  return lockById(em, SentMail, id);
}

/**
 * Reads a page of the notices due to a policy's insured, newest first.
 * @throws DomainError validation_failed for a bad cursor
 */
export function listSentMails(em: EntityManager, policyId: string, page: PageRequest): Promise<Page<SentMail>> {
  return pageOf(em, SentMail, [{ policyId, claimId: null, certificateId: null }], page);
}

/** Whether the organization's mail to an address bounced permanently or drew a complaint. */
export async function isUndeliverable(em: EntityManager, address: string): Promise<boolean> {
  const [row] = await em.execute<{ undeliverable: boolean }[]>('select is_undeliverable(?, ?) as undeliverable', [
    organizationOf(em),
    address,
  ]);
  return row?.undeliverable === true;
}

/** Records that the organization's mail to an address is undeliverable; the first reason stays. */
export async function rememberUndeliverable(
  em: EntityManager,
  { address, reason, messageId }: { address: string; reason: 'bounced' | 'complained'; messageId: string },
): Promise<void> {
  await em.execute(
    `insert into undeliverable_addresses (org_id, address_hash, reason, message_id)
     values (?, address_hash(?), ?, ?) on conflict (org_id, address_hash) do nothing`,
    [organizationOf(em), address, reason, messageId],
  );
}

/** Lets the organization's mail go to an address again. */
export async function forgetUndeliverable(em: EntityManager, address: string): Promise<void> {
  await em.execute('delete from undeliverable_addresses where org_id = ? and address_hash = address_hash(?)', [
    organizationOf(em),
    address,
  ]);
}
