// The workflow code of both workers: bundled by scripts/bundle-workflows.ts while the servers start, and kept for the
// next start from the same source.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { launch, reasonOf } from './child.ts';
import { step } from './progress.ts';
import { StartError } from './start-error.ts';
import { SOURCES } from './watch.ts';

const ROOT = join(import.meta.dirname, '../..');
const SCRIPT = join(import.meta.dirname, '../bundle-workflows.ts');

/**
 * Writes the bundled workflows to a folder that holds no other file, and returns the file's path.
 * @throws StartError with the line that explains the failure
 */
export async function bundledIn(folder: string, onLine: (line: string) => void): Promise<string> {
  const path = join(folder, `${digestOf(ROOT, ['package-lock.json', ...(SOURCES.worker ?? [])])}.js`);
  if (existsSync(path)) return path;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  await step('workflows', 'bundling', () => bundle(path, onLine));
  return path;
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
    hash.update(`${file}\0`).update(readFileSync(file)).update('\0');
  }
  return hash.digest('hex').slice(0, 32);
}

function filesIn(place: string): string[] {
  if (statSync(place).isFile()) return [place];
  const entries = readdirSync(place, { recursive: true, withFileTypes: true });
  return entries.flatMap((entry) => (entry.isFile() ? [join(entry.parentPath, entry.name)] : [])).sort();
}
