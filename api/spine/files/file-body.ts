// The body of an operation that takes one file: a form, or JSON that holds the file. Contract 1 "Body size", 3.3.
import type { IncomingMessage } from 'node:http';
import { unreadableDocument } from '../../../domain/document/content.ts';
import { DomainError, type ValidationIssue, validationError } from '../../../domain/errors.ts';
import { JSON_BODY_MAX_BYTES } from '../../../domain/limits.ts';
import { DRAIN_MAX_BYTES, readBytes } from '../../../http/body.ts';
import { hasBody, mediaTypeOf, readBody } from '../middleware/body.ts';
import type { FileSpec } from '../route.ts';
import { readJsonFile } from './base64.ts';
import { bounded } from './bounded.ts';
import { FILE_PART, type Form, readForm, tooLarge } from './multipart.ts';
import { type ReceivedFile, received } from './received-file.ts';

const [FORM, JSON_TYPE] = ['multipart/form-data', 'application/json'];

export interface FileBody {
  /** Everything but the file. */
  json: unknown;
  /** Null if something is wrong with it. */
  file: ReceivedFile | null;
  /** What is wrong with the file. */
  issues: ValidationIssue[];
}

/**
 * Reads a body with one file, which the caller discards.
 * @param folder where it is kept meanwhile
 * @throws DomainError payload_too_large, unsupported_media_type, malformed_json, validation_failed
 */
export async function readFileBody(
  request: IncomingMessage,
  { maxBytes, alone = [], booleans = [] }: Pick<FileSpec, 'maxBytes' | 'alone' | 'booleans'>,
  folder: string,
): Promise<FileBody> {
  if (!hasBody(request)) throw missing();
  if (Number(request.headers['content-length'] ?? 0) > DRAIN_MAX_BYTES) throw tooLarge(maxBytes);
  const { type } = mediaTypeOf(request);
  if (type === JSON_TYPE) return readJsonFile(request, maxBytes, folder);
  if (alone.includes(type))
    return filled({ json: {}, file: await receiveAlone(request, maxBytes, folder), issues: [] });
  if (type !== FORM) {
    const bytes = await readBytes(request, { maxBytes: JSON_BODY_MAX_BYTES, drainMaxBytes: DRAIN_MAX_BYTES });
    if (bytes.length === 0) throw missing();
    const supported = [FORM, JSON_TYPE, ...alone];
    throw new DomainError('unsupported_media_type', `The body must be ${supported.join(' or ')}.`, { supported });
  }
  const { fields, file } = await readForm(request, maxBytes, folder);
  if (file === null) throw missing();
  return filled({ json: withBooleans(fields, booleans), file, issues: [] });
}

/** Other text stays as it is, so that the schema refuses it. */
function withBooleans(fields: Form['fields'], booleans: readonly string[]): Record<string, unknown> {
  const written = booleans.filter((name) => fields[name] === 'true' || fields[name] === 'false');
  return { ...fields, ...Object.fromEntries(written.map((name) => [name, fields[name] === 'true'])) };
}

/**
 * Reads the body of an operation that takes a file instead of JSON: in a form, or as the whole body.
 * @param contentTypes of a file that is the whole body
 * @throws DomainError unreadable_document for an empty file by itself, payload_too_large, unsupported_media_type,
 * malformed_json, validation_failed
 */
export async function readFileOrJson(
  request: IncomingMessage,
  { maxBytes, contentTypes }: { maxBytes: number; contentTypes: readonly string[] },
  folder: string,
): Promise<FileBody> {
  const { type } = mediaTypeOf(request);
  const isAlone = contentTypes.includes(type);
  if (isAlone && !hasBody(request)) throw unreadableDocument('not_a_pdf');
  if (!hasBody(request) || (type !== FORM && !isAlone)) {
    const uploads = { contentTypes: [FORM, ...contentTypes], maxBytes };
    const { json } = await readBody(request, { uploads, jsonMaxBytes: JSON_BODY_MAX_BYTES });
    return { json, file: null, issues: [] };
  }
  if (Number(request.headers['content-length'] ?? 0) > DRAIN_MAX_BYTES) throw tooLarge(maxBytes);
  if (isAlone) {
    const file = await receiveAlone(request, maxBytes, folder);
    if (file.size > 0) return { json: {}, file, issues: [] };
    await file.discard();
    throw unreadableDocument('not_a_pdf');
  }
  const { fields, file } = await readForm(request, maxBytes, folder);
  const { fileName = '', contentType: _contentType, ...others } = fields;
  const issues = [...(file === null ? [missingIssue()] : []), ...Object.keys(others).map(unknownField)];
  return filled({ json: {}, file: file && { ...file, fileName }, issues });
}

function receiveAlone(request: IncomingMessage, maxBytes: number, folder: string): Promise<ReceivedFile> {
  const bytes = bounded(request, maxBytes, () => tooLarge(maxBytes));
  return received(bytes, folder);
}

function missingIssue(): ValidationIssue {
  return { field: FILE_PART, rule: 'required', message: `${FILE_PART} is required.` };
}

function unknownField(field: string): ValidationIssue {
  return { field, rule: 'unknown_field', message: `${field} is not expected with a file.` };
}

/** Discards a file that is empty or otherwise invalid. */
async function filled({ json, file, issues }: FileBody): Promise<FileBody> {
  const empty: ValidationIssue = { field: FILE_PART, rule: 'min', message: 'The file is empty.' };
  const all = file?.size === 0 ? [empty, ...issues] : issues;
  if (file === null || all.length === 0) return { json, file, issues: all };
  await file.discard();
  return { json, file: null, issues: all };
}

function missing(): DomainError {
  return validationError(FILE_PART, 'required', `${FILE_PART} is required.`);
}
