/** The record of a notice that was due, or an e-mail that went out, for the email provider's reports. */
import type { EntityManager } from '@mikro-orm/postgresql';
import { SentMail } from '../../db/entities/delivery/sent-mail.ts';
import { newId } from '../../db/ids.ts';
import { addRow } from '../../db/new-rows.ts';
import type { BusinessDate } from '../../domain/dates.ts';
import type { NoticeOutcome } from '../../domain/notice/notice-outcome.ts';
import type { Deps } from '../context.ts';

interface KeptMail {
  policyId: string;
  claimId?: string;
  certificateId?: string;
  kind: string;
  /** Its business date. */
  onDate: BusinessDate;
  messageId: string;
  /** The email provider's id for it; null if it went another way. */
  providerId: string | null;
  outcome: NoticeOutcome;
}

/** Stores it in the caller's transaction. */
export function keepMail(em: EntityManager, deps: Deps, mail: KeptMail): void {
  const { claimId = null, certificateId = null, ...facts } = mail;
  const reports = { deliveredAt: null, openedAt: null, bouncedAt: null, failedAt: null, complainedAt: null };
  const sentAt = facts.outcome === 'sent' ? new Date(deps.now()) : null;
  addRow(em, SentMail, { id: newId('sentMail'), claimId, certificateId, ...facts, sentAt, ...reports });
}
