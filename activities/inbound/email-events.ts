/**
 * Effects of an email provider event: it is noted on its notice, and an address that bounces permanently or complains
 * gets no more mail from that organization. Spec 6.6. Safe to run twice.
 */
import type { EntityManager } from '@mikro-orm/postgresql';
import type { EmailEvent, EmailOutcome } from '../../contracts/inbound.ts';
import type { SentMail } from '../../db/entities/delivery/sent-mail.ts';
import { findClaim } from '../../db/queries/claim/claims.ts';
import { lockSentMail, ownerOfMail, rememberUndeliverable } from '../../db/queries/delivery/sent-mails.ts';
import { recordInboundEvent } from '../../db/queries/inbound/inbound-events.ts';
import { writeAudit } from '../../db/queries/platform/audit.ts';
import { PLATFORM_SCOPE } from '../../db/scope.ts';
import { LETTER_COPY } from '../../domain/document/kinds.ts';
import type { ActorRef } from '../../domain/permissions.ts';
import { auditOf } from '../audit.ts';
import { type Deps, transaction } from '../context.ts';
import { alertLetterToPost, alertNoticeNotDelivered } from '../notice/notice-alerts.ts';

const PROVIDER = 'email-provider';
const KIND = 'recordEmailEvent';
const EMAIL_PROVIDER: ActorRef = { kind: 'machine', id: PROVIDER, role: 'superadmin' };

type Noted = 'deliveredAt' | 'openedAt' | 'bouncedAt' | 'failedAt' | 'complainedAt';

/** The field of the e-mail where each event type is noted. Other types leave nothing. */
const NOTED_AS: Readonly<Record<string, Noted>> = {
  'email.delivered': 'deliveredAt',
  'email.opened': 'openedAt',
  'email.bounced': 'bouncedAt',
  'email.complained': 'complainedAt',
  'email.failed': 'failedAt',
  'email.suppressed': 'failedAt',
};

/** Reports that mean a notice did not reach its recipient. One that draws a complaint has been received. */
const NOT_DELIVERED: Readonly<Partial<Record<Noted, 'bounced' | 'failed'>>> = {
  bouncedAt: 'bounced',
  failedAt: 'failed',
};

/** Records an event. `noted`: no e-mail of ours was found. */
export const recordEmailEvent =
  (deps: Deps) =>
  async (event: EmailEvent): Promise<{ outcome: EmailOutcome; orgId: string | null }> => {
    const mail = await deps.database.acrossOrgs('whose e-mail an event is about', (em) => ownerOfMail(em, event));
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

/**
 * Why the recipients get no more mail; null for an event that does not change that. The provider suppresses mail to an
 * address after a permanent bounce, perhaps of an e-mail that was not a notice.
 */
function endOfMail({ type, isPermanentBounce }: EmailEvent): 'complained' | 'bounced' | null {
  if (type === 'email.complained') return 'complained';
  return isPermanentBounce || type === 'email.suppressed' ? 'bounced' : null;
}

/** Where an event is noted; null for one that leaves nothing, such as a bounce that the provider retries. */
function fieldOf({ type, isPermanentBounce }: EmailEvent): Noted | null {
  if (type === 'email.bounced' && !isPermanentBounce) return null;
  return Object.hasOwn(NOTED_AS, type) ? (NOTED_AS[type] ?? null) : null;
}

async function note(em: EntityManager, deps: Deps, event: EmailEvent, mailId: string): Promise<void> {
  const field = fieldOf(event);
  if (field === null) return;
  const mail = await lockSentMail(em, mailId);
  if (mail === null) return;
  const reason = endOfMail(event);
  if (reason !== null) await endMail(em, event, reason);
  // The first report counts: an e-mail may be opened many times.
  if (mail[field] !== null) return;
  const isKnown = mail.bouncedAt !== null || mail.failedAt !== null;
  em.assign(mail, { [field]: new Date(event.createdAt ?? deps.now()) } as Partial<SentMail>);
  const failure = NOT_DELIVERED[field];
  if (failure !== undefined || field === 'complainedAt') {
    const about = mail.claimId === null ? 'policy' : 'claim';
    const origin = { actor: EMAIL_PROVIDER, requestId: null, entityId: mail.claimId ?? mail.policyId };
    const changes = { kind: mail.kind, report: event.type };
    writeAudit(em, auditOf(origin, `${about}:note_undelivered`, about, changes));
  }
  if (failure !== undefined && !isKnown) await haveItPosted(em, deps, mail, failure);
  await em.flush();
}

/** The address gets no more mail from the organization. */
async function endMail(
  em: EntityManager,
  { data, messageId }: EmailEvent,
  reason: 'bounced' | 'complained',
): Promise<void> {
  for (const address of data.to) await rememberUndeliverable(em, { address, reason, messageId });
}

/** A notice or letter that did not arrive must be posted. */
async function haveItPosted(
  em: EntityManager,
  deps: Deps,
  { policyId, claimId, certificateId, kind }: SentMail,
  failure: 'bounced' | 'failed',
): Promise<void> {
  // A letter of which the insured has a copy must be posted in any case.
  if (certificateId !== null || kind === LETTER_COPY) return;
  if (claimId === null) return alertNoticeNotDelivered(em, deps, { policyId, kind, outcome: failure });
  const claim = await findClaim(em, claimId);
  if (claim !== null) alertLetterToPost(em, deps, claim, { letter: kind, reason: failure });
}
