// npm run check: types, format and lint, the committed API document, its examples, and the rules of test/tidy.test.ts.
// `--fix` (npm run format) only rewrites what the formatter and the linter can fix. `--without-tests` leaves the rules
// to the run of all tests.
import './help/show-help.ts';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');
const program = (name: string) => join(ROOT, 'node_modules/.bin', name);

type Check = readonly [string, string, ...string[]];

const CHECKS: readonly Check[] = [
  ['types', program('tsc'), '--noEmit'],
  ['format and lint', program('biome'), 'check'],
  ['API document', process.execPath, 'scripts/openapi.ts', '--check'],
  ['API document for others', process.execPath, 'scripts/lint-openapi.ts'],
];
const TESTS: Check = [
  'tidiness, configuration and examples',
  process.execPath,
  'scripts/test.ts',
  'test/tidy.test.ts',
  'test/config.test.ts',
  'test/scripts/examples.test.ts',
];
const FIXES: readonly Check[] = [['format and lint', program('biome'), 'check', '--write']];

const failed = chosen(process.argv).filter(([name, command, ...args]) => {
  console.log(`— ${name}`);
  return spawnSync(command, args, { cwd: ROOT, stdio: 'inherit' }).status !== 0;
});

if (failed.length > 0) {
  console.error(`Not in order: ${failed.map(([name]) => name).join(', ')}.`);
  process.exitCode = 1;
}

function chosen(args: readonly string[]): readonly Check[] {
  if (args.includes('--fix')) return FIXES;
  return args.includes('--without-tests') ? CHECKS : [...CHECKS, TESTS];
}
