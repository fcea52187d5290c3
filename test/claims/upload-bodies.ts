// Upload bodies that share their bytes, so that a sender of hundreds holds one file: each ends with its number. Half
// are forms, half are JSON with Base64.
import { createHash, type Hash } from 'node:crypto';

const PIECE_BYTES = 65_536;
const HEAD = '%PDF-1.7\n';
const BOUNDARY = 'bindery-upload';
/** Complete Base64 groups on both sides of the seam. */
const NUMBER_DIGITS = 12;

/** One upload, to be sent piece by piece. */
export interface UploadBody {
  contentType: string;
  length: number;
  /** Hash of the file. */
  sha256: string;
  pieces: () => Iterable<Uint8Array>;
}

/** Makes bodies for a file of this many bytes, a multiple of three. */
export class UploadBodies {
  readonly #shared: Buffer;
  readonly #base64: Buffer;
  readonly #hash: Hash;

  constructor(fileBytes: number) {
    if (fileBytes % 3 !== 0) throw new RangeError('A file has a multiple of three bytes');
    this.#shared = Buffer.alloc(fileBytes - NUMBER_DIGITS, 'The floor was wet.\n');
    this.#shared.write(HEAD);
    this.#base64 = Buffer.from(this.#shared.toString('base64'));
    this.#hash = createHash('sha256').update(this.#shared);
  }

  /** The body of the file with this number. */
  of(number: number): UploadBody {
    const tail = Buffer.from(String(number).padStart(NUMBER_DIGITS, '0'));
    const sha256 = this.#hash.copy().update(tail).digest('hex');
    const parts = number % 2 === 0 ? this.#form(tail) : this.#json(tail);
    const length = parts.bytes.reduce((sum, { length }) => sum + length, 0);
    return { contentType: parts.contentType, length, sha256, pieces: () => piecesOf(parts.bytes) };
  }

  #form(tail: Buffer) {
    const head = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="a.pdf"\r\nContent-Type: application/pdf\r\n\r\n`;
    const bytes = [Buffer.from(head), this.#shared, tail, Buffer.from(`\r\n--${BOUNDARY}--\r\n`)];
    return { contentType: `multipart/form-data; boundary=${BOUNDARY}`, bytes };
  }

  #json(tail: Buffer) {
    const head = '{"fileName":"a.pdf","contentType":"application/pdf","contentBase64":"';
    const bytes = [Buffer.from(head), this.#base64, Buffer.from(tail.toString('base64')), Buffer.from('"}')];
    return { contentType: 'application/json', bytes };
  }
}

function* piecesOf(parts: readonly Buffer[]): Iterable<Uint8Array> {
  for (const part of parts) {
    for (let at = 0; at < part.length; at += PIECE_BYTES) yield part.subarray(at, at + PIECE_BYTES);
  }
}
