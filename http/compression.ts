// Which compression a client understands, and the compression itself, away from the event loop. RFC 9110 12.5.3.
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

export type Encoding = 'br' | 'gzip';

/** In order of preference. */
const ENCODINGS: readonly Encoding[] = ['br', 'gzip'];

/** A compromise of size and time: 4 MB take a quarter of a second. */
const BROTLI_QUALITY = 5;
const GZIP_LEVEL = 6;

const gzipAsync = promisify(gzip);
const brotliAsync = promisify(brotliCompress);

/** Returns the encoding for a response by the `Accept-Encoding` of its request; null sends it uncompressed. */
export function encodingFor(accepted: string | undefined): Encoding | null {
  const weights = new Map((accepted ?? '').toLowerCase().split(',').map(weightOf));
  return ENCODINGS.find((encoding) => (weights.get(encoding) ?? 0) > 0) ?? null;
}

/** Compresses bytes in a thread. */
export function compressed(bytes: Buffer, encoding: Encoding): Promise<Buffer> {
  if (encoding === 'gzip') return gzipAsync(bytes, { level: GZIP_LEVEL });
  return brotliAsync(bytes, {
    params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
  });
}

function weightOf(entry: string): [string, number] {
  const [name = '', ...parameters] = entry.split(';').map((part) => part.trim());
  const weight = parameters.find((parameter) => parameter.startsWith('q='));
  return [name, weight === undefined ? 1 : Number(weight.slice(2)) || 0];
}
