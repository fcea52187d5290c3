// The workflow code of both workers: bundled by scripts/bundle-workflows.ts while the servers start, and kept for every
// later start from the same source, in whatever clone and data folder.
import { createHash } from 'node:crypto';
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
} from 'node:fs';
import { join, relative } from 'node:path';
import { launch, reasonOf } from './child.ts';
import { step } from './progress.ts';
import { StartError } from './start-error.ts';
import { userCache } from './user-cache.ts';
import { SOURCES } from './watch.ts';

const ROOT = join(import.meta.dirname, '../..');
const SCRIPT = join(import.meta.dirname, '../bundle-workflows.ts');

/** A bundle that no start has used for this long belongs to a source that has gone. */
const UNUSED_MS = 30 * 86_400_000;

/** The folder of bundles: the user's, or one of the installation where the user has none that can be written. */
export function folderOfBundles(environment: Readonly<Record<string, string | undefined>>, dataDir: string): string {
  const shared = join(userCache(environment), 'workflows');
  try {
    mkdirSync(shared, { recursive: true });
    accessSync(shared, constants.W_OK);
    return shared;
  } catch {
    return join(dataDir, 'workflows');
  }
}

/**
 * Writes the bundled workflows to a folder of bundles, unless they are there, and returns the file's path.
 * @throws StartError with the line that explains the failure
 */
export async function bundledIn(folder: string, onLine: (line: string) => void): Promise<string> {
  const path = join(folder, `${digestOf(ROOT, ['package-lock.json', ...(SOURCES.worker ?? [])])}.js`);
  const now = new Date();
  mkdirSync(folder, { recursive: true });
  if (existsSync(path)) utimesSync(path, now, now);
  else await step('workflows', 'bundling', () => bundle(path, onLine));
  dropUnused(folder, now.getTime());
  return path;
}

/** Removes the bundles that have not been used for a month, and what a broken start has left. */
function dropUnused(folder: string, nowMs: number): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    const usedAt = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? nowMs;
    if (nowMs - usedAt > UNUSED_MS) rmSync(path, { force: true });
  }
}

async function bundle(path: string, onLine: (line: string) => void): Promise<void> {
  const child = await launch({ name: 'workflows', command: process.execPath, args: [SCRIPT, path], onLine });
  const { code } = await child.exited;
  if (code === 0) return;
  throw new StartError(`The workflows could not be bundled (${reasonOf(child)}): repair the cause and start again.`);
}

/** A digest of the names and contents of files and folders; `places` are paths relative to `root`. */
export function digestOf(root: string, places: readonly string[]): string {
  const hash = createHash('sha256');
  for (const file of places.flatMap((place) => filesIn(join(root, place)))) {
    hash
      .update(`${relative(root, file)}\0`)
      .update(readFileSync(file))
      .update('\0');
  }
  return hash.digest('hex').slice(0, 32);
}

function filesIn(place: string): string[] {
  if (statSync(place).isFile()) return [place];
  const entries = readdirSync(place, { recursive: true, withFileTypes: true });
  return entries.flatMap((entry) => (entry.isFile() ? [join(entry.parentPath, entry.name)] : [])).sort();
}
