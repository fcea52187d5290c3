// The short form of `npm run payouts`: a few producers, and one killed worker.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { STORY_MS } from '../support/patience.ts';
import { runPayouts } from './payouts.ts';

const PRODUCERS = 6;

test('producers, the state, the carrier and we ourselves are each paid once, and the books balance, although a worker is killed', async (t) => {
  t.timeout(STORY_MS);
  const dataDir = mkdtempSync(join(tmpdir(), 'bindery-payouts-'));
  t.teardown(() => rmSync(dataDir, { recursive: true, force: true }));
  const options = { producers: PRODUCERS, kills: 1, dataDir };
  const { paid, killed, findings } = await runPayouts({ ...options, report: (line) => t.log(line) });
  t.deepEqual(findings, []);
  t.is(paid, PRODUCERS);
  t.true(killed > 0);
});
