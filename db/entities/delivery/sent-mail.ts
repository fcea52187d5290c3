// A notice due to a policy's insured, or an e-mail about a claim or to a certificate holder: its outcome, and what the
// email provider has reported about it.
import { defineEntity, p } from '@mikro-orm/core';
import type { NoticeOutcome } from '../../../domain/notice/notice-outcome.ts';
import { businessDate, createdAtColumn, idColumn, instant, orgIdColumn, updatedAtColumn } from '../../columns.ts';

const SentMailSchema = defineEntity({
  name: 'SentMail',
  tableName: 'sent_mails',
  properties: {
    id: idColumn('sentMail'),
    orgId: orgIdColumn(),
    messageId: p.text(),
    policyId: p.text(),
    /** Set on a letter about a claim. */
    claimId: p.text().strictNullable(),
    /** Set on a notice to a certificate holder. */
    certificateId: p.text().strictNullable(),
    /** The kind of notice or letter. */
    kind: p.text(),
    /** The business date of the notice. */
    onDate: businessDate(),
    /** The email provider's id; null if it went another way. */
    providerId: p.text().strictNullable(),
    outcome: p.text().$type<NoticeOutcome>(),
    /** Null if no e-mail could be sent. */
    sentAt: instant().strictNullable(),
    deliveredAt: instant().strictNullable(),
    openedAt: instant().strictNullable(),
    bouncedAt: instant().strictNullable(),
    /** When the provider did not send it: it failed there, or the address is on its suppression list. */
    failedAt: instant().strictNullable(),
    complainedAt: instant().strictNullable(),
    createdAt: createdAtColumn(),
    updatedAt: updatedAtColumn(),
  },
});

export class SentMail extends SentMailSchema.class {}
SentMailSchema.setClass(SentMail);
