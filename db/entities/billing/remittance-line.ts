// A ledger line that a remittance covers; released when the remittance is rejected.
import { defineEntity, p } from '@mikro-orm/core';
import type { AccountNumber } from '../../../domain/billing/ledger/chart.ts';
import { cents, orgIdColumn } from '../../columns.ts';

const RemittanceLineSchema = defineEntity({
  name: 'RemittanceLine',
  tableName: 'remittance_lines',
  properties: {
    orgId: orgIdColumn().primary(),
    remittanceId: p.text().primary(),
    lineId: p.text().primary(),
    invoiceId: p.text(),
    account: p.integer().$type<AccountNumber>(),
    /** Credit less debit. */
    amountCents: cents(),
    released: p.boolean().default(false),
  },
});

export class RemittanceLine extends RemittanceLineSchema.class {}
RemittanceLineSchema.setClass(RemittanceLine);
