// The description of a loss and of who suffered it, separate from the claim: the api writes it once, before the claim,
// so that it never passes through a workflow, and reads it only for those who may see it.
import { defineEntity, p } from '@mikro-orm/core';
import type { Address } from '../../../domain/address.ts';
import { createdAtColumn, json, orgIdColumn } from '../../columns.ts';

const ClaimParticularsSchema = defineEntity({
  name: 'ClaimParticulars',
  tableName: 'claim_particulars',
  properties: {
    claimId: p.text().primary(),
    orgId: orgIdColumn(),
    description: p.text(),
    cause: p.text().strictNullable(),
    reportedBy: p.text().strictNullable(),
    lossLocation: p.text().strictNullable(),
    claimantName: p.text().strictNullable(),
    claimantEmail: p.text().strictNullable(),
    claimantPhone: p.text().strictNullable(),
    claimantAddress: json<Address>().nullable(),
    createdAt: createdAtColumn(),
  },
});

export class ClaimParticulars extends ClaimParticularsSchema.class {}
ClaimParticularsSchema.setClass(ClaimParticulars);
