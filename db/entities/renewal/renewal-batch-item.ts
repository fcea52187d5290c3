// The result for one policy in a renewal batch; no outcome until it is done.
import { defineEntity, p } from '@mikro-orm/core';
import type { ItemError, ItemOutcome } from '../../../domain/renewal/renewal-batch.ts';
import { businessDate, code, createdAtColumn, json, orgIdColumn, updatedAtColumn } from '../../columns.ts';

const RenewalBatchItemSchema = defineEntity({
  name: 'RenewalBatchItem',
  tableName: 'renewal_batch_items',
  properties: {
    orgId: orgIdColumn().primary(),
    batchId: p.text().primary(),
    policyId: p.text().primary(),
    /** The policy's expiration date when the batch took it: the order of the items. */
    expirationDate: businessDate(),
    outcome: code<ItemOutcome>().strictNullable(),
    renewalPolicyId: p.text().strictNullable(),
    error: json<ItemError>().strictNullable(),
    createdAt: createdAtColumn(),
    updatedAt: updatedAtColumn(),
  },
});

export class RenewalBatchItem extends RenewalBatchItemSchema.class {}
RenewalBatchItemSchema.setClass(RenewalBatchItem);
