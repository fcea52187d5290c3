/**
 * What an event of the email provider brings about: it is noted on the notice that it is about, and an address that
 * bounces for good or complains gets no more mail of the organization whose e-mail it was. Spec 6.6. May be done twice.
 */
import type { EntityManager } from '@mikro-orm/postgresql';
import type { EmailEvent, EmailOutcome } from '../../contracts/inbound.ts';
import type { SentMail } from '../../db/entities/delivery/sent-mail.ts';
import { findClaim } from '../../db/queries/claim/claims.ts';
import { lockSentMail, ownerOfMail, rememberUndeliverable } from '../../db/queries/delivery/sent-mails.ts';
import { recordInboundEvent } from '../../db/queries/inbound/inbound-events.ts';
import { writeAudit } from '../../db/queries/platform/audit.ts';
import { PLATFORM_SCOPE } from '../../db/scope.ts';
import type { ActorRef } from '../../domain/permissions.ts';
import { auditOf } from '../audit.ts';
import { type Deps, transaction } from '../context.ts';
import { alertLetterToPost, alertNoticeNotDelivered } from '../notice/notice-alerts.ts';

const PROVIDER = 'email-provider';
const KIND = 'recordEmailEvent';
const EMAIL_PROVIDER: ActorRef = { kind: 'machine', id: PROVIDER, role: 'superadmin' };

type Noted = 'deliveredAt' | 'openedAt' | 'bouncedAt' | 'complainedAt';

/** Where each type of event is noted on the e-mail. The others leave nothing. */
const NOTED_AS: Readonly<Record<string, Noted>> = {
  'email.delivered': 'deliveredAt',
  'email.opened': 'openedAt',
  'email.bounced': 'bouncedAt',
  'email.complained': 'complainedAt',
};

/** Records an event. `noted` has not found an e-mail of ours. */
export const recordEmailEvent =
  (deps: Deps) =>
  async (event: EmailEvent): Promise<{ outcome: EmailOutcome; orgId: string | null }> => {
    const { emailId } = event;
    const mail =
      emailId === null
        ? null
        : await deps.database.acrossOrgs('whose e-mail an event is about', (em) => ownerOfMail(em, emailId));
    const cause = endOfMail(event);
    const outcome = mail === null ? 'noted' : cause === null ? 'recorded' : 'suppressed';
    const orgId = mail?.orgId ?? null;
    const { messageId: id, type } = event;
    await transaction(deps, { kind: KIND, orgId: orgId ?? PLATFORM_SCOPE }, async (em) => {
      if (mail !== null) await note(em, deps, event, mail.id);
      await recordInboundEvent(em, { provider: PROVIDER, id, type, outcome, paymentId: null });
    });
    return { outcome, orgId };
  };

/** Why no more mail goes to the recipients of the e-mail; null for an event that changes nothing about that. */
function endOfMail({ type, isPermanentBounce }: EmailEvent): 'complained' | 'bounced' | null {
  if (type === 'email.complained') return 'complained';
  return isPermanentBounce ? 'bounced' : null;
}

async function note(em: EntityManager, deps: Deps, event: EmailEvent, mailId: string): Promise<void> {
  const field = Object.hasOwn(NOTED_AS, event.type) ? NOTED_AS[event.type] : undefined;
  if (field === undefined) return;
  const mail = await lockSentMail(em, mailId);
  // The first report counts: an e-mail is opened many times.
  if (mail === null || mail[field] !== null) return;
  em.assign(mail, { [field]: new Date(event.createdAt ?? deps.now()) } as Partial<SentMail>);
  if (field === 'bouncedAt' || field === 'complainedAt') {
    const about = mail.claimId === null ? 'policy' : 'claim';
    const origin = { actor: EMAIL_PROVIDER, requestId: null, entityId: mail.claimId ?? mail.policyId };
    const changes = { kind: mail.kind, report: event.type };
    writeAudit(em, auditOf(origin, `${about}:note_undelivered`, about, changes));
  }
  const reason = endOfMail(event);
  if (reason !== null) await endMail(em, deps, event, { mail, reason });
  await em.flush();
}

/** The address takes no more mail of the organization. A notice or letter that came back has to be posted. */
async function endMail(
  em: EntityManager,
  deps: Deps,
  { data, messageId }: EmailEvent,
  { mail, reason }: { mail: SentMail; reason: 'bounced' | 'complained' },
): Promise<void> {
  for (const address of data.to) await rememberUndeliverable(em, { address, reason, messageId });
  if (reason !== 'bounced' || mail.certificateId !== null) return;
  const { policyId, claimId, kind } = mail;
  if (claimId === null) return alertNoticeNotDelivered(em, deps, { policyId, kind, outcome: 'bounced' });
  const claim = await findClaim(em, claimId);
  if (claim !== null) alertLetterToPost(em, deps, claim, { letter: kind, reason: 'bounced' });
}
