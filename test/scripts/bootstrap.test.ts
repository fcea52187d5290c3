// The bootstrap installs only when the lock file has changed, and continues with the package's Node.
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { bareEnvironment, collect, type Ended, emptyFolder, ROOT } from './run-script.ts';

/** A package whose only dependency is a sibling package `node`, so that a real install needs no network. */
function smallPackage(): string {
  const folder = emptyFolder();
  mkdirSync(join(folder, 'scripts'));
  mkdirSync(join(folder, 'node-package', 'bin'), { recursive: true });
  cpSync(join(ROOT, 'scripts/bootstrap.mjs'), join(folder, 'scripts/bootstrap.mjs'));
  symlinkSync(process.execPath, join(folder, 'node-package', 'bin', 'node'));
  const version = process.versions.node;
  writeFileSync(
    join(folder, 'node-package', 'package.json'),
    JSON.stringify({ name: 'node', version, bin: { node: 'bin/node' } }),
  );
  const devDependencies = { node: 'file:./node-package' };
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ name: 'small', version: '1.0.0', type: 'module', devDependencies }),
  );
  npm(folder, 'install', '--package-lock-only');
  return folder;
}

function npm(folder: string, ...args: string[]): void {
  const { status, stderr } = spawnSync('npm', args, { cwd: folder, encoding: 'utf8', env: bareEnvironment({}) });
  if (status !== 0) throw new Error(stderr);
}

function bootstrap(folder: string, script: string, args: string[] = []): Promise<Ended> {
  writeFileSync(join(folder, 'scripts', 'script.ts'), script);
  const env = bareEnvironment({ PATH: process.env.PATH ?? '' });
  return collect(spawn(olderNode(), ['scripts/bootstrap.mjs', 'scripts/script.ts', ...args], { cwd: folder, env }));
}

/** A Node other than the package's, if the machine has one: newcomers start with that. */
function olderNode(): string {
  const found = spawnSync('/bin/sh', ['-c', 'PATH=/usr/local/bin:/usr/bin:/bin command -v node'], { encoding: 'utf8' });
  return found.stdout.trim() || process.execPath;
}

const HELLO = "const word: string = 'hello'; console.log(word, process.version, ...process.argv.slice(2));";
const INSTALLING = /Installing the dependencies/;

test('the first run installs, the next does not, and a changed lock file installs again', async (t) => {
  const folder = smallPackage();
  const first = await bootstrap(folder, HELLO, ['a', 'b']);
  t.is(first.stdout, `hello ${process.version} a b\n`, first.stderr);
  t.regex(first.stderr, INSTALLING);
  const second = await bootstrap(folder, HELLO);
  t.is(second.stdout, `hello ${process.version}\n`);
  t.is(second.stderr, '');
  const lock = join(folder, 'package-lock.json');
  writeFileSync(lock, `${readFileSync(lock, 'utf8')}\n`);
  t.regex((await bootstrap(folder, HELLO)).stderr, INSTALLING);
});

test('it installs again when the Node of the package is gone', async (t) => {
  const folder = smallPackage();
  await bootstrap(folder, HELLO);
  rmSync(join(folder, 'node_modules'), { recursive: true });
  const ended = await bootstrap(folder, HELLO);
  t.regex(ended.stderr, INSTALLING);
  t.is(ended.code, 0, ended.stderr);
});

test('the exit code of the script is the exit code of the bootstrap', async (t) => {
  const folder = smallPackage();
  t.is((await bootstrap(folder, 'process.exit(7);')).code, 7);
});

test('SIGTERM is passed on to the script, which ends by itself', async (t) => {
  const folder = smallPackage();
  await bootstrap(folder, HELLO);
  const waiting =
    "process.on('SIGTERM', () => { console.log('stopping'); process.exit(5); }); setInterval(() => {}, 1000); console.log('up');";
  writeFileSync(join(folder, 'scripts', 'script.ts'), waiting);
  const child = spawn(olderNode(), ['scripts/bootstrap.mjs', 'scripts/script.ts'], {
    cwd: folder,
    env: bareEnvironment({}),
  });
  child.stdout.once('data', () => child.kill('SIGTERM'));
  const ended = await collect(child);
  t.is(ended.stdout, 'up\nstopping\n', ended.stderr);
  t.is(ended.code, 5);
});

test('a failed install is reported in one sentence', async (t) => {
  const folder = smallPackage();
  rmSync(join(folder, 'node-package'), { recursive: true });
  const ended = await bootstrap(folder, HELLO);
  t.is(ended.code, 1);
  t.regex(ended.stderr, /could not be installed|has no program/);
  t.is(ended.stdout, '');
});
