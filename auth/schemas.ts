// What callers send: the bodies, and the fields that several of them share.
import { z } from 'zod';
import { PASSWORD_MAX_CHARACTERS, PASSWORD_MIN_CHARACTERS, STRING_MAX_CHARACTERS } from '../domain/limits.ts';

/** An e-mail address, compared without regard to case. */
const emailAddress = z.string().trim().toLowerCase().max(STRING_MAX_CHARACTERS).regex(z.regexes.email);

/** A password that is being set. Contract 2 "Sign-up". */
const newPassword = z.string().min(PASSWORD_MIN_CHARACTERS).max(PASSWORD_MAX_CHARACTERS);

/** An e-mailed token. */
const linkToken = z.string().min(1).max(200);

export const SignInRequest = z
  .strictObject({
    email: emailAddress,
    password: z.string().min(1).max(PASSWORD_MAX_CHARACTERS),
  })
  .meta({ id: 'SignInRequest' });

export const SignUpRequest = z
  .strictObject({
    email: emailAddress,
    password: newPassword,
    name: z
      .string()
      .trim()
      .min(1)
      .max(STRING_MAX_CHARACTERS)
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that it refuses
      .regex(/^[^\x00-\x1f\x7f-\x9f]*$/)
      .optional(),
  })
  .meta({ id: 'SignUpRequest' });

export const LinkRequest = z.strictObject({ email: emailAddress }).meta({ id: 'LinkRequest' });

export const ResetRequest = z.strictObject({ token: linkToken, newPassword }).meta({ id: 'ResetRequest' });

export const AcceptRequest = z.strictObject({ token: linkToken }).meta({ id: 'AcceptRequest' });

export const SwitchRequest = z
  .strictObject({ orgId: z.string().min(1).max(STRING_MAX_CHARACTERS) })
  .meta({ id: 'SwitchRequest' });
