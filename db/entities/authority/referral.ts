// A request for a decision by someone with more authority. At most one is open per submission and per policy.
import { defineEntity, p } from '@mikro-orm/core';
import type { DaFlag } from '../../../domain/authority/authority.ts';
import type { AgreedFigures, ReferralStatus } from '../../../domain/authority/referral.ts';
import type { JudgedRisk } from '../../../domain/authority/standing-approval.ts';
import type { BusinessDate } from '../../../domain/dates.ts';
import type { TermChanges } from '../../../domain/policy/transaction.ts';
import {
  businessDate,
  cents,
  code,
  createdAtColumn,
  idColumn,
  instant,
  json,
  orgIdColumn,
  updatedAtColumn,
  versionColumn,
} from '../../columns.ts';

/** A policy change that was refused for lack of authority; an approval carries it out. */
export type ReferredChange = {
  /** What the change would have led to when it was refused. */
  figures: AgreedFigures;
} & (
  | { kind: 'endorse'; payload: { effectiveDate: BusinessDate; changes: TermChanges; reason: string | null } }
  | { kind: 'renew'; payload: { effectiveDate: BusinessDate | null; changes: TermChanges } }
);

/** A question from a decider, or an answer to it. */
interface ReferralRemark {
  kind: 'question' | 'answer';
  by: string;
  /** ISO 8601. */
  at: string;
  text: string;
}

const ReferralSchema = defineEntity({
  name: 'Referral',
  tableName: 'referrals',
  properties: {
    id: idColumn('referral'),
    orgId: orgIdColumn(),
    submissionId: p.text().strictNullable(),
    policyId: p.text().strictNullable(),
    quoteId: p.text().strictNullable(),
    dealRoomId: p.text().strictNullable(),
    reason: p.text(),
    flags: json<DaFlag[]>().onCreate(() => []),
    status: code<ReferralStatus>().default('pending'),
    requestedBy: p.text(),
    /** Everyone behind the request: none of them may decide it. */
    requesters: json<string[]>().onCreate(() => []),
    /** Whether a person has presented it; a quote or a change opens one automatically. */
    isPresented: p.boolean().default(false),
    limitCents: cents().strictNullable(),
    premiumCents: cents().strictNullable(),
    lineOfBusiness: p.text().strictNullable(),
    /** The risk to decide on; null for a policy, and for a submission that could not be priced. */
    judged: json<JudgedRisk>().strictNullable(),
    /** What an approval carries out; null if it only clears flags. */
    request: json<ReferredChange>().strictNullable(),
    /** The transaction that carried out the approval. */
    transactionId: p.text().strictNullable(),
    remarks: json<ReferralRemark[]>().onCreate(() => []),
    /** The day on which it ends without a decision. */
    expiresOn: businessDate(),
    /** The day of the next reminder, or of the end; meaningless once decided. */
    nextStepOn: businessDate(),
    decidedBy: p.text().strictNullable(),
    /** The lender whose authority the decision used, if it was lent. */
    decidedFor: p.text().strictNullable(),
    decidedAt: instant().strictNullable(),
    notes: p.text().strictNullable(),
    conditions: json<string[]>().onCreate(() => []),
    version: versionColumn(),
    createdAt: createdAtColumn(),
    updatedAt: updatedAtColumn(),
  },
});

export class Referral extends ReferralSchema.class {}
ReferralSchema.setClass(Referral);
