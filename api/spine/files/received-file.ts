// A file that a request has brought: on disk until the call ends, in a file that has no name, so that nothing is left
// when the process dies. Memory holds a piece of it at a time.
import { createHash, randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { HEAD_BYTES } from '../../../domain/document/media-type.ts';

export interface ReceivedFile {
  size: number;
  /** Hexadecimal. */
  sha256: string;
  /** The first bytes. */
  head: Uint8Array;
  /** Reads it from its beginning. */
  stream: () => Readable;
  /** Lets go of it. */
  discard: () => Promise<void>;
}

/**
 * Writes what comes to disk.
 * @param folder where it lies meanwhile; made when it is not there
 */
export async function received(
  source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  folder: string,
): Promise<ReceivedFile> {
  const handle = await nameless(folder);
  try {
    const hash = createHash('sha256');
    const head: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of source) {
      if (size < HEAD_BYTES) head.push(chunk.subarray(0, HEAD_BYTES - size));
      size += chunk.length;
      hash.update(chunk);
      await handle.writeFile(chunk);
    }
    return {
      ...{ size, sha256: hash.digest('hex'), head: Buffer.concat(head) },
      stream: () => handle.createReadStream({ start: 0, autoClose: false }),
      discard: () => handle.close(),
    };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

async function nameless(folder: string): Promise<FileHandle> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, randomUUID());
  const handle = await open(path, 'wx+', 0o600);
  await unlink(path);
  return handle;
}
