// Telephone numbers from callers.
import { z } from 'zod';
import { validationError } from '../../domain/errors.ts';
import { STRING_MAX_CHARACTERS } from '../../domain/limits.ts';
import { PHONE_NUMBER } from '../../domain/phone-number.ts';
import { businessText } from '../spine/schemas.ts';

const REFUSAL = 'A telephone number has 7 to 15 digits, like +1 512 555 0100 or (512) 555-0100 ext. 12.';
const DESCRIPTION =
  'A telephone number of 7 to 15 digits, with or without an extension. It is stored exactly as you send it.';
const EXAMPLES = ['+1 512 555 0100', '(512) 555-0100 ext. 12'];

export const phoneNumber = z
  .string()
  .trim()
  .max(STRING_MAX_CHARACTERS)
  .regex(PHONE_NUMBER, REFUSAL)
  .meta({ id: 'PhoneNumber', description: DESCRIPTION, examples: EXAMPLES });

/** A number in a change: the number on file may predate the rule. `ensurePhoneNumber` rejects any other text. */
export const changedPhoneNumber = businessText.meta({
  id: 'ChangedPhoneNumber',
  description: `${DESCRIPTION} What is on file can be sent back as it is.`,
  examples: EXAMPLES,
});

/** @throws DomainError validation_failed if it is neither a telephone number nor the value on file */
export function ensurePhoneNumber(field: string, given: string | null | undefined, onFile: string | null): void {
  if (given === undefined || given === null || given === onFile || PHONE_NUMBER.test(given)) return;
  throw validationError(field, 'format', REFUSAL);
}
