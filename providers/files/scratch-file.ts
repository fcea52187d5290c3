// A file written piece by piece and then read. It is an unnamed file on disk, so nothing is left if the process dies.
// Memory holds one piece at a time.
import { createHash, type Hash, randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';

export class ScratchFile {
  readonly #handle: FileHandle;
  readonly #hash: Hash = createHash('sha256');
  #size = 0;

  private constructor(handle: FileHandle) {
    this.#handle = handle;
  }

  /** Creates an empty file. @param folder where it goes; created if missing */
  static async in(folder: string): Promise<ScratchFile> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const path = join(folder, randomUUID());
    const handle = await open(path, 'wx+', 0o600);
    await unlink(path);
    return new ScratchFile(handle);
  }

  /** Bytes so far. */
  get size(): number {
    return this.#size;
  }

  /** Appends to it. */
  async write(content: string | Uint8Array): Promise<void> {
    const bytes = typeof content === 'string' ? Buffer.from(content) : content;
    this.#size += bytes.length;
    this.#hash.update(bytes);
    await this.#handle.writeFile(bytes);
  }

  /** The content's SHA-256 in hexadecimal; nothing may be written after this. */
  sha256(): string {
    return this.#hash.digest('hex');
  }

  /** Reads it from the start. */
  stream(): Readable {
    return this.#handle.createReadStream({ start: 0, autoClose: false });
  }

  /** Releases it. */
  discard(): Promise<void> {
    return this.#handle.close();
  }
}
