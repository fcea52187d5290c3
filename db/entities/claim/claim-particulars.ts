// The description of a loss and of who suffered it, apart from the claim: written once by the api, before the claim, so
// that it passes through no workflow, and read only for those who may see it.
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
