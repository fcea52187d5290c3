// What a payee owes back to the trust because a return came after they were paid. The next remittance nets it.
import { defineEntity, p } from '@mikro-orm/core';
import type { AccountNumber } from '../../../domain/billing/ledger/chart.ts';
import type { RemittanceKind } from '../../../domain/billing/remittance.ts';
import { businessDate, cents, code, createdAtColumn, idColumn, orgIdColumn, updatedAtColumn } from '../../columns.ts';

const TrustShortfallSchema = defineEntity({
  name: 'TrustShortfall',
  tableName: 'trust_shortfalls',
  properties: {
    id: idColumn('trustShortfall'),
    orgId: orgIdColumn(),
    kind: code<RemittanceKind>(),
    payee: p.text(),
    account: p.integer().$type<AccountNumber>(),
    amountCents: cents(),
    /** The invoice whose return caused it. */
    invoiceId: p.text(),
    aroseOn: businessDate(),
    createdAt: createdAtColumn(),
    updatedAt: updatedAtColumn(),
  },
});

export class TrustShortfall extends TrustShortfallSchema.class {}
TrustShortfallSchema.setClass(TrustShortfall);
