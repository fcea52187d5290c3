// The device that gives a trial a day of its own.
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import test from 'ava';
import { workflowBundle } from '../support/workflow-bundle.ts';
import { steadyDayFlags } from './platform.ts';
import { shifted } from './shifted-days.ts';

const ROOT = join(import.meta.dirname, '../..');

/** The value of an expression in a process of a trial that begins at a given instant. */
async function inTrial(begins: string, expression: string): Promise<unknown> {
  const flags = steadyDayFlags(Date.parse(begins));
  const code = `import * as days from './domain/business-day.ts'; process.stdout.write(JSON.stringify(${expression}))`;
  const run = await promisify(execFile)(process.execPath, [...flags, '--input-type=module', '-e', code], { cwd: ROOT });
  return JSON.parse(run.stdout);
}

test('a trial that begins before midnight keeps its date for a whole day', async (t) => {
  const instants = ['2026-11-28T23:58:00Z', '2026-11-29T00:00:00Z', '2026-11-29T23:57:59.999Z', '2026-11-29T23:58:00Z'];
  const dates = `${JSON.stringify(instants)}.map((at) => days.businessDateAt(Date.parse(at), 1))`;
  const [found, firstMs] = (await inTrial(
    '2026-11-28T23:58:00Z',
    `[${dates}, days.startOfDayMs('2026-11-29', 1)]`,
  )) as [string[], number];
  t.deepEqual(found, ['2026-11-29', '2026-11-29', '2026-11-29', '2026-11-30']);
  t.is(firstMs, Date.parse('2026-11-28T23:58:00Z'), 'a day begins when the trial does');
});

test('the workflows that the worker bundles can be shifted too, at whatever hour this runs', async (t) => {
  const { codePath } = await workflowBundle();
  const code = await readFile(codePath, 'utf8');
  const inTrialCode = shifted(code, 60_000);
  t.true(inTrialCode.includes('Math.floor((epochMs - 60000) / DAY_MS)'));
  t.true(inTrialCode.includes('60000 + Date.parse(date) -'));
  t.throws(() => shifted(inTrialCode, 60_000), { message: /is not there once/ });
});
