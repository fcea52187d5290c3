// What only the whole tree shows: import cycles, unused files and exports, folders too full to read.
import { posix } from 'node:path';
import type { Finding, Source } from './source.ts';

const FILES_IN_A_FOLDER = 25;

/** Files that a program, a glob or a bundler opens by name. */
const OPENED_BY_NAME = [
  /^[^/]+$/,
  /\.test\.ts$/,
  /^(api|auth)\/server\.ts$/,
  /^(workers|stand-ins\/[^/]+)\/main\.ts$/,
  /^workflows\/(index|machinery\/interceptors)\.ts$/,
  /^scripts\/(trials\/)?[^/]+$/,
  /^scripts\/start\/temporal\/download\.ts$/,
  /^db\/migrations\//,
  /^test\/support\/test-process\.ts$/,
  /^test\/faults\/steady-day\.ts$/,
  /^clients\/typescript\/(src\/index|example\/[^/]+)\.ts$/,
  /^bench\/(main|(floor|peer)\/[^/]+)\.ts$/,
  /^http\/reference\/start\.js$/,
  /^providers\/(reading|typesetting)\/thread\.ts$/,
  /\.d\.ts$/,
];

const IS_TEST = /^(test|bench)\//;
/**
 * The authentication service is a program of its own, and a row may be called like what it stores. A column and a wire
 * field are both called `instant`.
 */
const IS_OF_THE_PRODUCT =
  /^(domain|contracts|db|plans|providers|activities|workflows|workers|http|api)\/(?!migrations\/|entities\/)/;
/** Tests' stand-ins for the outside, what the SDK loads by path, and what other people's code plugs in. */
const MADE_FOR_OTHERS = [
  /^stand-ins\//,
  /^contracts\/machinery\/data-converter\.ts$/,
  /^plans\/platform\/flag-provider\.ts$/,
];

/** Two folders: one holds its members in date order, the other is a set of recordings. */
const MAY_BE_FULL = ['db/migrations', 'test/histories'];

