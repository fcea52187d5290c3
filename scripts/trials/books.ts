// npm run books [-- --lives 5000] [--seed 4711]: plays random policy lives, with everything that happens to policies
// and money, while workers are killed; after each, premium, taxes and fees must tie out. Exits with 1 if something
// does not; `--seed <number of the life> --lives 1` replays that life.
import '../help/show-help.ts';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { runBooks } from '../../test/books/books.ts';
import { tooRare } from '../../test/books/tally.ts';
import { startSurroundings } from '../../test/support/servers/surroundings.ts';

const ANSWERS_BETWEEN = 150;
const FULL_RUN_LIVES = 100;

const { values } = parseArgs({
  options: { lives: { type: 'string' }, seed: { type: 'string' }, villages: { type: 'string' } },
});
const lives = Number(values.lives ?? 100);
const seed = Number(values.seed ?? Date.now() % 1_000_000);
const villagesAtATime = Number(values.villages ?? 2);
if (!(lives > 0) || !Number.isSafeInteger(seed)) throw new Error('npm run books -- --lives 5000 --seed 4711');

const startedAt = Date.now();
const report = (line: string) => console.log(`${((Date.now() - startedAt) / 1_000).toFixed(0).padStart(5)} s  ${line}`);
report(`seed ${seed}, ${lives} lives`);
const dataDir = mkdtempSync(join(tmpdir(), 'bindery-books-'));
const surroundings = await startSurroundings(dataDir);
Object.assign(process.env, surroundings.variables);
try {
  const found = await runBooks({ seed, lives, villagesAtATime, answersBetween: ANSWERS_BETWEEN, dataDir, report });
  report(
    `${found.lives} lives, ${found.policies} policies (${found.tight} to the last part), ${found.commands} commands`,
  );
  report(`${found.compared} parts of paid invoices compared with the ledger`);
  for (const [kind, times] of [...found.deeds].sort()) report(`${String(times).padStart(6)} × ${kind}`);
  // A few lives do not see everything.
  const rare = lives < FULL_RUN_LIVES ? [] : tooRare(found.deeds, lives);
  for (const what of rare) report(what);
  report(`${found.killed} workers killed, ${found.findings.length} findings`);
  process.exitCode = found.findings.length + rare.length === 0 ? 0 : 1;
} finally {
  await surroundings.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
