// What `--help` prints, for any script.
import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import test from 'ava';
import { bareEnvironment, emptyFolder, ROOT, runScript } from './run-script.ts';

const { scripts: commands } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>;
};
const files = [...new Set(Object.values(commands).map((command) => command.split(' ').at(3) ?? ''))];

test('every script that npm runs says at its head how it is called, and shows that before it does anything', (t) => {
  t.true(files.length > 25);
  for (const file of files) {
    const path = relative(dirname(file), 'scripts/help/show-help.ts');
    const first = `import '${path.startsWith('.') ? path : `./${path}`}';\n`;
    const [head = ''] = /^(\/\/.*\n)+/.exec(readFileSync(join(ROOT, file), 'utf8')) ?? [];
    t.regex(head, /^\/\/ npm (run|start|test)\b/, file);
    t.true(readFileSync(join(ROOT, file), 'utf8').startsWith(`${head}${first}`), file);
  }
});

for (const [script, first] of [
  ['demo', /^npm run demo: a tour through the running platform/],
  ['ops', /^npm run ops -- list \| retry <workflowId>/],
] as const) {
  test(`npm run ${script} -- --help shows the usage and does nothing`, async (t) => {
    // Neither is read: the configuration is invalid, and the data folder is empty.
    const env = bareEnvironment({ DATA_DIR: emptyFolder(), PORT: 'five' });
    const { code, stdout, stderr } = await runScript(`scripts/${script}.ts`, env, ['--help']);
    t.deepEqual([code, stderr], [0, '']);
    t.regex(stdout, first);
    t.notRegex(stdout, /^\/\/|^import/m);
  });
}
