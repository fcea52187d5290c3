// npm run uploads [-- --uploads 200] [--mebibytes 20] [--heap 512]: uploads files to one claim at the same time, each
// half-way before any finishes, with a bounded api heap. Exits with 1 if one was not stored as sent, or if the api
// grew by more than its heap limit. Requires disk space for the files twice over, and Linux.
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
