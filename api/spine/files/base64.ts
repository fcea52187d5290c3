// A file within JSON, as `contentBase64`. A body of this kind must be whole before it can be read, so only one is taken
// apart at a time; the others wait on disk.
import type { IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { DomainError, type ValidationIssue } from '../../../domain/errors.ts';
import { JSON_BODY_MAX_BYTES } from '../../../domain/limits.ts';
import { DRAIN_MAX_BYTES, parseJson } from '../../../http/body.ts';
import { tooLarge } from './multipart.ts';
import { type ReceivedFile, received } from './received-file.ts';

const CONTENT = 'contentBase64';
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

export interface JsonFile {
  /** The other fields. */
  json: unknown;
  file: ReceivedFile | null;
  issues: ValidationIssue[];
}

/**
 * Reads a file within JSON.
 * @throws DomainError payload_too_large, malformed_json
 */
export async function readJsonFile(request: IncomingMessage, maxBytes: number, folder: string): Promise<JsonFile> {
  const raw = await received(bounded(request, maxBytes), folder);
  try {
    return await oneAtATime(async () => {
      const json = parseJson(await buffer(raw.stream()));
      if (typeof json !== 'object' || json === null || Array.isArray(json)) return { json, file: null, issues: [] };
      const { [CONTENT]: content, ...fields } = json as Record<string, unknown>;
      if (raw.size - (typeof content === 'string' ? content.length : 0) > JSON_BODY_MAX_BYTES) throw bodyTooLarge();
      const issue = issueOf(content);
      if (issue !== null) return { json: fields, file: null, issues: [issue] };
      const bytes = Buffer.from(content as string, 'base64');
      if (bytes.length > maxBytes) throw tooLarge(maxBytes);
      return { json: fields, file: await received([bytes], folder), issues: [] };
    });
  } finally {
    await raw.discard();
  }
}

/** Base64 has four characters for three bytes. */
async function* bounded(request: IncomingMessage, maxBytes: number): AsyncIterable<Uint8Array> {
  const most = Math.ceil(maxBytes / 3) * 4 + JSON_BODY_MAX_BYTES;
  let size = 0;
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > DRAIN_MAX_BYTES) break;
      // The rest is read and thrown away, so that the client sees the answer.
      if (size <= most) yield chunk;
    }
  } catch {
    throw new DomainError('malformed_json', 'The body ended early.');
  }
  if (size > most) throw tooLarge(maxBytes);
}

function issueOf(content: unknown): ValidationIssue | null {
  if (content === undefined) return { field: CONTENT, rule: 'required', message: `${CONTENT} is required.` };
  if (typeof content !== 'string') return { field: CONTENT, rule: 'type', message: `${CONTENT} must be a text.` };
  if (content === '') return { field: CONTENT, rule: 'min', message: 'The file is empty.' };
  const isBase64 = content.length % 4 === 0 && BASE64.test(content);
  return isBase64 ? null : { field: CONTENT, rule: 'format', message: `${CONTENT} must be Base64.` };
}

/** Without the file it is a body as any other. */
function bodyTooLarge(): DomainError {
  const maxBytes = JSON_BODY_MAX_BYTES;
  return new DomainError('payload_too_large', `The body has more than ${maxBytes} bytes beside the file.`, {
    maxBytes,
  });
}

let last: Promise<unknown> = Promise.resolve();

function oneAtATime<T>(work: () => Promise<T>): Promise<T> {
  const mine = last.then(work);
  last = mine.catch(() => {});
  return mine;
}
