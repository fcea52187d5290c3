// npm run claims [-- --lives 300] [--seed 4711]: takes claims through random operations while workers and Temporal
// are killed, and an independent model says what each must be. Exits with 1 if one differs, or if the loss fund, the
// ledger and the model do not agree at the end; `--seed <number of the policy> --lives 10` replays its claims.
import '../help/show-help.ts';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { runClaims } from '../../test/claims/claims.ts';
import { ownTemporal } from '../../test/faults/own-temporal.ts';
import { startSurroundings } from '../../test/support/servers/surroundings.ts';

const ANSWERS_BETWEEN = 150;

const { values } = parseArgs({
  options: { lives: { type: 'string' }, seed: { type: 'string' }, terms: { type: 'string' } },
});
const lives = Number(values.lives ?? 300);
const seed = Number(values.seed ?? Date.now() % 1_000_000);
const termsAtATime = Number(values.terms ?? 4);
if (!(lives > 0) || !Number.isSafeInteger(seed)) throw new Error('npm run claims -- --lives 300 --seed 4711');

const startedAt = Date.now();
const report = (line: string) => console.log(`${((Date.now() - startedAt) / 1_000).toFixed(0).padStart(5)} s  ${line}`);
report(`seed ${seed}, ${lives} lives`);
const dataDir = mkdtempSync(join(tmpdir(), 'bindery-claims-'));
const surroundings = await startSurroundings(dataDir);
Object.assign(process.env, surroundings.variables);
const temporal = await ownTemporal();
try {
  await temporal.start();
  const options = { seed, lives, termsAtATime, answersBetween: ANSWERS_BETWEEN, dataDir, temporal, report };
  const found = await runClaims(options);
  report(`${found.lives} lives, ${found.payments} payments, ${found.commands} commands`);
  report(`${found.killed} deaths of workers and of Temporal, ${found.findings.length} findings`);
  for (const finding of found.findings) report(finding);
  process.exitCode = found.findings.length === 0 ? 0 : 1;
} finally {
  await temporal.remove();
  await surroundings.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
