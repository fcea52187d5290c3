// The shapes of bordereaux on the wire. Domain facts 3.10.
import { z } from 'zod';
import { BORDEREAU_KINDS } from '../../../domain/insight/bordereau.ts';
import {
  actorId,
  businessText,
  idReference,
  instant,
  isoDate,
  month,
  pageQuery,
  pageSchema,
  signedDollars,
} from '../../spine/schemas.ts';

const kind = z.enum(BORDEREAU_KINDS).meta({
  description:
    '`premium`: premium written by the transactions of the month, and premium settled by the ledger in it. `claims`: claims that were open in the month, or on which money moved in it. `risk`: the terms of policies that were bound or changed in the month.',
});

const carrier = businessText.meta({ description: 'The carrier, as the authority contract names it.' });

export const BordereauOrderSchema = z.strictObject({ carrier, month, kind }).meta({ id: 'BordereauOrder' });

const value = z.union([z.string(), z.number(), z.boolean(), z.null()]);

const DifferenceSchema = z
  .strictObject({
    change: z.enum(['added', 'removed', 'changed']),
    policyNumber: z.string(),
    reference: z
      .string()
      .meta({ description: 'Together with the policy number, it identifies the row within the bordereau.' }),
    columns: z
      .array(z.strictObject({ column: z.string(), before: value, after: value }))
      .meta({ description: 'The values that changed. It is empty for a row that was added or removed.' }),
  })
  .meta({ id: 'BordereauDifference' });

const count = z.int().min(0);

const DifferencesSchema = z
  .strictObject({
    previousId: idReference('bordereau'),
    previousVersion: z.int(),
    added: count,
    removed: count,
    changed: count,
    rows: z.array(DifferenceSchema).meta({ description: 'The first 100; the file of differences lists all of them.' }),
  })
  .meta({ id: 'BordereauDifferences' });

const url = z.string().optional();

export const BordereauSchema = z
  .strictObject({
    id: idReference('bordereau'),
    orgId: idReference('organization'),
    carrier: z.string(),
    month,
    kind,
    version: z.int().meta({ description: 'Counts the runs for the same carrier, month and kind from 1.' }),
    status: z.enum(['running', 'completed', 'failed']),
    through: isoDate.meta({
      description: 'The last day of the report. Until the month is over, it is the day of the run.',
    }),
    rowCount: count.nullable(),
    totals: z
      .record(z.string(), signedDollars)
      .nullable()
      .meta({ description: 'The totals of the amount columns. It is null until the run is completed.' }),
    differences: DifferencesSchema.nullable().meta({
      description: 'The changes since the previous version. It is null for a first version.',
    }),
    downloadUrls: z
      .strictObject({ csv: url, json: url, xlsx: url, differences: url })
      .nullable()
      .meta({ description: 'Addresses that need no credential and expire. It is null until the run is completed.' }),
    expiresAt: instant.nullable().meta({ description: 'When the addresses expire.' }),
    files: z.array(
      z
        .strictObject({
          format: z.enum(['csv', 'json', 'xlsx', 'differences']),
          documentId: idReference('document'),
          fileName: z.string(),
          contentType: z.string(),
          size: z.int(),
          sha256: z.string().meta({ description: 'Identical data gives an identical hash.' }),
        })
        .meta({ id: 'BordereauFile' }),
    ),
    failure: z.string().nullable().meta({ description: 'The error code of a failed run.' }),
    createdBy: actorId,
    completedAt: instant.nullable(),
    createdAt: instant,
    updatedAt: instant,
  })
  .meta({ id: 'Bordereau' });

export const BordereauPageSchema = pageSchema('Bordereau', BordereauSchema);

export const BordereauListQuery = z.strictObject({
  ...pageQuery,
  carrier: businessText.optional(),
  month: month.optional(),
  kind: z.enum(BORDEREAU_KINDS).optional(),
});

export type BordereauWire = z.output<typeof BordereauSchema>;
