// Ends a test file's process that hangs, so that the run goes on and names the file. It starts with each file, through
// ava's configuration.
import { FILE_MS } from './patience.ts';

setTimeout(() => {
  console.error(`This file has run for ${FILE_MS / 60_000} minutes. It waits for: ${waitsFor()}`);
  process.exit(1);
}, FILE_MS).unref();

/** The kinds of what keeps the process alive, each with its count. */
function waitsFor(): string {
  const counts = new Map<string, number>();
  for (const kind of process.getActiveResourcesInfo()) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return [...counts].map(([kind, count]) => `${count} ${kind}`).join(', ');
}
