// npm run referrals [-- --referrals 500] [--kills 2] [--seed 4711]: people with different authorities decide
// referrals, several at a time, while submissions are withdrawn and re-quoted and workers are killed. Exits with 1 if
// one was decided beyond an authority or twice, or if what waited for it does not continue.
import '../help/show-help.ts';
import { randomInt } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { runReferrals } from '../../test/referrals/referrals.ts';
import { startSurroundings } from '../../test/support/servers/surroundings.ts';

const { values } = parseArgs({
  options: { referrals: { type: 'string' }, kills: { type: 'string' }, seed: { type: 'string' } },
});
const referrals = Number(values.referrals ?? 500);
const kills = Number(values.kills ?? 2);
const seed = Number(values.seed ?? randomInt(1_000_000));
if (!(referrals > 0 && kills >= 0) || !Number.isSafeInteger(seed))
  throw new Error('npm run referrals -- --referrals 500');

const startedAt = Date.now();
const report = (line: string) => console.log(`${((Date.now() - startedAt) / 1_000).toFixed(0).padStart(5)} s  ${line}`);
const dataDir = mkdtempSync(join(tmpdir(), 'bindery-referrals-'));
const surroundings = await startSurroundings(dataDir);
Object.assign(process.env, surroundings.variables);
report(`seed ${seed}`);
try {
  const { findings, decided, ...found } = await runReferrals({ referrals, kills, seed, dataDir, report });
  const { approved, rejected, withdrawn, later } = decided;
  report(`${approved} approved, ${rejected} rejected, ${withdrawn} withdrawn, ${later} left to an administrator`);
  report(`${found.refused} decisions refused, ${found.killed} workers killed, ${findings.length} findings`);
  for (const finding of findings) report(finding);
  process.exitCode = findings.length === 0 ? 0 : 1;
} finally {
  await surroundings.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
