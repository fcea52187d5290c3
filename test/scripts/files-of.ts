// What a program consists of, followed from its entry through its imports.
import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { ROOT } from './run-script.ts';

const IMPORT = /^(?:import|export|\} from)\b[^;]*?'(\.[^']+)';$/gm;

/** The files that a program consists of, including itself. */
export function filesOf(entry: string, found = new Set<string>()): Set<string> {
  if (found.has(entry)) return found;
  found.add(entry);
  if (!entry.endsWith('.ts')) return found;
  for (const [, path = ''] of readFileSync(join(ROOT, entry), 'utf8').matchAll(IMPORT)) {
    filesOf(relative(ROOT, join(ROOT, dirname(entry), path)), found);
  }
  return found;
}
