// A file from a request: on disk until the call ends. Memory holds only a piece of it at a time.
import type { Readable } from 'node:stream';
import { HEAD_BYTES } from '../../../domain/document/media-type.ts';
import { ScratchFile } from '../../../providers/files/scratch-file.ts';

export interface ReceivedFile {
  /** As named by its sender; absent if the name is a field of the body. */
  fileName?: string;
  size: number;
  /** Hexadecimal. */
  sha256: string;
  /** The first bytes. */
  head: Uint8Array;
  /** Reads it from its beginning. */
  stream: () => Readable;
  /** Deletes it. */
  discard: () => Promise<void>;
}

/**
 * Writes what arrives to disk.
 * @param folder where it is kept meanwhile; created if missing
 */
export async function received(
  source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  folder: string,
): Promise<ReceivedFile> {
  const file = await ScratchFile.in(folder);
  try {
    const head: Uint8Array[] = [];
    for await (const chunk of source) {
      if (file.size < HEAD_BYTES) head.push(chunk.subarray(0, HEAD_BYTES - file.size));
      await file.write(chunk);
    }
    return {
      ...{ size: file.size, sha256: file.sha256(), head: Buffer.concat(head) },
      stream: () => file.stream(),
      discard: () => file.discard(),
    };
  } catch (error) {
    await file.discard();
    throw error;
  }
}
