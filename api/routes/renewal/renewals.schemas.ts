// The shapes of renewal batches on the wire. Contract 3.2 "batch".
import { z } from 'zod';
import { RENEWAL_DAYS_BEFORE } from '../../../domain/renewal/renewal.ts';
import { ITEM_OUTCOMES } from '../../../domain/renewal/renewal-batch.ts';
import { idParam, pageQuery } from '../../spine/schemas.ts';

export const RenewalBatchRunSchema = z
  .strictObject({
    expiringWithinDays: z
      .number()
      .int()
      .min(1)
      .max(RENEWAL_DAYS_BEFORE)
      .meta({ description: 'Policies that expire today or within so many days are taken.', examples: [30] }),
    dryRun: z.boolean().optional().meta({ description: 'Shows what would happen and writes nothing. Default false.' }),
  })
  .meta({ id: 'RenewalBatchRun' });

export const StartedBatchSchema = z
  .strictObject({
    batchId: z.string(),
    workflowId: z.string(),
    matched: z.int().meta({ description: 'Policies that the batch has taken.' }),
  })
  .meta({ id: 'StartedRenewalBatch' });

const BatchItemSchema = z
  .strictObject({
    policyId: z.string(),
    outcome: z.enum(ITEM_OUTCOMES),
    renewalPolicyId: z.string().optional().meta({ description: 'The next term of a renewed policy.' }),
    error: z
      .strictObject({ code: z.string(), message: z.string() })
      .optional()
      .meta({ description: 'Why the renewal failed; the code is one of the error catalogue.' }),
  })
  .meta({ id: 'RenewalBatchItem' });

export const RenewalBatchSchema = z
  .strictObject({
    batchId: z.string().nullable().meta({ description: 'Null in a dry run, which leaves nothing behind.' }),
    workflowId: z.string().nullable(),
    status: z.enum(['running', 'completed', 'failed']).meta({
      description:
        '`failed`: it was ended before every policy had its turn. A policy that fails does not fail the batch.',
    }),
    dryRun: z.boolean(),
    matched: z.int(),
    renewed: z.int().meta({ description: 'So far; in a dry run of all that would be taken, and so the next two.' }),
    referred: z.int().meta({ description: 'Above the authority: a referral is open.' }),
    failed: z.int(),
    items: z
      .array(BatchItemSchema)
      .meta({ description: 'A page of the policies whose outcome is known, by their expiration date.' }),
    nextCursor: z
      .string()
      .nullable()
      .meta({ description: 'Pass as cursor for the next page of items; null on the last.' }),
  })
  .meta({ id: 'RenewalBatch' });

export const BatchParams = z.strictObject({ id: idParam('batch') });

export const BatchItemsQuery = z.strictObject(pageQuery);

export type RenewalBatchWire = z.output<typeof RenewalBatchSchema>;
