// A step of a payment or refund that an operator skipped; the reconciliation reports it until it is mended.
import { defineEntity, p } from '@mikro-orm/core';
import { instant, orgIdColumn, updatedAtColumn } from '../../columns.ts';

const StepSkipSchema = defineEntity({
  name: 'StepSkip',
  tableName: 'step_skips',
  properties: {
    orgId: orgIdColumn().primary(),
    /** The payment or refund. */
    paymentId: p.text().primary(),
    /** As the saga names it: `fiduciary ledger`. */
    step: p.text().primary(),
    invoiceId: p.text().strictNullable(),
    skippedBy: p.text(),
    skippedAt: instant(),
    /** The entry that mended it; null while open. */
    mendedBy: p.text().strictNullable(),
    updatedAt: updatedAtColumn(),
  },
});

export class StepSkip extends StepSkipSchema.class {}
StepSkipSchema.setClass(StepSkip);
