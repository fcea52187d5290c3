// How large files and functions may be, which folder names are banned, and what needs a comment.
import type { AnyNode } from 'acorn';
import { countCodeLines, type Finding, type Source } from './source.ts';

const FILE_LINES = 300;
const FUNCTION_LINES = 60;
const LINE_COLUMNS = 120;
/** The slices that every layer is divided into, under the same names. Architecture 3. */
const SLICES = new Set(
  (
    'submission policy renewal notice billing authority access platform claim document delivery inbound ' +
    'distribution dealroom insight portal signing'
  ).split(' '),
);
const LAYERS = /^((?:test\/)?(?:domain|plans|activities)|test\/db|db\/entities|db\/queries|api\/routes)\/([^/]+)\//;
const BANNED_FOLDERS = new Set(['utils', 'util', 'helpers', 'helper', 'common', 'services', 'lib', 'misc']);
const FUNCTIONS = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']);

/** A file with more than 300 lines of code. Data tables are data. */
export function longFiles(source: Source): Finding[] {
  const lines = countCodeLines(source);
  if (lines <= FILE_LINES || isData(source.path)) return [];
  return [{ path: source.path, line: 1, message: `has ${lines} lines of code, split it at ${FILE_LINES}` }];
}

/** A function with more than 60 lines of code. */
export function longFunctions(source: Source): Finding[] {
  return nodesOf(source).flatMap((node) => {
    if (!FUNCTIONS.has(node.type) || !node.loc) return [];
    const lines = countCodeLines(source, node.loc.start.line, node.loc.end.line);
    if (lines <= FUNCTION_LINES) return [];
    const message = `a function has ${lines} lines of code, split it at ${FUNCTION_LINES}`;
    return [{ path: source.path, line: node.loc.start.line, message }];
  });
}

/** A folder whose name says nothing about what is in it. */
export function bannedFolders(source: Source): Finding[] {
  const banned = source.path
    .split('/')
    .slice(0, -1)
    .filter((folder) => BANNED_FOLDERS.has(folder));
  return banned.map((folder) => ({
    path: source.path,
    line: 1,
    message: `lies in a folder called ${folder}, name the folder after what is in it`,
  }));
}

/** A layer's folder that is not a slice. */
export function strangeSlices({ path }: Source): Finding[] {
  const [, layer, slice] = LAYERS.exec(path) ?? [];
  if (slice === undefined || SLICES.has(slice)) return [];
  return [{ path, line: 1, message: `lies in ${layer}/${slice}, use a slice: ${[...SLICES].join(', ')}` }];
}

/** A file whose first lines do not say what it is responsible for. Test titles say it for tests. */
export function missingHeads(source: Source): Finding[] {
  const first = source.lines[0]?.startsWith('#!') ? source.lines[1] : source.lines[0];
  if (/^(\/\/|\/\*)/.test(first ?? '') || source.path.endsWith('.test.ts')) return [];
  return [{ path: source.path, line: 1, message: 'has no head, say in one to four lines what it is responsible for' }];
}

/** A line of more than 120 columns. Strings are not broken, so a line that only strings make long is left alone. */
export function longLines({ path, lines, texts }: Source): Finding[] {
  if (isData(path)) return [];
  let end = -1;
  return lines.flatMap((line, index) => {
    const start = end + 1;
    end = start + line.length;
    if (line.length <= LINE_COLUMNS) return [];
    const within = texts.map((each) => Math.max(0, Math.min(each.end, end) - Math.max(each.start, start)));
    const columns = line.length - within.reduce((sum, each) => sum + each, 0);
    if (columns <= LINE_COLUMNS) return [];
    return [{ path, line: index + 1, message: `has ${columns} columns beside its texts, break it at ${LINE_COLUMNS}` }];
  });
}

/** A head that names the file's exports: the exports already say that. */
export function listingHeads(source: Source): Finding[] {
  const head = source.comments[0]?.start === 0 ? headOf(source) : '';
  const named = exportedNames(source).filter(
    (name) => /[a-z][A-Z]/.test(name) && new RegExp(`\\b${name}\\b`).test(head),
  );
  if (named.length < 2) return [];
  return [{ path: source.path, line: 1, message: `lists its exports in its head (${named.join(', ')})` }];
}

/** A function exported from the domain without a docstring. */
export function undocumentedFunctions(source: Source): Finding[] {
  if (!source.path.startsWith('domain/')) return [];
  return source.program.body.flatMap((node) => {
    if (node.type !== 'ExportNamedDeclaration' || !node.declaration || !declaresFunction(node.declaration)) return [];
    const line = node.loc?.start.line ?? 1;
    const hasDocstring = source.lines[line - 2]?.trimEnd().endsWith('*/');
    return hasDocstring
      ? []
      : [{ path: source.path, line, message: 'exports a function without a docstring, say what it answers' }];
  });
}

/** A default export: importers should use the name that the file gave. */
export function defaultExports(source: Source): Finding[] {
  if (/(^|\/)[\w.-]+\.config\.js$/.test(source.path)) return [];
  return source.program.body.flatMap((node) =>
    node.type === 'ExportDefaultDeclaration'
      ? [{ path: source.path, line: node.loc?.start.line ?? 1, message: 'has a default export, export it by name' }]
      : [],
  );
}

function declaresFunction(declaration: AnyNode): boolean {
  if (declaration.type === 'FunctionDeclaration') return true;
  if (declaration.type !== 'VariableDeclaration') return false;
  return declaration.declarations.some(({ init }) => init && FUNCTIONS.has(init.type));
}

function nodesOf(source: Source): AnyNode[] {
  const found: AnyNode[] = [];
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) for (const item of value) visit(item);
    else if (typeof value === 'object' && value !== null && 'type' in value) {
      found.push(value as AnyNode);
      for (const [key, child] of Object.entries(value)) if (key !== 'loc') visit(child);
    }
  };
  visit(source.program.body);
  return found;
}

function isData(path: string): boolean {
  return path.startsWith('db/seed/data/') || path.startsWith('db/defaults/');
}

function headOf({ lines }: Source): string {
  const end = lines.findIndex((line) => !/^(\/\/|\/\*| \*)/.test(line));
  return lines.slice(0, end).join('\n');
}

function exportedNames({ text }: Source): string[] {
  return [...text.matchAll(/^export (?:async )?(?:function|const|class|interface|type) (\w+)/gm)].map(
    ([, name]) => name ?? '',
  );
}
