// The short form of `npm run uploads`: files that arrive on a claim at the same time are never held in memory.
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { STORY_MS } from '../support/patience.ts';
import { runUploads } from './uploads.ts';

const UPLOADS = 40;
const MEBIBYTES = 20;
const HEAP_MEBIBYTES = 512;
/** Half of what arrives. */
const MOST_GROWTH_MEBIBYTES = (UPLOADS * MEBIBYTES) / 2;

/** Only Linux reports the peak memory of a process. */
const onLinux = existsSync('/proc/self/clear_refs') ? test : test.skip;

onLinux('files that arrive together pass through the api, which holds a piece of each', async (t) => {
  t.timeout(STORY_MS);
  const dataDir = mkdtempSync(join(tmpdir(), 'bindery-uploads-'));
  t.teardown(() => rmSync(dataDir, { recursive: true, force: true }));
  const found = await runUploads({ uploads: UPLOADS, mebibytes: MEBIBYTES, heapMebibytes: HEAP_MEBIBYTES, dataDir });
  t.log(found);
  t.deepEqual(found.findings, []);
  const growth = found.mostMebibytes - found.restingMebibytes;
  t.true(growth < MOST_GROWTH_MEBIBYTES, `the api grew by ${growth} MiB`);
});
