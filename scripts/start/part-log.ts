// Where the output of the parts goes: each part has a file in the data folder, and important lines are shown too.
// A stack trace is for the file; the line that names the error is for the person.
import { createWriteStream, existsSync, mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { report } from './progress.ts';

const WARNING = 40;
const ERROR = /^\w*Error\b|^Uncaught\b/;

/** Opens the log of a part and keeps the one of the start before. Warnings and errors are shown. */
export function partLog(folder: string, part: string, shown: (line: string) => boolean = isWorthShowing) {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, `${part}.log`);
  if (existsSync(path)) renameSync(path, `${path}.previous`);
  const file = createWriteStream(path);
  return (line: string): void => {
    file.write(`${line}\n`);
    if (shown(line)) report(part, summary(line));
  };
}

function isWorthShowing(line: string): boolean {
  const entry = parseEntry(line);
  return entry === null ? ERROR.test(line) : entry.level >= WARNING;
}

function summary(line: string): string {
  const entry = parseEntry(line);
  if (entry === null) return line;
  const reason = entry.err?.message ? ` (${entry.err.message})` : '';
  return `${entry.msg ?? ''}${reason}`;
}

interface LogEntry {
  level: number;
  msg?: string;
  err?: { message?: string };
}

function parseEntry(line: string): LogEntry | null {
  if (!line.startsWith('{')) return null;
  try {
    const entry = JSON.parse(line) as LogEntry;
    return typeof entry.level === 'number' ? entry : null;
  } catch {
    return null;
  }
}
