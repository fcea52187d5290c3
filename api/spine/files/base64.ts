// A file within JSON, as `contentBase64`: decoded in pieces as it arrives, so that neither memory nor the event loop
// handles a whole file at a time.
import type { IncomingMessage } from 'node:http';
import { DomainError, type ValidationIssue } from '../../../domain/errors.ts';
import { JSON_BODY_MAX_BYTES } from '../../../domain/limits.ts';
import { parseJson } from '../../../http/body.ts';
import { bounded } from './bounded.ts';
import { LongField, type Remainder } from './long-field.ts';
import { tooLarge } from './multipart.ts';
import { type ReceivedFile, received } from './received-file.ts';

const CONTENT = 'contentBase64';
const QUAD = 4;
/** Request pieces may be large; each is decoded in parts, with other work in between. */
const PIECE_BYTES = 65_536;

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
  const body = new LongField(CONTENT, JSON_BODY_MAX_BYTES);
  const base64 = new Base64();
  const source = bounded(request, mostBytesOf(maxBytes), () => tooLarge(maxBytes));
  const file = await received(decoded(source, body, base64), folder);
  try {
    const read = jsonFile(body.end(), base64, { file, maxBytes });
    if (read.file === null) await file.discard();
    return read;
  } catch (error) {
    await file.discard();
    throw error;
  }
}

function jsonFile(
  rest: Remainder,
  base64: Base64,
  { file, maxBytes }: { file: ReceivedFile; maxBytes: number },
): JsonFile {
  if (rest.size > JSON_BODY_MAX_BYTES) throw bodyTooLarge();
  if (rest.isBroken) throw new DomainError('malformed_json', 'The request body is not valid UTF-8 JSON.');
  const json = parseJson(rest.json);
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return { json, file: null, issues: [] };
  const { [CONTENT]: content, ...fields } = json as Record<string, unknown>;
  const issue = issueOf(content, rest, base64);
  if (issue !== null) return { json: fields, file: null, issues: [issue] };
  if (file.size > maxBytes) throw tooLarge(maxBytes);
  return { json: fields, file, issues: [] };
}

/** Decodes what arrives. Errors are reported only at the end, so that the client sees the response. */
async function* decoded(source: AsyncIterable<Uint8Array>, body: LongField, base64: Base64): AsyncIterable<Uint8Array> {
  for await (const chunk of source) {
    for (let at = 0; at < chunk.length; at += PIECE_BYTES) {
      const piece = chunk.subarray(at, at + PIECE_BYTES);
      const bytes = base64.decode(body.take(Buffer.from(piece.buffer, piece.byteOffset, piece.length)));
      if (bytes.length > 0) yield bytes;
    }
  }
}

/** Decodes text that arrives in pieces of any length. */
class Base64 {
  #carried = '';
  #isEmpty = true;
  #hasEnded = false;
  #isValid = true;

  decode(text: string): Buffer {
    if (text === '') return Buffer.alloc(0);
    this.#isEmpty = false;
    const all = this.#carried + text;
    const whole = all.slice(0, all.length - (all.length % QUAD));
    this.#carried = all.slice(whole.length);
    const bytes = Buffer.from(whole, 'base64');
    if (this.#hasEnded || !isAllOf(bytes, whole)) this.#isValid = false;
    this.#hasEnded ||= whole.endsWith('=');
    return this.#isValid ? bytes : Buffer.alloc(0);
  }

  get isEmpty(): boolean {
    return this.#isEmpty;
  }

  /** Whether all of it was Base64, in whole groups of four. */
  get isValid(): boolean {
    return this.#isValid && this.#carried === '';
  }
}

/**
 * Whether whole groups of four were Base64, judged by the decoded length: the decoder skips unknown characters, except
 * the two of the URL variant and non-ASCII. Ten times as fast as looking at each character.
 */
function isAllOf(bytes: Uint8Array, whole: string): boolean {
  const padding = whole.endsWith('==') ? 2 : whole.endsWith('=') ? 1 : 0;
  const isComplete = bytes.length === (whole.length / QUAD) * 3 - padding;
  return isComplete && Buffer.byteLength(whole) === whole.length && !whole.includes('-') && !whole.includes('_');
}

/** Base64 has four characters for three bytes. */
function mostBytesOf(maxBytes: number): number {
  return Math.ceil(maxBytes / 3) * 4 + JSON_BODY_MAX_BYTES;
}

function issueOf(content: unknown, { found }: Remainder, base64: Base64): ValidationIssue | null {
  if (content === undefined) return { field: CONTENT, rule: 'required', message: `${CONTENT} is required.` };
  if (found > 1) return { field: CONTENT, rule: 'unknown_field', message: `${CONTENT} was sent more than once.` };
  if (found === 0 || typeof content !== 'string') {
    return { field: CONTENT, rule: 'type', message: `${CONTENT} must be text.` };
  }
  if (!base64.isValid) return { field: CONTENT, rule: 'format', message: `${CONTENT} must be Base64.` };
  return base64.isEmpty ? { field: CONTENT, rule: 'min', message: 'The file is empty.' } : null;
}

/** Without the file it is a body like any other. */
function bodyTooLarge(): DomainError {
  const maxBytes = JSON_BODY_MAX_BYTES;
  return new DomainError('payload_too_large', `The body has more than ${maxBytes} bytes besides the file.`, {
    maxBytes,
  });
}
