// The shapes of renewal batches on the wire. Contract 3.2 "batch".
import { z } from 'zod';
import { RENEWAL_DAYS_BEFORE } from '../../../domain/renewal/renewal.ts';
import { ITEM_OUTCOMES } from '../../../domain/renewal/renewal-batch.ts';
import { idParam, idReference, pageQuery } from '../../spine/schemas.ts';

/** Ten years: no policy expires later. */
const MOST_DAYS = 3_650;

export const RenewalBatchRunSchema = z
  .strictObject({
    expiringWithinDays: z
      .number()
      .int()
      .min(1)
      .max(MOST_DAYS)
      .meta({
        description: `The batch takes policies that expire today or within this many days. Anything above ${RENEWAL_DAYS_BEFORE} counts as ${RENEWAL_DAYS_BEFORE}, because a policy cannot be renewed earlier.`,
        examples: [30],
      }),
    dryRun: z
      .boolean()
      .optional()
      .meta({ description: 'True shows what would happen and writes nothing. Default: false.' }),
  })
  .meta({ id: 'RenewalBatchRun' });

export const StartedBatchSchema = z
  .strictObject({
    batchId: idReference('batch'),
    workflowId: z.string(),
    matched: z.int().meta({ description: 'The number of policies in the batch.' }),
  })
  .meta({ id: 'StartedRenewalBatch' });

const BatchItemSchema = z
  .strictObject({
    policyId: idReference('policy'),
    outcome: z.enum(ITEM_OUTCOMES),
    renewalPolicyId: idReference('policy')
      .optional()
      .meta({ description: 'The id of the next term, if the policy was renewed.' }),
    error: z
      .strictObject({ code: z.string(), message: z.string() })
      .optional()
      .meta({ description: 'Why the renewal failed. The code comes from the error catalogue.' }),
  })
  .meta({ id: 'RenewalBatchItem' });

export const RenewalBatchSchema = z
  .strictObject({
    batchId: idReference('batch')
      .nullable()
      .meta({ description: 'The id of the batch. It is null in a dry run, which stores nothing.' }),
    workflowId: z.string().nullable(),
    status: z.enum(['running', 'completed', 'failed']).meta({
      description:
        '`failed` means that the batch ended before every policy had been processed. A single policy that fails does not fail the batch.',
    }),
    dryRun: z.boolean(),
    matched: z.int().meta({ description: 'The number of policies in the batch.' }),
    renewed: z.int().meta({
      description: 'The number of policies renewed so far. In a dry run: the number that would be renewed.',
    }),
    referred: z.int().meta({
      description:
        'The number of policies referred so far because they exceed the authority; each has an open referral. In a dry run: the number that would be referred.',
    }),
    failed: z.int().meta({
      description: 'The number of policies that failed so far. In a dry run: the number that would fail.',
    }),
    items: z
      .array(BatchItemSchema)
      .meta({ description: 'One page of the policies whose outcome is known, in order of expiration date.' }),
    nextCursor: z
      .string()
      .nullable()
      .meta({ description: 'Pass it as `cursor` to get the next page of items. It is null on the last page.' }),
  })
  .meta({ id: 'RenewalBatch' });

export const BatchParams = z.strictObject({ id: idParam('batch') });

export const BatchItemsQuery = z.strictObject(pageQuery);

export type RenewalBatchWire = z.output<typeof RenewalBatchSchema>;
