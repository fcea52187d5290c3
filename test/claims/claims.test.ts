// The short form of `npm run claims`: a policy's claims go through all kinds of deeds while workers are killed.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { STORY_MS } from '../support/patience.ts';
import { runClaims } from './claims.ts';

const SEED = 13;
const LIVES = 6;

test('every claim matches the model after any sequence of events, and the loss fund agrees with the ledger, although workers are killed', async (t) => {
  t.timeout(STORY_MS);
  const dataDir = mkdtempSync(join(tmpdir(), 'bindery-claims-'));
  t.teardown(() => rmSync(dataDir, { recursive: true, force: true }));
  const options = { seed: SEED, lives: LIVES, termsAtATime: 1, answersBetween: 40, dataDir };
  const { lives, killed, payments, findings } = await runClaims({ ...options, report: (line) => t.log(line) });
  t.deepEqual(findings, []);
  t.is(lives, LIVES);
  t.true(killed > 0);
  t.true(payments > 0);
});
