// The shapes of certificates. Contract 3.5.
import { z } from 'zod';
import { CARGOES } from '../../../domain/document/mcs90.ts';
import { TEXT_MAX_CHARACTERS } from '../../../domain/limits.ts';
import {
  actorId,
  businessText,
  emailAddress,
  idReference,
  instant,
  longText,
  pageSchema,
} from '../../spine/schemas.ts';
import { AddressInputSchema, AddressSchema } from '../submission/submissions.schemas.ts';

/** An address as its holder writes it, perhaps on several lines; stored and printed on one. */
const addressText = z
  .preprocess((value) => (typeof value === 'string' ? inOneLine(value) : value), longText)
  .meta({ type: 'string', minLength: 1, maxLength: TEXT_MAX_CHARACTERS, description: 'Line breaks become commas.' });

/** Runs before the length limit is checked, so it visits each character only a few times. */
function inOneLine(text: string): string {
  const lines = text.split(/[\r\n]/).map((line) => line.trim());
  const filled = lines.filter((line) => line !== '');
  return filled.map((line, i) => (i < filled.length - 1 && line.endsWith(',') ? line.slice(0, -1) : line)).join(', ');
}

const address = {
  documentId: idReference('document'),
  downloadUrl: z.string().meta({ description: 'It needs no credential.' }),
  expiresAt: instant.meta({ description: 'When `downloadUrl` expires.' }),
};

export const GenerateCertificateSchema = z
  .strictObject({
    policyId: idReference('policy'),
    holder: z.strictObject({
      name: businessText,
      address: z.union([AddressInputSchema, addressText]),
      email: emailAddress.optional().meta({ description: 'Where `notifyHolder` writes to.' }),
    }),
    notifyHolder: z.boolean().optional().meta({
      description:
        'Whether the holder receives an e-mail when the policy is cancelled or this certificate is replaced. It needs `holder.email`.',
    }),
    description: longText.optional().meta({ description: 'Operations, locations and vehicles.' }),
    additionalInsured: z.boolean().optional().meta({
      description: 'Whether the certificate names the holder as an additional insured, as the policy must do.',
    }),
    waiverOfSubrogation: z.boolean().optional().meta({
      description: 'Whether the certificate says that the policy carries a waiver of subrogation, as it must do.',
    }),
  })
  .meta({ id: 'GenerateCertificate' });

const certificateNumber = z.string().meta({ examples: ['COI-2026-000123-4F9K2M7Q'] });

const supersedes = idReference('certificate')
  .nullable()
  .meta({ description: 'The certificate for the same holder that this one replaces.' });

export const IssuedCertificateSchema = z
  .strictObject({ id: idReference('certificate'), certificateNumber, supersedes, ...address })
  .meta({ id: 'IssuedCertificate' });

const standing = z.enum(['valid', 'superseded', 'cancelled', 'expired']);

export const CertificateStandingSchema = z
  .strictObject({ certificateNumber, status: standing })
  .meta({ id: 'CertificateStanding' });

const CertificateSchema = z
  .strictObject({
    id: idReference('certificate'),
    orgId: idReference('organization'),
    certificateNumber,
    status: standing,
    policyId: idReference('policy'),
    documentId: idReference('document'),
    holder: z.strictObject({ name: z.string(), address: z.union([AddressSchema, z.string()]) }),
    supersedes,
    supersededBy: idReference('certificate').nullable().meta({
      description:
        'The certificate that replaces this one. Null with the status `superseded`: the policy no longer says what it shows.',
    }),
    createdBy: actorId,
    createdAt: instant,
    updatedAt: instant,
  })
  .meta({ id: 'Certificate' });

export const CertificatePageSchema = pageSchema('Certificate', CertificateSchema);

export const Mcs90Schema = z
  .strictObject({
    cargo: z.enum(CARGOES).optional().meta({
      description: 'The cargo determines the minimum limit of 49 CFR 387.9. Default: `non_hazardous`.',
    }),
  })
  .meta({ id: 'IssueMcs90' });

export const IssuedMcs90Schema = z.strictObject(address).meta({ id: 'IssuedMcs90' });
