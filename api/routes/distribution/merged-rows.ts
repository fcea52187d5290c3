// Merges an import row into a producer on file: each non-blank cell replaces the stored value, and everything else
// stays. Pure.
import { z } from 'zod';
import type { Producer } from '../../../db/entities/distribution/producer.ts';
import type { License } from '../../../domain/distribution/license.ts';
import type { ValidationIssue } from '../../../domain/errors.ts';
import { check } from '../../../http/validation.ts';
import { phoneNumber } from '../phone-number.ts';
import { AddressInputSchema } from '../submission/submissions.schemas.ts';
import { type ImportedRow, NewLicenseSchema } from './producer-import.schemas.ts';
import { LICENSES_MAX } from './producers.schemas.ts';

/** A producer not yet on file: it must be complete. */
const NewFactsSchema = z.strictObject({
  phone: phoneNumber.optional(),
  address: AddressInputSchema.optional(),
  license: NewLicenseSchema.optional(),
});

const TOO_MANY: ValidationIssue = {
  ...{ field: 'license', rule: 'max', maximum: LICENSES_MAX },
  message: `A producer can have at most ${LICENSES_MAX} licenses.`,
};

type OnFile = Pick<Producer, 'phone' | 'address' | 'licenses'>;
export type MergedFacts = Omit<OnFile, 'phone'> & Pick<ImportedRow, 'name' | 'email' | 'phone'>;

/** Merges a row into what is on file; returns the producer's facts, or what the row lacks. */
export function mergedRow(
  { phone: oldPhone, address: oldAddress, licenses }: OnFile,
  { npn: _npn, address, license, ...contact }: ImportedRow,
): { facts: MergedFacts } | { issues: readonly ValidationIssue[] } {
  const held = license && licenses.find(({ state, number }) => state === license.state && number === license.number);
  const checked = check(NewFactsSchema, {
    // The number on file may predate the rule.
    ...(contact.phone !== oldPhone && { phone: contact.phone }),
    ...(address && !oldAddress && { address }),
    ...(license && !held && { license }),
  });
  if (!checked.ok) return checked;
  if (license && !held && licenses.length >= LICENSES_MAX) return { issues: [TOO_MANY] };
  const fresh = checked.value as z.output<typeof NewFactsSchema>;
  return {
    facts: {
      ...contact,
      address: oldAddress ? { ...oldAddress, ...address } : (fresh.address ?? null),
      licenses: [
        ...licenses.map((each) => (each === held ? ({ ...held, ...license } as License) : each)),
        ...(fresh.license ? [fresh.license] : []),
      ],
    },
  };
}
