// How a test file's process runs. ava loads this with each file.
import { FILE_MS } from './patience.ts';

const DAY_MS = 86_400_000;
/** Longer than almost any file takes. */
const BEFORE_MIDNIGHT_MS = 180_000;

// ava makes Node read the source map of every package that a test loads, half a second of processor time for a
// platform. Our own code runs as written, so its stack traces have the right lines without source maps.
process.setSourceMapsEnabled(false);

// A file that reads the date only once would break when the platform's date changes at midnight: start on the new day
// instead.
const restOfDayMs = DAY_MS - (Date.now() % DAY_MS);
if (restOfDayMs < BEFORE_MIDNIGHT_MS) await new Promise((resolve) => setTimeout(resolve, restOfDayMs));

// Ends a file that hangs, so that the run continues and names it.
setTimeout(() => {
  const resources = process.getActiveResourcesInfo().join(', ');
  throw new Error(`This file has run for ${FILE_MS / 60_000} minutes. It waits for: ${resources}`);
}, FILE_MS).unref();
