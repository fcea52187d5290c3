// npm run payouts [-- --producers 300] [--kills 3]: pays producers, the state, the carrier and ourselves from the
// trust account, prepared by one person and approved by another, while the workers are killed in turn. Exits with 1
// if a payee is not paid exactly once, or if the books do not balance.
import '../help/show-help.ts';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { runPayouts } from '../../test/payouts/payouts.ts';
import { startSurroundings } from '../../test/support/servers/surroundings.ts';

const { values } = parseArgs({ options: { producers: { type: 'string' }, kills: { type: 'string' } } });
const producers = Number(values.producers ?? 300);
const kills = Number(values.kills ?? 3);
if (!(producers > 0) || !(kills >= 0)) throw new Error('npm run payouts -- --producers 300 --kills 3');

const startedAt = Date.now();
const report = (line: string) => console.log(`${((Date.now() - startedAt) / 1_000).toFixed(0).padStart(5)} s  ${line}`);
const dataDir = mkdtempSync(join(tmpdir(), 'bindery-payouts-'));
const surroundings = await startSurroundings(dataDir);
Object.assign(process.env, surroundings.variables);
try {
  const found = await runPayouts({ producers, kills, dataDir, report });
  report(`${found.paid} producers in ${found.seconds.toFixed(0)} s, ${found.killed} workers killed`);
  report(`${found.replayed} commands answered with their first outcome, ${found.findings.length} findings`);
  for (const finding of found.findings) report(finding);
  process.exitCode = found.findings.length === 0 ? 0 : 1;
} finally {
  await surroundings.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
