// npm run breaks [-- --only <words>] [--list]: makes each deliberate break of the money rules in a copy of the
// repository, and shows that the tests named for it catch it. Exits with 1 if a break survives, or if the tests fail
// without one.
import './help/show-help.ts';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { type Break, MONEY_BREAKS } from './breaks/money-rules.ts';

const ROOT = join(import.meta.dirname, '..');
/** Not needed, so not copied. */
const LEFT_OUT = /^(\.git|\.data|node_modules)(\/|$)/;
/** A test that hangs because of a break has caught it. */
const LIMIT_MS = 300_000;

const { values } = parseArgs({ options: { only: { type: 'string' }, list: { type: 'boolean', default: false } } });
const breaks = MONEY_BREAKS.filter(({ what, tests }) => `${what} ${tests}`.includes(values.only ?? ''));
if (values.list) for (const { what, file } of breaks) console.log(`${file}: ${what}`);
else process.exitCode = run() ? 0 : 1;

function run(): boolean {
  const copy = mkdtempSync(join(tmpdir(), 'bindery-breaks-'));
  try {
    cpSync(ROOT, copy, { recursive: true, filter: (path) => !LEFT_OUT.test(relative(ROOT, path)) });
    symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
    const files = [...new Set(breaks.flatMap(({ tests }) => tests))];
    if (isFound(copy, files)) {
      console.log('The tests fail without a break.');
      return false;
    }
    const surviving = breaks.filter((each) => !isFoundWith(copy, each));
    console.log(`${breaks.length - surviving.length} of ${breaks.length} breaks found`);
    return surviving.length === 0;
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

function isFoundWith(copy: string, { what, file, from, to, tests }: Break): boolean {
  const path = join(copy, file);
  const text = readFileSync(path, 'utf8');
  if (text.split(from).length !== 2) throw new Error(`${file} does not have this text once: ${from}`);
  writeFileSync(
    path,
    text.replace(from, () => to),
  );
  try {
    const found = isFound(copy, tests);
    console.log(`${found ? 'found   ' : 'SURVIVES'}  ${what}`);
    return found;
  } finally {
    writeFileSync(path, text);
  }
}

function isFound(copy: string, tests: readonly string[]): boolean {
  const command = [join(copy, 'scripts/bootstrap.mjs'), 'scripts/test.ts', ...tests];
  const { status } = spawnSync(process.execPath, command, { cwd: copy, timeout: LIMIT_MS, stdio: 'ignore' });
  return status !== 0;
}
