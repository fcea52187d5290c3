// The Chromium that prints: the one at CHROMIUM_PATH, or the bundled one, unpacked once per user.
import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { access, chmod, constants, mkdir, readFile, rename, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress } from 'node:zlib';

/** Returns the path of the program. @throws Error when it is missing or cannot be unpacked */
export async function browserBinary({ path, cacheDir }: { path: string | null; cacheDir: string }): Promise<string> {
  if (path !== null) {
    await access(path, constants.X_OK);
    return path;
  }
  const folder = packageFolder();
  const { version } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as { version: string };
  const unpacked = join(cacheDir, `chromium-${version}`);
  const isThere = await access(unpacked, constants.X_OK).then(
    () => true,
    () => false,
  );
  if (!isThere) await unpack(join(folder, 'bin', 'chromium.br'), unpacked);
  return unpacked;
}

function packageFolder(): string {
  const entry = createRequire(import.meta.url).resolve('@sparticuz/chromium');
  return entry.slice(0, entry.lastIndexOf(join('@sparticuz', 'chromium')) + join('@sparticuz', 'chromium').length);
}

/** Processes that unpack at the same time each write a file of their own; the last one renamed stays. */
async function unpack(packed: string, unpacked: string): Promise<void> {
  await mkdir(dirname(unpacked), { recursive: true, mode: 0o700 });
  const unfinished = `${unpacked}.${randomUUID()}`;
  try {
    await pipeline(createReadStream(packed), createBrotliDecompress(), createWriteStream(unfinished, { mode: 0o700 }));
    await chmod(unfinished, 0o700);
    await rename(unfinished, unpacked);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}
