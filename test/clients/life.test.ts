// The clients against a running platform: the example program of each goes through a policy's life.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import test from 'ava';
import { newHouse } from '../support/house.ts';
import { PATIENCE_MS } from '../support/patience.ts';
import { startPlatform } from '../support/platform.ts';
import type { Platform } from '../support/run-platform.ts';
import { python, pythonFault } from './python.ts';

const run = promisify(execFile);
const CLIENTS = join(import.meta.dirname, '../../clients');

/** The worked example of Contract 3.1, paid in four installments; the reserves are 5,000 and 500. */
const LIFE = { quoted: 4_389.64, paid: 4_389.64, reserved: 5_500, refusal: 'balance 0' };

let platform: Platform;

test.before('a platform', async (t) => {
  platform = await startPlatform(t);
});

async function lifeOf(program: string, first: string[], env: Record<string, string> = {}) {
  const { orgId } = await newHouse(platform);
  const args = [...first, platform.url, platform.config.apiSecret, orgId];
  const options = { timeout: 2 * PATIENCE_MS, env: { ...process.env, ...env } };
  const { previewed, endorsed, ...life } = JSON.parse((await run(program, args, options)).stdout);
  return { previewed, endorsed, life };
}

test('a policy lives from its submission to a claim by the TypeScript client', async (t) => {
  const { life, previewed, endorsed } = await lifeOf(process.execPath, [join(CLIENTS, 'typescript/example/life.ts')]);
  t.deepEqual(life, LIFE);
  t.true(endorsed > 0);
  t.is(previewed, endorsed);
});

const ifPython = pythonFault === null ? test : test.skip;
ifPython(`a policy lives from its submission to a claim by the Python client${pythonFault ?? ''}`, async (t) => {
  const env = { PYTHONPATH: join(CLIENTS, 'python'), PYTHONDONTWRITEBYTECODE: '1' };
  const { life, previewed, endorsed } = await lifeOf(python, [join(CLIENTS, 'python/example/life.py')], env);
  t.deepEqual(life, LIFE);
  t.true(endorsed > 0);
  t.is(previewed, endorsed);
});
