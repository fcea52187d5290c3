// A test's printing press: the packed Chromium, or one that prints a line of text in no time.
import { homedir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { createPdfEngine } from '../../../providers/pdf/pdf-engine.ts';
import type { PdfEngine } from '../../../providers/ports.ts';
import { silentLogger } from '../logger.ts';

const started: PdfEngine[] = [];

test.after.always('the browsers of this file are closed', async () => {
  await Promise.all(started.map((press) => press.close()));
});

/** Starts a Chromium, which closes when the file's tests are done. */
export function startPress(): PdfEngine {
  const cacheDir = join(homedir(), '.cache', 'bindery');
  const press = createPdfEngine({ path: null, cacheDir }, silentLogger);
  started.push(press);
  return press;
}
