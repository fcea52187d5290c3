// Where the parts' output goes: each part has a log file in the data folder, and important lines are shown as well.
import { createWriteStream, existsSync, mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { consoleLine } from './console-line.ts';
import { report } from './progress.ts';

/** Opens a part's log and keeps the previous start's. Warnings and errors are shown. */
export function partLog(folder: string, part: string, shown: (line: string) => string | null = consoleLine) {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, `${part}.log`);
  if (existsSync(path)) renameSync(path, `${path}.previous`);
  const file = createWriteStream(path);
  return (line: string): void => {
    file.write(`${line}\n`);
    const text = shown(line);
    if (text !== null) report(part, text);
  };
}
