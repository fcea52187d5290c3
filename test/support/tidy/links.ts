// Links between files of the repository: each must lead to an existing file or folder.
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Finding } from './source.ts';

const ROOT = join(import.meta.dirname, '../../..');
const LINK = /\]\(([^)\s]+)\)/g;

/** Finds relative links in a Markdown file that lead nowhere. */
export function deadLinks(path: string, text: string): Finding[] {
  if (!path.endsWith('.md')) return [];
  return text.split('\n').flatMap((line, index) =>
    [...line.replaceAll(/`[^`]*`/g, '').matchAll(LINK)].flatMap(([, href = '']) => {
      const [target = ''] = href.split('#');
      if (target === '' || /^[a-z]+:/.test(target) || existsSync(join(ROOT, dirname(path), target))) return [];
      return [{ path, line: index + 1, message: `the link to ${target} leads nowhere` }];
    }),
  );
}
