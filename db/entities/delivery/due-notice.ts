// A notice that is due to the insured of a policy and is not done yet.
import { defineEntity, p } from '@mikro-orm/core';
import { businessDate, createdAtColumn, orgIdColumn } from '../../columns.ts';

const DueNoticeSchema = defineEntity({
  name: 'DueNotice',
  tableName: 'due_notices',
  properties: {
    /** That of the e-mail. */
    id: p.text().primary(),
    orgId: orgIdColumn().primary(),
    policyId: p.text(),
    kind: p.text(),
    /** The business date of the notice. */
    onDate: businessDate(),
    /** The transaction, bill or attempt that it is about. */
    transactionId: p.text().strictNullable(),
    createdAt: createdAtColumn(),
  },
});

export class DueNotice extends DueNoticeSchema.class {}
DueNoticeSchema.setClass(DueNotice);
