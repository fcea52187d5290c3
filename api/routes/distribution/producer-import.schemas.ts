// A row of a producer import, and the response to an import.
import { z } from 'zod';
import { LICENSE_STATUSES } from '../../../domain/distribution/license.ts';
import { businessText, emailAddress, isoDate, state } from '../../spine/schemas.ts';
import { AddressInputSchema } from '../submission/submissions.schemas.ts';
import { licensedLines, npn } from './producers.schemas.ts';

/** The import columns, in any order; only the first two are required. */
export const IMPORT_COLUMNS = [
  ...['npn', 'name', 'email', 'phone', 'line1', 'line2', 'city', 'state', 'postalCode'],
  ...['licenseState', 'licenseNumber', 'licenseLines', 'licenseStatus', 'licenseExpiration'],
] as const;

export const REQUIRED_COLUMNS = ['npn', 'name'] as const;

/** A license not yet on file. */
export const NewLicenseSchema = z.strictObject({
  state,
  number: businessText,
  lines: licensedLines.default([]),
  status: z.enum(LICENSE_STATUSES).default('active'),
  expirationDate: isoDate,
});

/** What a row says about a license, identified by its state and number. */
const ImportedLicenseSchema = z.strictObject({
  ...NewLicenseSchema.shape,
  lines: licensedLines.optional(),
  status: z.enum(LICENSE_STATUSES).optional(),
  expirationDate: isoDate.optional(),
});

/** One row with its cells assembled. Blank cells are left out, and stay as on file. */
export const ImportedRowSchema = z.strictObject({
  npn,
  name: businessText,
  email: emailAddress.optional(),
  phone: businessText.optional(),
  address: AddressInputSchema.partial().optional(),
  license: ImportedLicenseSchema.optional(),
});

export type ImportedRow = z.output<typeof ImportedRowSchema>;

/** Fields sent with the file. */
export const ImportSchema = z.strictObject({ fileName: businessText.optional(), contentType: businessText.optional() });

export const ImportResultSchema = z
  .strictObject({
    created: z.number().int(),
    updated: z.number().int(),
    unchanged: z.number().int(),
    failed: z.number().int(),
    errors: z
      .array(
        z.strictObject({
          row: z.number().int().meta({ description: 'The row of the table; the header is row 1.' }),
          field: z.string(),
          rule: z.string(),
          message: z.string(),
        }),
      )
      .meta({ description: 'The errors, at most 100. The other rows have been imported.' }),
  })
  .meta({ id: 'ProducerImport' });

export type ImportResult = z.output<typeof ImportResultSchema>;
