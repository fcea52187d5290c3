// The bytes of a body, up to a limit: anything beyond is read and discarded, so that the client sees the response.
import type { IncomingMessage } from 'node:http';
import { DomainError } from '../../../domain/errors.ts';
import { DRAIN_MAX_BYTES } from '../../../http/body.ts';

/**
 * Reads at most so many bytes.
 * @param tooMany makes the error for a longer body
 * @throws DomainError malformed_json for a body that ends early
 */
export async function* bounded(
  request: IncomingMessage,
  mostBytes: number,
  tooMany: () => DomainError,
): AsyncIterable<Uint8Array> {
  let size = 0;
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > DRAIN_MAX_BYTES) break;
      if (size <= mostBytes) yield chunk;
    }
  } catch {
    throw new DomainError('malformed_json', 'The body ended early.');
  }
  if (size > mostBytes) throw tooMany();
}
