// npm run check: types, format and lint, the committed API document, and the rules of test/tidy.test.ts.
// `--fix` (npm run format) only rewrites what the formatter and the linter can fix.
import './help/show-help.ts';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');
const program = (name: string) => join(ROOT, 'node_modules/.bin', name);

const CHECKS: readonly (readonly [string, string, ...string[]])[] = [
  ['types', program('tsc'), '--noEmit'],
  ['format and lint', program('biome'), 'check'],
  ['API document', process.execPath, 'scripts/openapi.ts', '--check'],
  ['API document for others', process.execPath, 'scripts/lint-openapi.ts'],
  ['tidiness and configuration', process.execPath, 'scripts/test.ts', 'test/tidy.test.ts', 'test/config.test.ts'],
];
const FIXES: typeof CHECKS = [['format and lint', program('biome'), 'check', '--write']];

const failed = (process.argv.includes('--fix') ? FIXES : CHECKS).filter(([name, command, ...args]) => {
  console.log(`— ${name}`);
  return spawnSync(command, args, { cwd: ROOT, stdio: 'inherit' }).status !== 0;
});

if (failed.length > 0) {
  console.error(`Not in order: ${failed.map(([name]) => name).join(', ')}.`);
  process.exitCode = 1;
}
