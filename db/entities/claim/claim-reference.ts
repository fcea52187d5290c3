// What a payment or a recovery refers to, or the provision that a denial names, under the id of the payment, of the
// recovery, of the denial's note: written once by the api, so that it passes through no workflow.
import { defineEntity, p } from '@mikro-orm/core';
import { createdAtColumn, orgIdColumn } from '../../columns.ts';

const ClaimReferenceSchema = defineEntity({
  name: 'ClaimReference',
  tableName: 'claim_references',
  properties: {
    id: p.text().primary(),
    orgId: orgIdColumn(),
    claimId: p.text(),
    text: p.text(),
    createdAt: createdAtColumn(),
  },
});

export class ClaimReference extends ClaimReferenceSchema.class {}
ClaimReferenceSchema.setClass(ClaimReference);
