// A notice that was due to the insured of a policy, or an e-mail about a claim or to the holder of a certificate: its
// outcome, and what the email provider has reported of it.
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
    /** Of a letter about a claim. */
    claimId: p.text().strictNullable(),
    /** Of the news to the holder of a certificate. */
    certificateId: p.text().strictNullable(),
    /** The kind of notice or letter. */
    kind: p.text(),
    /** The business date of the notice. */
    onDate: businessDate(),
    /** By which the email provider speaks of it; null where it went another way. */
    providerId: p.text().strictNullable(),
    outcome: p.text().$type<NoticeOutcome>(),
    /** Null where no e-mail could be sent. */
    sentAt: instant().strictNullable(),
    deliveredAt: instant().strictNullable(),
    openedAt: instant().strictNullable(),
    bouncedAt: instant().strictNullable(),
    /** The provider has not sent it: it failed there, or the address is on its list of those that come back. */
    failedAt: instant().strictNullable(),
    complainedAt: instant().strictNullable(),
    createdAt: createdAtColumn(),
    updatedAt: updatedAtColumn(),
  },
});

export class SentMail extends SentMailSchema.class {}
SentMailSchema.setClass(SentMail);
