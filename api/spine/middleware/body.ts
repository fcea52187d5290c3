// The body of a request: none, JSON, or a file if the operation takes one. Contract 1 "Body size", "Order of checks".
import type { IncomingMessage } from 'node:http';
import { DomainError } from '../../../domain/errors.ts';
import { DRAIN_MAX_BYTES, parseJson, readBytes } from '../../../http/body.ts';
import type { Upload, UploadSpec } from '../route.ts';

const JSON_TYPE = 'application/json';
const JSON_CHARSETS = new Set(['utf-8', 'utf8', 'us-ascii']);

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
 * Reads a body: JSON of at most `jsonMaxBytes`, or a file if the operation takes `uploads`. An operation without a body
 * needs no content type, but any body sent must be JSON.
 * @throws DomainError payload_too_large, unsupported_media_type, malformed_json
 */
export async function readBody(
  request: IncomingMessage,
  { uploads, jsonMaxBytes }: { uploads: UploadSpec | null; jsonMaxBytes: number },
): Promise<RequestBody> {
  if (!hasBody(request)) return { json: undefined, upload: null };
  const media = mediaTypeOf(request);
  const isUpload = uploads?.contentTypes.includes(media.type) ?? false;
  const limit = isUpload && uploads ? uploads.maxBytes : jsonMaxBytes;
  const bytes = await readBytes(request, { maxBytes: limit, drainMaxBytes: DRAIN_MAX_BYTES });
  if (bytes.length === 0) return { json: undefined, upload: null };
  if (isUpload) return { json: undefined, upload: { contentType: media.type, bytes } };
  ensureJson(request, media, uploads);
  return { json: parseJson(bytes), upload: null };
}

/** Returns whether a request announces a body. */
export function hasBody(request: IncomingMessage): boolean {
  const length = request.headers['content-length'];
  return request.headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}

/** The type that a request declares for its body. */
export function mediaTypeOf(request: IncomingMessage): MediaType {
  const [type = '', ...parameters] = (request.headers['content-type'] ?? '').split(';');
  const charset = parameters.map((text) => /^\s*charset\s*=\s*"?([^"\s]+)"?\s*$/i.exec(text)?.[1]).find(Boolean);
  return { type: type.trim().toLowerCase(), charset: charset?.toLowerCase() ?? null };
}

function ensureJson(request: IncomingMessage, media: MediaType, uploads: UploadSpec | null): void {
  const encoding = request.headers['content-encoding'] ?? 'identity';
  const isJson = media.type === JSON_TYPE && (media.charset === null || JSON_CHARSETS.has(media.charset));
  if (isJson && encoding === 'identity') return;
  const supported = [...new Set([JSON_TYPE, ...(uploads?.contentTypes ?? [])])];
  throw new DomainError('unsupported_media_type', `The body must be ${supported.join(' or ')}.`, { supported });
}
