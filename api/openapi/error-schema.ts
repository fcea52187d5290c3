// The body of every error as the document describes it: one shape per code, with its facts. A code may gain facts but
// never lose any. Spec 2.10, Contract 1.
import { z } from 'zod';
import { ERROR_STATUS, type ErrorCode } from '../../domain/errors.ts';
import { requestReference } from '../spine/schemas.ts';
import { ERROR_FACTS } from './error-facts.ts';

const requestId = requestReference.meta({ description: 'The id of the request. Quote it when you ask for help.' });

function shapeOf(code: ErrorCode) {
  return z
    .strictObject({
      error: z.literal(code).meta({ description: 'The error code, for programs.' }),
      message: z.string().meta({ description: 'A sentence that explains the error, for people.' }),
      details: z.strictObject(ERROR_FACTS[code] ?? {}).meta({ description: 'Facts about the error.' }),
      requestId,
    })
    .meta({ id: `Error_${code}`, description: `Returned with status ${ERROR_STATUS[code]}.` });
}

const [first, ...others] = (Object.keys(ERROR_STATUS) as ErrorCode[]).map(shapeOf);

/** The JSON of every error; `error` says which of the shapes it is. */
export const ErrorBodySchema = z
  .union([first, ...others] as [NonNullable<typeof first>, ...typeof others])
  .meta({ id: 'Error', description: 'An error. Its code determines the facts in `details`.' });
