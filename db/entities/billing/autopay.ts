// An insured's autopay: the card charged for their bills. The processor keeps the card; these columns identify it to a
// person.
import { defineEntity, p } from '@mikro-orm/core';
import type { AutopayStatus, KeptCard, SuspensionReason } from '../../../domain/billing/autopay.ts';
import { code, createdAtColumn, idColumn, json, orgIdColumn, updatedAtColumn, versionColumn } from '../../columns.ts';

const AutopaySchema = defineEntity({
  name: 'Autopay',
  tableName: 'autopays',
  properties: {
    id: idColumn('autopay'),
    orgId: orgIdColumn(),
    insuredId: p.text(),
    status: code<AutopayStatus>(),
    suspendedReason: code<SuspensionReason>().strictNullable(),
    /** The insured, at the processor. */
    customerKey: p.text().strictNullable(),
    /** The setup whose card is charged. */
    setupId: p.text().strictNullable(),
    /** The card, at the processor. */
    paymentMethodKey: p.text().strictNullable(),
    card: json<KeptCard>().strictNullable(),
    version: versionColumn(),
    createdAt: createdAtColumn(),
    updatedAt: updatedAtColumn(),
  },
});

export class Autopay extends AutopaySchema.class {}
AutopaySchema.setClass(Autopay);
