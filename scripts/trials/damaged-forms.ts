// npm run damaged-forms [-- --files 2000] [--seed 4711]: reads randomly damaged forms. Each must be read or refused
// with a reason, within the limits on time and memory; exits with 1 if one is not, and prints its seed.
import '../help/show-help.ts';
import { parseArgs } from 'node:util';
import { DomainError } from '../../domain/errors.ts';
import { createDocumentReader } from '../../providers/reading/reader.ts';
import { fillableForm, flattenedForm, printedForm, RISK } from '../../test/support/forms/acord-forms.ts';
import { mutated } from '../../test/support/forms/mutated.ts';

/** Ten seconds for the file, plus the time to end its thread. */
const MOST_MS = 12_000;
const MOST_MEGABYTES = 1_500;
const MEGABYTE = 1_048_576;

const { values } = parseArgs({ options: { files: { type: 'string' }, seed: { type: 'string' } } });
const files = Number(values.files ?? 2_000);
const seed = Number(values.seed ?? Date.now() % 1_000_000);
if (!(files > 0) || !Number.isSafeInteger(seed)) throw new Error('npm run damaged-forms -- --files 2000 --seed 4711');

const forms = [
  await fillableForm(RISK),
  await fillableForm(RISK, 'older'),
  await flattenedForm(RISK),
  await printedForm(RISK),
];
const reader = createDocumentReader();
const outcomes = new Map<string, number>();
const findings: string[] = [];
let mostMegabytes = 0;

for (let number = seed; number < seed + files; number++) {
  const form = forms[number % forms.length] ?? new Uint8Array();
  const startedMs = performance.now();
  const outcome = await outcomeOf(mutated(form, number));
  const tookMs = performance.now() - startedMs;
  outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
  mostMegabytes = Math.max(mostMegabytes, process.memoryUsage().rss / MEGABYTE);
  if (outcome.startsWith('fault') || tookMs > MOST_MS)
    findings.push(`seed ${number}: ${outcome}, ${tookMs.toFixed(0)} ms`);
}
await reader.close();
if (mostMegabytes > MOST_MEGABYTES) findings.push(`${mostMegabytes.toFixed(0)} MB of memory`);
console.log(`seed ${seed}, ${files} files, at most ${mostMegabytes.toFixed(0)} MB`);
for (const [outcome, count] of outcomes) console.log(`${String(count).padStart(6)}  ${outcome}`);
for (const finding of findings) console.log(finding);
process.exitCode = findings.length === 0 ? 0 : 1;

async function outcomeOf(bytes: Uint8Array): Promise<string> {
  try {
    await reader.readPdf(async () => bytes);
    return 'read';
  } catch (error) {
    if (error instanceof DomainError && typeof error.details.reason === 'string') return error.details.reason;
    return `fault: ${error}`;
  }
}
