// A telephone number as people write it: international, or as in the United States, with an extension or without.
import { z } from 'zod';
import { STRING_MAX_CHARACTERS } from '../../domain/limits.ts';

const EXTENSION = /,? ?(?:[xX#]|[eE][xX][tT](?:\.|ension)?) ?\d{1,6}/;
const WRITTEN = new RegExp(`^\\(?\\+?(?:[ ()./-]*\\d){7,15}[ ()./-]*(?:${EXTENSION.source})?$`);

export const phoneNumber = z
  .string()
  .trim()
  .max(STRING_MAX_CHARACTERS)
  .regex(WRITTEN, 'A telephone number has 7 to 15 digits, like +1 512 555 0100 or (512) 555-0100 ext. 12.')
  .meta({
    id: 'PhoneNumber',
    description: 'A telephone number of 7 to 15 digits, with an extension or without. It is kept as it is written.',
    examples: ['+1 512 555 0100', '(512) 555-0100 ext. 12'],
  });
