// The image of the Dockerfile: what it consists of, and that its commands run in a container.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { filesOf } from '../scripts/files-of.ts';
import { ROOT } from '../scripts/run-script.ts';
import { ours } from './compose-file.ts';

test('the image has every file that its processes consist of, and its build is given them', (t) => {
  const lines = (name: string) => readFileSync(join(ROOT, name), 'utf8').split('\n');
  const copied = lines('Dockerfile').flatMap((line) => /^COPY (?!--)(.+) \S+$/.exec(line)?.[1]?.split(' ') ?? []);
  const given = lines('.dockerignore').flatMap((line) => /^!(.+)$/.exec(line)?.[1] ?? []);
  t.deepEqual(
    copied.filter((path) => !given.includes(path)),
    [],
  );
  const files = ours.flatMap(([, { command = [] }]) => [...filesOf(command[0] ?? '')]);
  files.push(...filesOf('scripts/healthcheck.ts'));
  t.true(files.includes('config/worker.ts'));
  t.deepEqual(
    files.filter((file) => !copied.some((path) => file === path || file.startsWith(`${path}/`))),
    [],
  );
});

test('no process of the image, and no command for operators, imports a development dependency', (t) => {
  const { devDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const commands = ['admin', 'ops', 'audit-verify', 'migrate', 'healthcheck'].map((name) => `scripts/${name}.ts`);
  const entries = [...ours.flatMap(([, { command = [] }]) => command[0] ?? []), ...commands];
  const files = new Set(entries.flatMap((entry) => [...filesOf(entry)]).filter((file) => file.endsWith('.ts')));
  t.true(files.size > 100);
  const imported = [...files].flatMap((file) =>
    [...readFileSync(join(ROOT, file), 'utf8').matchAll(/^(?:import(?! type)\b[^;]*?|\} from )'([^.'][^']*)';$/gm)].map(
      ([, name = '']) => ({ file, name: name.split('/', name.startsWith('@') ? 2 : 1).join('/') }),
    ),
  );
  t.true(imported.some(({ name }) => name === 'zod'));
  t.deepEqual(
    imported.filter(({ name }) => Object.hasOwn(devDependencies, name)),
    [],
  );
});
