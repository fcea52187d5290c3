// What a carrier lets the organization bind on its own. Without a year it governs every calendar year.
import { defineEntity, p } from '@mikro-orm/core';
import type { DaContractStatus } from '../../../domain/authority/authority-contract.ts';
import {
  cents,
  code,
  createdAtColumn,
  idColumn,
  json,
  orgIdColumn,
  updatedAtColumn,
  versionColumn,
} from '../../columns.ts';

const DaContractSchema = defineEntity({
  name: 'DaContract',
  tableName: 'da_contracts',
  properties: {
    id: idColumn('daContract'),
    orgId: orgIdColumn(),
    carrier: p.text(),
    /** The carrier's five-digit NAIC number; null if not recorded. */
    carrierNaicCode: p.text().strictNullable(),
    year: p.integer().strictNullable(),
    status: code<DaContractStatus>(),
    maxPolicyLimitCents: cents(),
    maxPremiumCents: cents(),
    maxAnnualRevenueCents: cents(),
    maxAnnualPremiumVolumeCents: cents(),
    linesOfBusiness: json<string[]>(),
    states: json<string[]>(),
    prohibitedNaics: json<string[]>().onCreate(() => []),
    referNaics: json<string[]>().onCreate(() => []),
    version: versionColumn(),
    createdAt: createdAtColumn(),
    updatedAt: updatedAtColumn(),
  },
});

export class DaContract extends DaContractSchema.class {}
DaContractSchema.setClass(DaContract);
