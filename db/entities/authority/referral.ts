// A request for a decision by someone with more authority. At most one is open per submission and per policy.
import { defineEntity, p } from '@mikro-orm/core';
import type { DaFlag } from '../../../domain/authority/authority.ts';
import {
  code,
  createdAtColumn,
  idColumn,
  instant,
  json,
  orgIdColumn,
  updatedAtColumn,
  versionColumn,
} from '../../columns.ts';

export type ReferralStatus = 'pending' | 'info_requested' | 'approved' | 'rejected' | 'withdrawn';

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
    decidedBy: p.text().strictNullable(),
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
