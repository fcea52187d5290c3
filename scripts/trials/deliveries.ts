// npm run deliveries [-- --events 10000] [--kills 2]: sends events to twenty receivers, many of which are slow, hang,
// refuse, redirect, close or answer with 100 MB, while the worker and Temporal are killed. Exits with 1 if an event
// arrived twice or was lost, if the log is incomplete, or if memory grew.
import '../help/show-help.ts';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { runDeliveries } from '../../test/deliveries/deliveries.ts';
import { startSurroundings } from '../../test/support/servers/surroundings.ts';

const { values } = parseArgs({ options: { events: { type: 'string' }, kills: { type: 'string' } } });
const events = Number(values.events ?? 10_000);
const kills = Number(values.kills ?? 2);
if (!(events > 0) || !(kills >= 0)) throw new Error('npm run deliveries -- --events 10000 --kills 2');

const startedAt = Date.now();
const report = (line: string) => console.log(`${((Date.now() - startedAt) / 1_000).toFixed(0).padStart(5)} s  ${line}`);
const folder = mkdtempSync(join(tmpdir(), 'bindery-deliveries-'));
const surroundings = await startSurroundings(folder);
Object.assign(process.env, surroundings.variables);
try {
  const found = await runDeliveries({ events, kills, report });
  report(`${found.deliveries} deliveries in ${found.seconds.toFixed(0)} s, ${found.unknown} unknown`);
  report(`the worker has grown by ${found.grownMiB} MiB at most, ${found.findings.length} findings`);
  for (const finding of found.findings) report(finding);
  process.exitCode = found.findings.length === 0 ? 0 : 1;
} finally {
  await surroundings.stop();
  rmSync(folder, { recursive: true, force: true });
}
