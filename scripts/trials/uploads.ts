// npm run uploads [-- --uploads 200] [--mebibytes 20] [--heap 512]: so many files arrive on one claim together, each
// half way there before any ends, at an api with a bounded heap. Ends with 1 when one was not kept as it was sent, or
// when the api grew by more than the heap it may have. It needs room on disk for the files twice, and Linux.
import '../help/show-help.ts';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { runUploads } from '../../test/claims/uploads.ts';
import { startSurroundings } from '../../test/support/servers/surroundings.ts';

const { values } = parseArgs({
  options: { uploads: { type: 'string' }, mebibytes: { type: 'string' }, heap: { type: 'string' } },
});
const [uploads = 200, mebibytes = 20, heapMebibytes = 512] = [values.uploads, values.mebibytes, values.heap].map(
  (value) => (value === undefined ? undefined : Number(value)),
);
if (!(uploads > 0 && mebibytes > 0 && heapMebibytes > 0)) throw new Error('npm run uploads -- --uploads 200');

const dataDir = mkdtempSync(join(tmpdir(), 'bindery-uploads-'));
const surroundings = await startSurroundings(dataDir);
Object.assign(process.env, surroundings.variables);
try {
  const { findings, ...found } = await runUploads({ uploads, mebibytes, heapMebibytes, dataDir });
  const { restingMebibytes, mostMebibytes, seconds } = found;
  console.log(`${uploads} files of ${mebibytes} MiB in ${seconds.toFixed(0)} s, ${findings.length} findings`);
  console.log(`the api took ${restingMebibytes} MiB before and ${mostMebibytes} MiB at most`);
  for (const finding of findings) console.log(finding);
  process.exitCode = findings.length === 0 && mostMebibytes - restingMebibytes <= heapMebibytes ? 0 : 1;
} finally {
  await surroundings.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
