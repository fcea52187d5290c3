// The shapes of producers on the wire. Contract 3.7.
import { z } from 'zod';
import { LICENSE_STATUSES } from '../../../domain/distribution/license.ts';
import { PRODUCER_STATUSES } from '../../../domain/distribution/producer.ts';
import {
  businessText,
  emailAddress,
  externalId,
  idReference,
  instant,
  isoDate,
  lineOfBusiness,
  pageQuery,
  pageSchema,
  state,
} from '../../spine/schemas.ts';
import { changedPhoneNumber, phoneNumber } from '../phone-number.ts';
import { AddressInputSchema, AddressSchema } from '../submission/submissions.schemas.ts';

export const LICENSES_MAX = 500;

const status = z.enum(PRODUCER_STATUSES);

/** National Producer Number. */
export const npn = z
  .string()
  .trim()
  .regex(/^[A-Za-z0-9-]{1,30}$/, 'A producer number must have 1 to 30 letters, digits and hyphens.')
  .meta({ description: 'National Producer Number, unique in the organization.', examples: ['10000001'] });

/** The lines of a license. A value that is not a code is rejected: stored as is, it would license nothing. */
export const licensedLines = z
  .array(lineOfBusiness)
  .max(50)
  .meta({ description: 'The lines of business that the license covers. Empty: every line.' });

const LicenseInputSchema = z
  .strictObject({
    state,
    number: businessText,
    lines: licensedLines.default([]),
    status: z.enum(LICENSE_STATUSES).default('active'),
    expirationDate: isoDate.meta({ description: 'The last day of the license.' }),
  })
  .meta({ id: 'LicenseInput' });

const licenses = z
  .array(LicenseInputSchema)
  .max(LICENSES_MAX)
  .refine((all) => new Set(all.map((license) => `${license.state} ${license.number}`)).size === all.length, {
    error: 'Each license must be listed once.',
    params: { rule: 'format' },
  });

const contact = { email: emailAddress, phone: phoneNumber, address: AddressInputSchema };

const parentId = idReference('producer').meta({ description: 'The agency that the producer belongs to.' });

export const ProducerCreateSchema = z
  .strictObject({ name: businessText, npn, licenses, parentId, ...contact })
  .partial({ npn: true, licenses: true, parentId: true, email: true, phone: true, address: true })
  .meta({ id: 'ProducerCreate', description: 'A new producer is `pending` until their identity has been verified.' });

export const ProducerChangesSchema = z
  .strictObject({
    name: businessText,
    ...{ email: emailAddress.nullable(), phone: changedPhoneNumber.nullable(), address: AddressInputSchema.nullable() },
    licenses: licenses.meta({ description: 'All licenses of the producer: they replace the earlier list.' }),
    parentId: parentId.nullable(),
    status,
  })
  .partial()
  .meta({ id: 'ProducerChanges' });

export const ProducerSchema = z
  .strictObject({
    id: idReference('producer'),
    orgId: idReference('organization'),
    parentId: idReference('producer').nullable().meta({ description: 'The agency that the producer belongs to.' }),
    name: z.string(),
    email: z.string().nullable(),
    phone: z.string().nullable(),
    npn: z.string().nullable(),
    status,
    licenses: z.array(
      z.strictObject({
        state: z.string(),
        number: z.string(),
        lines: z.array(z.string()),
        status: z.enum(LICENSE_STATUSES).meta({ description: 'As of the business date.' }),
        expirationDate: isoDate,
      }),
    ),
    address: AddressSchema.nullable(),
    identity: z
      .strictObject({ inquiryId: externalId, completedAt: instant.nullable() })
      .nullable()
      .meta({ description: 'The identity check. Null: none has been started.' }),
    version: z.number().int(),
    createdAt: instant,
    updatedAt: instant,
  })
  .meta({ id: 'Producer' });

export const ProducerPageSchema = pageSchema('Producer', ProducerSchema);

export const ProducerListQuery = z.strictObject({
  ...pageQuery,
  status: status.optional(),
  parentId: idReference('producer').optional(),
  state: state.optional().meta({ description: 'A state in which the producer holds a license.' }),
  q: businessText.optional().meta({ description: 'Part of the name, the e-mail address or the producer number.' }),
});

export type ProducerCreate = z.output<typeof ProducerCreateSchema>;
export type ProducerChanges = z.output<typeof ProducerChangesSchema>;
export type ProducerWire = z.output<typeof ProducerSchema>;
