// How the process of a test file runs. ava loads this with each file.
import { FILE_MS } from './patience.ts';

const DAY_MS = 86_400_000;
/** Longer than almost every file takes. */
const BEFORE_MIDNIGHT_MS = 180_000;

// ava has Node read the source map of every package that a test loads, half a second of processor time for a platform.
// Our own code runs as it is written, so the lines of its stacks are right without.
process.setSourceMapsEnabled(false);

// A file that takes the date once would see the platform's change at midnight: it begins on the new day instead.
const restOfDayMs = DAY_MS - (Date.now() % DAY_MS);
if (restOfDayMs < BEFORE_MIDNIGHT_MS) await new Promise((resolve) => setTimeout(resolve, restOfDayMs));

// A file that hangs is ended, so that the run goes on and names it.
setTimeout(() => {
  const resources = process.getActiveResourcesInfo().join(', ');
  throw new Error(`This file has run for ${FILE_MS / 60_000} minutes. It waits for: ${resources}`);
}, FILE_MS).unref();
