// The fields that several requests share.
import { z } from 'zod';
import { PASSWORD_MAX_CHARACTERS, PASSWORD_MIN_CHARACTERS, STRING_MAX_CHARACTERS } from '../domain/limits.ts';

/** An e-mail address, compared without regard to case. */
export const emailAddress = z.string().trim().toLowerCase().max(STRING_MAX_CHARACTERS).regex(z.regexes.email);

/** A password that is being set. Contract 2 "Sign-up". */
export const newPassword = z.string().min(PASSWORD_MIN_CHARACTERS).max(PASSWORD_MAX_CHARACTERS);

/** An e-mailed token. */
export const linkToken = z.string().min(1).max(200);
