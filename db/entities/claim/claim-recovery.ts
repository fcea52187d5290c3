// Money recovered on a claim: salvage, or what another party is liable for. Its reference is in claim-reference.ts.
import { defineEntity, p } from '@mikro-orm/core';
import type { RecoveryKind } from '../../../domain/claim/claim-payment.ts';
import { businessDate, cents, code, createdAtColumn, idColumn, orgIdColumn } from '../../columns.ts';

const ClaimRecoverySchema = defineEntity({
  name: 'ClaimRecovery',
  tableName: 'claim_recoveries',
  properties: {
    id: idColumn('claimRecovery'),
    orgId: orgIdColumn(),
    claimId: p.text(),
    carrier: p.text(),
    kind: code<RecoveryKind>(),
    amountCents: cents(),
    receivedOn: businessDate(),
    createdAt: createdAtColumn(),
  },
});

export class ClaimRecovery extends ClaimRecoverySchema.class {}
ClaimRecoverySchema.setClass(ClaimRecovery);
