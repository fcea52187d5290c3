// The body of an operation that takes one file: a form, or JSON that holds the file. Contract 1 "Body size", 3.3.
import type { IncomingMessage } from 'node:http';
import { DomainError, type ValidationIssue, validationError } from '../../../domain/errors.ts';
import { JSON_BODY_MAX_BYTES } from '../../../domain/limits.ts';
import { DRAIN_MAX_BYTES, readBytes } from '../../../http/body.ts';
import { hasBody, mediaTypeOf } from '../middleware/body.ts';
import { readJsonFile } from './base64.ts';
import { FILE_PART, readForm, tooLarge } from './multipart.ts';
import type { ReceivedFile } from './received-file.ts';

const [FORM, JSON_TYPE] = ['multipart/form-data', 'application/json'];

export interface FileBody {
  /** Everything but the file. */
  json: unknown;
  /** Null where something is wrong with it. */
  file: ReceivedFile | null;
  /** What is wrong with the file. */
  issues: ValidationIssue[];
}

/**
 * Reads a body with one file, which the caller discards.
 * @param folder where it lies meanwhile
 * @throws DomainError payload_too_large, unsupported_media_type, malformed_json, validation_failed
 */
export async function readFileBody(request: IncomingMessage, maxBytes: number, folder: string): Promise<FileBody> {
  if (!hasBody(request)) throw missing();
  if (Number(request.headers['content-length'] ?? 0) > DRAIN_MAX_BYTES) throw tooLarge(maxBytes);
  const { type } = mediaTypeOf(request);
  if (type === JSON_TYPE) return readJsonFile(request, maxBytes, folder);
  if (type !== FORM) {
    const bytes = await readBytes(request, { maxBytes: JSON_BODY_MAX_BYTES, drainMaxBytes: DRAIN_MAX_BYTES });
    if (bytes.length === 0) throw missing();
    const supported = [FORM, JSON_TYPE];
    throw new DomainError('unsupported_media_type', `The body must be ${supported.join(' or ')}.`, { supported });
  }
  const { fields, file } = await readForm(request, maxBytes, folder);
  if (file === null) throw missing();
  if (file.size > 0) return { json: fields, file, issues: [] };
  await file.discard();
  return { json: fields, file: null, issues: [{ field: FILE_PART, rule: 'min', message: 'The file is empty.' }] };
}

function missing(): DomainError {
  return validationError(FILE_PART, 'required', `${FILE_PART} is required.`);
}
