// The reference of a payment or recovery, or the provision a denial cites, under the id of the payment, recovery or
// denial note: the api writes it once, so that it never passes through a workflow.
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
