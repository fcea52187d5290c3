// Ends a test file's process that hangs, so that the run goes on and names the file. ava loads it with each file.
import { FILE_MS } from './patience.ts';

setTimeout(() => {
  const resources = process.getActiveResourcesInfo().join(', ');
  throw new Error(`This file has run for ${FILE_MS / 60_000} minutes. It waits for: ${resources}`);
}, FILE_MS).unref();
