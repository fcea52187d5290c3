// A notice due to a policy's insured and not yet sent.
import { defineEntity, p } from '@mikro-orm/core';
import { businessDate, createdAtColumn, orgIdColumn } from '../../columns.ts';

const DueNoticeSchema = defineEntity({
  name: 'DueNotice',
  tableName: 'due_notices',
  properties: {
    /** The e-mail's id. */
    id: p.text().primary(),
    orgId: orgIdColumn().primary(),
    policyId: p.text(),
    kind: p.text(),
    /** The business date of the notice. */
    onDate: businessDate(),
    /** The transaction, bill or attempt it is about. */
    transactionId: p.text().strictNullable(),
    createdAt: createdAtColumn(),
  },
});

export class DueNotice extends DueNoticeSchema.class {}
DueNoticeSchema.setClass(DueNotice);
