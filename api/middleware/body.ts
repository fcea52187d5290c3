// Reads the body of a request within its bounds and turns JSON into a value. Contract 1 "Body size", "Order of checks".
import type { IncomingMessage } from 'node:http';
import { DomainError, validationError } from '../../domain/errors.ts';
import { JSON_BODY_MAX_BYTES } from '../../domain/limits.ts';
import type { Upload, UploadSpec } from '../route.ts';

/**
 * What is read and thrown away of a body that is too large, so that the client has sent it all and sees the answer
 * instead of a broken connection. One that goes on beyond is cut.
 */
const DRAIN_MAX_BYTES = 64 * 1024 * 1024;

/** Deeper than anything that is asked for. */
const MAX_DEPTH = 64;

const [QUOTE, BACKSLASH, OPEN_BRACKET, CLOSE_BRACKET, OPEN_BRACE, CLOSE_BRACE] = [...'"\\[]{}'].map((c) =>
  c.charCodeAt(0),
);
const JSON_TYPE = 'application/json';
const JSON_CHARSETS = new Set(['utf-8', 'utf8', 'us-ascii']);
const decoder = new TextDecoder('utf-8', { fatal: true });

export interface RequestBody {
  /** The value of a JSON body; undefined without a body or with an upload. */
  json: unknown;
  upload: Upload | null;
}

interface MediaType {
  type: string;
  charset: string | null;
}

/**
 * Reads a body. An operation that takes none (`accepts` null) needs no content type, but what it is sent must be JSON.
 * @throws DomainError payload_too_large, unsupported_media_type, malformed_json
 */
export async function readBody(request: IncomingMessage, uploads: UploadSpec | null): Promise<RequestBody> {
  if (!hasBody(request)) return { json: undefined, upload: null };
  const media = mediaTypeOf(request);
  const isUpload = uploads?.contentTypes.includes(media.type) ?? false;
  const limit = isUpload && uploads ? uploads.maxBytes : JSON_BODY_MAX_BYTES;
  const bytes = await readBytes(request, limit);
  if (bytes.length === 0) return { json: undefined, upload: null };
  if (isUpload) return { json: undefined, upload: { contentType: media.type, bytes } };
  ensureJson(request, media, uploads);
  return { json: parseJson(bytes), upload: null };
}

function hasBody(request: IncomingMessage): boolean {
  const length = request.headers['content-length'];
  return request.headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}

function mediaTypeOf(request: IncomingMessage): MediaType {
  const [type = '', ...parameters] = (request.headers['content-type'] ?? '').split(';');
  const charset = parameters.map((text) => /^\s*charset\s*=\s*"?([^"\s]+)"?\s*$/i.exec(text)?.[1]).find(Boolean);
  return { type: type.trim().toLowerCase(), charset: charset?.toLowerCase() ?? null };
}

function ensureJson(request: IncomingMessage, media: MediaType, uploads: UploadSpec | null): void {
  const encoding = request.headers['content-encoding'] ?? 'identity';
  const isJson = media.type === JSON_TYPE && (media.charset === null || JSON_CHARSETS.has(media.charset));
  if (isJson && encoding === 'identity') return;
  const supported = [JSON_TYPE, ...(uploads?.contentTypes ?? [])];
  throw new DomainError('unsupported_media_type', `The body must be ${supported.join(' or ')}.`, { supported });
}

/** Counts what arrives rather than believing Content-Length. */
async function readBytes(request: IncomingMessage, limit: number): Promise<Buffer> {
  const announced = Number(request.headers['content-length'] ?? 0);
  if (announced > DRAIN_MAX_BYTES) throw tooLarge(limit);
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > DRAIN_MAX_BYTES) break;
      if (size <= limit) chunks.push(chunk);
      else chunks.length = 0;
    }
  } catch {
    throw new DomainError('malformed_json', 'The body ended early.');
  }
  if (size > limit) throw tooLarge(limit);
  return Buffer.concat(chunks, size);
}

function tooLarge(limit: number): DomainError {
  return new DomainError('payload_too_large', `The body has more than ${limit} bytes.`, { maxBytes: limit });
}

function parseJson(bytes: Buffer): unknown {
  if (isDeeperThan(bytes, MAX_DEPTH)) {
    throw validationError('body', 'max', `The body is nested deeper than ${MAX_DEPTH} levels.`, { maximum: MAX_DEPTH });
  }
  try {
    return JSON.parse(decoder.decode(bytes));
  } catch {
    throw new DomainError('malformed_json', 'The body is not JSON in UTF-8.');
  }
}

/** Counts brackets outside of strings, before anything walks the value recursively. */
function isDeeperThan(bytes: Buffer, most: number): boolean {
  let depth = 0;
  let inString = false;
  for (let i = 0; i < bytes.length; i += 1) {
    const byte = bytes[i];
    if (inString) {
      if (byte === BACKSLASH) i += 1;
      else if (byte === QUOTE) inString = false;
    } else if (byte === QUOTE) inString = true;
    else if (byte === OPEN_BRACKET || byte === OPEN_BRACE) {
      depth += 1;
      if (depth > most) return true;
    } else if (byte === CLOSE_BRACKET || byte === CLOSE_BRACE) depth -= 1;
  }
  return false;
}
