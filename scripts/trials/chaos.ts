// npm run chaos [-- --minutes 10] [--seed 4711]: runs a whole installation under load while its parts are killed and
// frozen, and then checks the results. Exits with 1 if something is wrong; the seed it prints reproduces the run.
import '../help/show-help.ts';
import { parseArgs } from 'node:util';
import { runChaos } from '../../test/chaos/chaos.ts';

const MINUTE_MS = 60_000;
const LONGEST_FREEZE_MS = 12_000;
const ANSWERS_BETWEEN = 10;

const { values } = parseArgs({ options: { minutes: { type: 'string' }, seed: { type: 'string' } } });
const minutes = Number(values.minutes ?? 10);
const seed = Number(values.seed ?? Date.now() % 1_000_000);
if (!(minutes > 0) || !Number.isSafeInteger(seed)) throw new Error('npm run chaos -- --minutes 10 --seed 4711');

// The parts end with this process.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

const startedAt = Date.now();
const report = (line: string) => console.log(`${((Date.now() - startedAt) / 1_000).toFixed(0).padStart(5)} s  ${line}`);
report(`seed ${seed}, ${minutes} minutes`);
const endsAt = startedAt + minutes * MINUTE_MS;
const result = await runChaos({
  ...{ seed, report, longestFreezeMs: LONGEST_FREEZE_MS, answersBetween: ANSWERS_BETWEEN },
  isOver: () => Date.now() > endsAt,
});
const accidents = Object.entries(result.accidents).map(([what, times]) => `  ${what}: ${times}`);
console.log(
  [
    '',
    `${result.lives} lives, ${result.commands} commands, ${result.sentAgain} of them sent again, the slowest took ${result.slowestMs} ms`,
    ...accidents.sort(),
    result.findings.length === 0 ? 'nothing is lost, nothing is doubled' : `${result.findings.length} findings:`,
    ...result.findings.map((finding) => `  ${finding}`),
  ].join('\n'),
);
process.exit(result.findings.length === 0 ? 0 : 1);
