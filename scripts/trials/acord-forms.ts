// npm run acord-forms [-- --risks 10] [--seed 4711]: turns each risk into six kinds of ACORD 125: filled in in two
// editions, flattened, printed by a program, printed by Chromium, and noisy. Each must be read back field by field as
// generated; exits with 1 if one is not.
import '../help/show-help.ts';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual, parseArgs } from 'node:util';
import { pino } from 'pino';
import { readAcord125 } from '../../domain/submission/acord125.ts';
import { createPdfEngine } from '../../providers/pdf/pdf-engine.ts';
import { createDocumentReader } from '../../providers/reading/reader.ts';
import { drawnRisk } from '../../test/support/forms/drawn-risks.ts';
import { formSorts } from '../../test/support/forms/form-sorts.ts';

const TODAY = '2026-11-22';

const { values } = parseArgs({ options: { risks: { type: 'string' }, seed: { type: 'string' } } });
const risks = Number(values.risks ?? 10);
const seed = Number(values.seed ?? Date.now() % 1_000_000);
if (!(risks > 0) || !Number.isSafeInteger(seed)) throw new Error('npm run acord-forms -- --risks 10 --seed 4711');

const reader = createDocumentReader();
const cacheDir = join(homedir(), '.cache', 'bindery');
const press = createPdfEngine({ path: null, cacheDir }, pino({ level: 'silent' }));

const SORTS = formSorts(press);
const findings: string[] = [];
let [fieldsRead, fieldsRight] = [0, 0];
console.log(`seed ${seed}, ${risks * Object.keys(SORTS).length} files`);
for (const [sort, make] of Object.entries(SORTS)) {
  let exact = 0;
  const tookMs: number[] = [];
  for (let number = seed; number < seed + risks; number++) {
    const { form, expected, chance } = drawnRisk(number);
    const bytes = await make(form, chance);
    const startedMs = performance.now();
    const { facts, intake } = readAcord125(await reader.readPdf(async () => bytes), TODAY);
    const found: Record<string, unknown> = { ...facts, additionalLines: intake.additionalLines };
    tookMs.push(performance.now() - startedMs);
    const names = [...new Set([...Object.keys(expected), ...Object.keys(found)])];
    const wrong = names.filter((name) => !isDeepStrictEqual(found[name], expected[name]));
    fieldsRead += names.length;
    fieldsRight += names.length - wrong.length;
    if (wrong.length === 0) exact++;
    for (const name of wrong) {
      const [read, drawn] = [found[name], expected[name]].map((value) => JSON.stringify(value));
      findings.push(`risk ${number}, ${sort}: ${name} is ${read} and not ${drawn}`);
    }
  }
  const middle = tookMs.toSorted((a, b) => a - b)[Math.floor(tookMs.length / 2)] ?? 0;
  console.log(`${String(exact).padStart(6)} of ${risks} exact, ${middle.toFixed(0).padStart(4)} ms  ${sort}`);
}
await Promise.all([reader.close(), press.close()]);
console.log(`${fieldsRight} of ${fieldsRead} fields right`);
for (const finding of findings) console.log(finding);
process.exitCode = findings.length === 0 ? 0 : 1;
