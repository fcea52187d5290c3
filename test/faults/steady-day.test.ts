import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import test from 'ava';
import { steadyDayFlags } from './platform.ts';

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
