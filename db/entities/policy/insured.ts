// The insured, across all terms of their policies.
import { defineEntity, p } from '@mikro-orm/core';
import type { Address } from '../../../domain/address.ts';
import type { PushKind } from '../../../domain/portal/push.ts';
import { createdAtColumn, idColumn, json, orgIdColumn, updatedAtColumn, versionColumn } from '../../columns.ts';

const InsuredSchema = defineEntity({
  name: 'Insured',
  tableName: 'insureds',
  properties: {
    id: idColumn('insured'),
    orgId: orgIdColumn(),
    name: p.text(),
    nameNormalized: p.text(),
    email: p.text().strictNullable(),
    phone: p.text().strictNullable(),
    address: json<Address>().strictNullable(),
    /** The push kinds their devices do not receive. */
    mutedPushes: json<PushKind[]>().onCreate(() => []),
    version: versionColumn(),
    createdAt: createdAtColumn(),
    updatedAt: updatedAtColumn(),
  },
});

export class Insured extends InsuredSchema.class {}
InsuredSchema.setClass(Insured);
