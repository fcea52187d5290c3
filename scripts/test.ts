// npm test: starts the servers, runs ava on all files or on those named, and ends with the count. Its last line is
// `N passed, N failed`, plus `, N skipped` if tests were skipped; those are listed above it.
import './help/show-help.ts';
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RESULT_FILE_VARIABLE, type RunResult } from '../test/support/observe-run.ts';

const AVA = join(import.meta.dirname, '../node_modules/ava/entrypoints/cli.js');
/** Tests of these folders need no server. */
const PURE = /^(\.\/)?test\/((domain|scripts)\/|[^/]+\.test\.ts$)/;

/** A file that takes longer is reported. */
const WORTH_REPORTING_S = 30;

const args = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'bindery-run-'));
const resultFile = join(folder, 'result.json');

try {
  process.exitCode = await runTests();
} catch (error) {
  console.error(error instanceof Error && error.name === 'StartError' ? error.message : error);
  console.log('0 passed, 1 failed');
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function runTests(): Promise<number> {
  const files = args.filter((arg) => arg.endsWith('.ts'));
  const surroundings = files.length > 0 && files.every((file) => PURE.test(file)) ? null : await start();
  try {
    const variables = { ...surroundings?.variables, [RESULT_FILE_VARIABLE]: resultFile };
    return report(await runAva(variables, surroundings?.lost));
  } finally {
    await surroundings?.stop();
  }
}

/** Loaded only when needed, so that tests of pure code start immediately. */
async function start() {
  const { startSurroundings } = await import('../test/support/servers/surroundings.ts');
  return startSurroundings(folder);
}

/** Runs the tests, and ends them if a server dies: otherwise each would wait for its timeout. */
async function runAva(variables: Record<string, string>, lost?: Promise<string>): Promise<number> {
  const ava = spawn(process.execPath, [AVA, ...args], { stdio: 'inherit', env: { ...process.env, ...variables } });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => ava.kill(signal));
  void lost?.then((reason) => {
    console.error(reason);
    ava.kill('SIGTERM');
  });
  return new Promise((resolve, reject) => ava.once('error', reject).once('close', (code) => resolve(code ?? 1)));
}

function report(exitCode: number): number {
  const result = readResult();
  const failed = exitCode === 0 ? result.failed : Math.max(result.failed, 1);
  for (const { file, seconds } of result.slowest) if (seconds > WORTH_REPORTING_S) console.log(`${seconds} s: ${file}`);
  for (const file of result.unfinished) console.log(`not ended: ${file}`);
  for (const title of result.skipped) console.log(`skipped: ${title}`);
  const skipped = result.skipped.length > 0 ? `, ${result.skipped.length} skipped` : '';
  console.log(`${result.passed} passed, ${failed} failed${skipped}`);
  return failed === 0 ? 0 : 1;
}

function readResult(): RunResult {
  try {
    return JSON.parse(readFileSync(resultFile, 'utf8')) as RunResult;
  } catch {
    return { passed: 0, failed: 1, skipped: [], unfinished: [], slowest: [] };
  }
}
