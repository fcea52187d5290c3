// Reads source files into the form that the tidy rules use: text, text without comments, syntax tree, imports. Node
// itself blanks out the types, keeping every position, so a plain JavaScript parser sees true line numbers.
import { readdirSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { dirname, join, posix } from 'node:path';
import { type Comment, type Program, parse, type Token, type TokenType, tokTypes } from 'acorn';

const ROOT = join(import.meta.dirname, '../../..');
const CODE = /\.(ts|js|mjs)$/;
const TEXT = /(\.(ts|js|mjs|json|ya?ml|md|sh|toml|liquid|py)|Dockerfile|\.env\.example|\.ci\/run)$/;
const SKIPPED_FOLDERS = new Set(['node_modules', '.git', '.data', 'coverage', 'histories', 'dist']);
/** Made by a program, which is what the rules look at. */
const GENERATED = /\.generated\.ts$|^docs\/postman\.json$|^api\/openapi\/examples\.json$/;

/** A finding: where, what is wrong, and what to do instead. */
export interface Finding {
  path: string;
  line: number;
  message: string;
}

export interface Import {
  line: number;
  /** As written, e.g. `../domain/money.ts` or `pg`. */
  specifier: string;
  /** Path from the repository root for one of our files, else null. */
  target: string | null;
  isTypeOnly: boolean;
}

export interface Source {
  /** Path from the repository root, with slashes. */
  path: string;
  text: string;
  lines: readonly string[];
  /** The lines with comments, types and string contents blanked out. */
  codeLines: readonly string[];
  /** The contents of strings, templates and patterns: their ranges in `text`. */
  texts: readonly Range[];
  program: Program;
  comments: readonly Comment[];
  imports: readonly Import[];
}

interface Range {
  start: number;
  end: number;
}

/** All code files of the repository. */
export function readSources(): Source[] {
  return listFiles(CODE).map((path) => parseSource(path, readFileSync(join(ROOT, path), 'utf8')));
}

/** All text files of the repository, code included, by path. */
export function readTexts(): Map<string, string> {
  return new Map(listFiles(TEXT).map((path) => [path, readFileSync(join(ROOT, path), 'utf8')]));
}

/** Parses one file; `path` determines whether it is TypeScript. */
export function parseSource(path: string, text: string): Source {
  const script = path.endsWith('.ts') ? stripTypeScriptTypes(text) : text;
  const comments: Comment[] = [];
  const tokens: Token[] = [];
  const program = parse(script, {
    ecmaVersion: 'latest',
    sourceType: 'module',
    locations: true,
    allowHashBang: true,
    onComment: comments,
    onToken: tokens,
  });
  const insidesOf = (kind: TokenType) =>
    tokens.filter(({ type }) => type === kind).map(({ start, end }) => ({ start: start + 1, end: end - 1 }));
  const insides = insidesOf(tokTypes.string);
  const templates = tokens.filter(({ type }) => type === tokTypes.template);
  const codeLines = blank(script, [...comments, ...insides]).split('\n');
  return {
    path,
    text,
    lines: text.split('\n'),
    codeLines,
    texts: [...insides, ...templates, ...insidesOf(tokTypes.regexp)],
    program,
    comments,
    imports: findImports(path, text, codeLines),
  };
}

/** How many lines contain code between two line numbers, counted from 1 and both included. */
export function countCodeLines(source: Source, first = 1, last = source.codeLines.length): number {
  return source.codeLines.slice(first - 1, last).filter((line) => line.trim() !== '').length;
}

function listFiles(pattern: RegExp, folder = ''): string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = posix.join(folder, entry.name);
    if (entry.isDirectory()) return SKIPPED_FOLDERS.has(entry.name) ? [] : listFiles(pattern, path);
    return pattern.test(path) && !GENERATED.test(path) ? [path] : [];
  });
}

function blank(script: string, ranges: readonly Range[]): string {
  let result = script;
  for (const { start, end } of ranges) {
    result = result.slice(0, start) + result.slice(start, end).replaceAll(/[^\n]/g, ' ') + result.slice(end);
  }
  return result;
}

const STATEMENT =
  /(?:^|\n)[ \t]*(import|export)\b([^;'"]*?\bfrom\s*)?\s*['"]([^'"\n]+)['"]|\bimport\(\s*['"]([^'"\n]+)['"]\s*\)/g;

/** Finds imports in the original text, because the tree has lost type imports; imports inside comments do not count. */
function findImports(path: string, text: string, codeLines: readonly string[]): Import[] {
  return [...text.matchAll(STATEMENT)].flatMap((match) => {
    const start = match.index + (match[0].startsWith('\n') ? 1 : 0);
    const line = text.slice(0, start).split('\n').length;
    const clause = match[2] ?? '';
    const specifier = match[3] ?? match[4] ?? '';
    const isTypeOnly = /^\s*type\b(?!\s*(,|from\b))/.test(clause);
    const isInComment = !isTypeOnly && (codeLines[line - 1] ?? '').trim() === '';
    return isInComment ? [] : [{ line, specifier, target: targetOf(path, specifier), isTypeOnly }];
  });
}

function targetOf(path: string, specifier: string): string | null {
  return specifier.startsWith('.') ? posix.join(dirname(path), specifier) : null;
}
