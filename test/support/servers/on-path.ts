// Programs that this machine may have.
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Finds the first of these programs on PATH; null if there is none. */
export function onPath(...programs: string[]): string | null {
  const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean);
  const files = programs.flatMap((name) => folders.map((folder) => join(folder, name)));
  return files.find((file) => existsSync(file)) ?? null;
}
