// Reads the bytes of a body within limits and parses JSON. Contract 1 "Body size", "Order of checks".
import type { IncomingMessage } from 'node:http';
import { DomainError, validationError } from '../domain/errors.ts';

/** No more than this is read of an oversized body; see readBytes. */
export const DRAIN_MAX_BYTES = 64 * 1024 * 1024;

/** Deeper than any body we accept. */
const MAX_DEPTH = 64;

const [QUOTE, BACKSLASH, OPEN_BRACKET, CLOSE_BRACKET, OPEN_BRACE, CLOSE_BRACE] = [...'"\\[]{}'].map((c) =>
  c.charCodeAt(0),
);
const decoder = new TextDecoder('utf-8', { fatal: true });

export interface BodyBounds {
  maxBytes: number;
  /**
   * How much of an oversized body is read and discarded, so that the client finishes sending and sees the response
   * instead of a broken connection. Beyond that, the connection is closed.
   */
  drainMaxBytes: number;
}

/**
 * Reads a body, counting what arrives rather than trusting Content-Length.
 * @throws DomainError payload_too_large, malformed_json for a body that ends early
 */
export async function readBytes(
  request: IncomingMessage,
  { maxBytes: limit, drainMaxBytes }: BodyBounds,
): Promise<Buffer> {
  const announced = Number(request.headers['content-length'] ?? 0);
  if (announced > drainMaxBytes) throw tooLarge(limit);
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > drainMaxBytes) break;
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

/**
 * Parses the bytes of a body.
 * @throws DomainError malformed_json, validation_failed for a body that is nested too deeply
 */
export function parseJson(bytes: Buffer): unknown {
  if (isDeeperThan(bytes, MAX_DEPTH)) {
    throw validationError('body', 'max', `The body is nested deeper than ${MAX_DEPTH} levels.`, { maximum: MAX_DEPTH });
  }
  const text = decodedText(bytes);
  ensureNoPrototype(text);
  return parsed(text);
}

function decodedText(bytes: Buffer): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw malformed();
  }
}

function parsed(text: string, reviver?: (key: string, value: unknown) => unknown): unknown {
  try {
    return JSON.parse(text, reviver);
  } catch (error) {
    throw error instanceof DomainError ? error : malformed();
  }
}

const malformed = () => new DomainError('malformed_json', 'The request body is not valid UTF-8 JSON.');

/** The name, or an escape of one of its letters: other bodies are parsed once. */
const MAY_NAME_PROTOTYPE = /__proto__|\\u00(?:5f|6f|7[024])/i;

/** Objects copied field by field would lose a field of this name without a word. */
function ensureNoPrototype(text: string): void {
  if (!MAY_NAME_PROTOTYPE.test(text)) return;
  parsed(text, (key, value) => {
    if (key !== '__proto__') return value;
    throw validationError('__proto__', 'unknown_field', 'A field cannot be named __proto__.');
  });
}

/** Counts brackets outside strings, before anything walks the value recursively. */
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
