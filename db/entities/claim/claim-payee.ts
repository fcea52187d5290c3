// The payee of a settlement, under its id: the api writes it once, so that it never passes through a workflow.
import { defineEntity, p } from '@mikro-orm/core';
import { createdAtColumn, orgIdColumn } from '../../columns.ts';

const ClaimPayeeSchema = defineEntity({
  name: 'ClaimPayee',
  tableName: 'claim_payees',
  properties: {
    id: p.text().primary(),
    orgId: orgIdColumn(),
    claimId: p.text(),
    name: p.text(),
    createdAt: createdAtColumn(),
  },
});

export class ClaimPayee extends ClaimPayeeSchema.class {}
ClaimPayeeSchema.setClass(ClaimPayee);
