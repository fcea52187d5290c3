// The short form of `npm run books`: a few lives with all kinds of deeds, while workers are killed.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { STORY_MS } from '../support/patience.ts';
import { runBooks } from './books.ts';

const SEED = 24;
const LIVES = 5;

test('premium, taxes and fees of every policy tie out in invoices and ledger after any sequence of events, although workers are killed', async (t) => {
  t.timeout(STORY_MS);
  const dataDir = mkdtempSync(join(tmpdir(), 'bindery-books-'));
  t.teardown(() => rmSync(dataDir, { recursive: true, force: true }));
  const options = { seed: SEED, lives: LIVES, villagesAtATime: 1, answersBetween: 30, dataDir };
  const { lives, killed, tight, compared, findings } = await runBooks({ ...options, report: (line) => t.log(line) });
  t.deepEqual(findings, []);
  t.is(lives, LIVES);
  t.true(killed > 0);
  t.true(tight > 0);
  t.true(compared > 0);
});