const EXPORTED = /^export (?:abstract )?(?:async )?(function\*?|const|let|class|interface|type) (\w+)/gm;
const EXPORT_LIST = /^export (?:type )?\{([^}]*)\}/gm;
const NAMED = /\b(?:import|export)\s+(?:type\s+)?(?:\w+\s*,\s*)?\{([^}]*)\}\s*from\s*['"](\.[^'"]+)['"]/g;
const WHOLE = /(?:\b(?:import|export)\s+(?:type\s+)?\*(?:\s+as\s+\w+)?\s+from\s*|\bimport\s*\(\s*)['"](\.[^'"]+)['"]/g;

/** Import cycles, each named once, from its alphabetically first file. Types count as well. */
export function importCircles(sources: readonly Source[]): Finding[] {
  const targets = new Map(sources.map(({ path, imports }) => [path, imports.flatMap(({ target }) => target ?? [])]));
  const done = new Set<string>();
  const found = new Map<string, Finding>();
  const visit = (path: string, trail: readonly string[]): void => {
    const start = trail.indexOf(path);
    if (start >= 0) {
      const circle = trail.slice(start);
      const key = [...circle].sort().join(' ');
      found.set(key, { path, line: 1, message: `imports itself: ${[...circle, path].join(' → ')}` });
    }
    if (start >= 0 || done.has(path)) return;
    for (const target of targets.get(path) ?? []) visit(target, [...trail, path]);
    done.add(path);
  };
  for (const path of [...targets.keys()].sort()) visit(path, []);
  return [...found.values()];
}

/** Scripts that load the test runner indirectly: it refuses to load outside its own command. */
export function scriptsOnTestRunner(sources: readonly Source[]): Finding[] {
  const bySource = new Map(sources.map((source) => [source.path, source]));
  const loads = (path: string, seen: Set<string>): boolean => {
    if (seen.has(path)) return false;
    seen.add(path);
    const loaded = bySource.get(path)?.imports.filter(({ isTypeOnly }) => !isTypeOnly) ?? [];
    return loaded.some(({ specifier, target }) => specifier === 'ava' || (target !== null && loads(target, seen)));
  };
  return sources
    .filter(({ path }) => path.startsWith('scripts/') && loads(path, new Set()))
    .map(({ path }) => ({ path, line: 1, message: 'loads the test runner, import what it needs from a file without' }));
}

/** Files that no other file imports and nothing opens by name. */
export function deadFiles(sources: readonly Source[]): Finding[] {
  const imported = new Set(sources.flatMap(({ imports }) => imports.flatMap(({ target }) => target ?? [])));
  return sources
    .filter(({ path }) => !imported.has(path) && !OPENED_BY_NAME.some((pattern) => pattern.test(path)))
    .map(({ path }) => ({ path, line: 1, message: 'is imported by nobody, delete it' }));
}

/** Exports that no other file imports. A type may be exported to name the shape of another export. */
export function deadExports(sources: readonly Source[]): Finding[] {
  const used = usedNames(sources);
  return sources.flatMap((source) => {
    const { path, text } = source;
    if (OPENED_BY_NAME.some((pattern) => pattern.test(path)) || used.has(`${path}#*`)) return [];
    return exportsOf(text)
      .filter(({ name }) => !used.has(`${path}#${name}`))
      .map(({ name, line }) => ({ path, line, message: `exports ${name}, which nobody imports` }));
  });
}

/** Exports that only tests use, not even their own file: such tests prove nothing about the product. */
export function testedExports(sources: readonly Source[]): Finding[] {
  const used = usedNames(sources.filter(({ path }) => !IS_TEST.test(path)));
  return sources.flatMap(({ path, text }) => {
    const isSpared = [IS_TEST, ...OPENED_BY_NAME, ...MADE_FOR_OTHERS].some((pattern) => pattern.test(path));
    if (isSpared || used.has(`${path}#*`)) return [];
    return exportsOf(text)
      .filter(({ name }) => !used.has(`${path}#${name}`) && !isUsedBeside(text, name))
      .map(({ name, line }) => ({
        path,
        line,
        message: `exports ${name} for tests alone, delete it or move it there`,
      }));
  });
}

/** Exports of the product that share a name: a reader looking for one finds the other. */
export function sharedNames(sources: readonly Source[]): Finding[] {
  const first = new Map<string, string>();
  return sources.flatMap(({ path, text }) => {
    if (!IS_OF_THE_PRODUCT.test(path)) return [];
    const names = new Set(declaredIn(text).flatMap(([, , name = '']) => (name === 'instant' ? [] : name)));
    return [...names].flatMap((name) => {
      const other = first.get(name);
      first.set(name, other ?? path);
      return other === undefined ? [] : [{ path, line: 1, message: `exports ${name}, which ${other} exports too` }];
    });
  });
}

/** Folders with more files than a reader can take in. */
export function fullFolders(sources: readonly Source[]): Finding[] {
  const counts = new Map<string, number>();
  for (const { path } of sources) {
    const folder = posix.dirname(path);
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  return [...counts]
    .filter(([folder, count]) => count > FILES_IN_A_FOLDER && !MAY_BE_FULL.includes(folder))
    .map(([folder, count]) => ({ path: folder, line: 1, message: `holds ${count} files, divide it` }));
}

function exportsOf(text: string): { name: string; line: number }[] {
  const lineAt = (index: number) => text.slice(0, index).split('\n').length;
  const declared = declaredIn(text)
    .filter(([, kind, name]) => !/interface|type/.test(kind ?? '') || !isUsedBeside(text, name ?? ''))
    .map((match) => ({ name: match[2] ?? '', line: lineAt(match.index) }));
  const listed = [...text.matchAll(EXPORT_LIST)].flatMap((match) =>
    namesIn(match[1]).map(({ outside }) => ({ name: outside, line: lineAt(match.index) })),
  );
  return [...declared, ...listed];
}

const declaredIn = (text: string) => [...text.matchAll(EXPORTED)];

function isUsedBeside(text: string, name: string): boolean {
  return [...text.matchAll(new RegExp(`\\b${name}\\b`, 'g'))].length > 1;
}

/** `path#name` of everything imported; `path#*` where a file is imported as a whole. */
function usedNames(sources: readonly Source[]): Set<string> {
  return new Set(
    sources.flatMap(({ path, text }) => {
      const from = (specifier = '') => posix.join(posix.dirname(path), specifier);
      const named = [...text.matchAll(NAMED)].flatMap(([, names, specifier]) =>
        namesIn(names).map(({ inside }) => `${from(specifier)}#${inside}`),
      );
      return [...named, ...[...text.matchAll(WHOLE)].map(([, specifier]) => `${from(specifier)}#*`)];
    }),
  );
}

/** The names in a braced list: as the exporting file calls them, and as the list does. */
function namesIn(list = ''): { inside: string; outside: string }[] {
  return list
    .split(',')
    .map((entry) => entry.trim().replace(/^type /, ''))
    .filter((entry) => entry !== '')
    .map((entry) => entry.split(' as '))
    .map(([inside = '', outside = inside]) => ({ inside: inside.trim(), outside: outside.trim() }));
}
