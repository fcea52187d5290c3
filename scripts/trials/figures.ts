// npm run figures [-- --policies 5000] [--claims 400] [--deeds 12] [--seed 4711]: runs a book of business through two
// years of changes, and checks every analytics figure against an independent model that adds up the rows itself.
// Exits with 1 if a figure is off by a cent, or if rebuilt sums differ from the incremental ones. --deeds: how many
// policies in a hundred change between two of the 16 days on which the book is worked on.
import '../help/show-help.ts';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { runFigures } from '../../test/figures/figures.ts';
import { DEEDS_OF_100 } from '../../test/figures/lived-book.ts';
import { startSurroundings } from '../../test/support/servers/surroundings.ts';

const { values } = parseArgs({
  options: {
    ...{ policies: { type: 'string' }, claims: { type: 'string' } },
    ...{ deeds: { type: 'string' }, seed: { type: 'string' } },
  },
});
const policies = Number(values.policies ?? 300);
const claims = Number(values.claims ?? 30);
const deedsOf100 = Number(values.deeds ?? DEEDS_OF_100);
const seed = Number(values.seed ?? Date.now() % 1_000_000);
if (!(policies > 0) || !(claims >= 0) || !(deedsOf100 >= 0) || !Number.isSafeInteger(seed)) {
  throw new Error('npm run figures -- --policies 5000 --claims 400 --deeds 12 --seed 4711');
}

const startedAt = Date.now();
const report = (line: string) => console.log(`${((Date.now() - startedAt) / 1_000).toFixed(0).padStart(5)} s  ${line}`);
report(`seed ${seed}, ${policies} policies, ${claims} claims`);
const dataDir = mkdtempSync(join(tmpdir(), 'bindery-figures-'));
const surroundings = await startSurroundings(dataDir);
Object.assign(process.env, surroundings.variables);
try {
  const found = await runFigures({ policies, claims, deedsOf100, seed, report });
  report(
    `${found.policies} terms, ${found.renewals} of them renewals, ${found.claims} claims, ${found.compared} answers compared`,
  );
  report(JSON.stringify(found.done));
  report(`${found.findings.length} findings`);
  for (const finding of found.findings) report(finding);
  process.exitCode = found.findings.length === 0 ? 0 : 1;
} finally {
  await surroundings.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
