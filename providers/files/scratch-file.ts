// A file that is written piece by piece and then read: on disk in a file that has no name, so that nothing is left when
// the process dies. Memory holds a piece of it at a time.
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

  /** Makes an empty file. @param folder where it lies; made when it is not there */
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

  /** Adds to its end. */
  async write(content: string | Uint8Array): Promise<void> {
    const bytes = typeof content === 'string' ? Buffer.from(content) : content;
    this.#size += bytes.length;
    this.#hash.update(bytes);
    await this.#handle.writeFile(bytes);
  }

  /** The hexadecimal SHA-256 of the content; nothing is written after it. */
  sha256(): string {
    return this.#hash.digest('hex');
  }

  /** Reads it from its beginning. */
  stream(): Readable {
    return this.#handle.createReadStream({ start: 0, autoClose: false });
  }

  /** Lets go of it. */
  discard(): Promise<void> {
    return this.#handle.close();
  }
}
