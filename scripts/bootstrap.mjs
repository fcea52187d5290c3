// Runs a script of this package on a machine that has only Node 20 or newer: installs the dependencies if the lock
// file requires it, then continues with the Node that the package provides. Only this file must run on an older Node.
// node scripts/bootstrap.mjs <script> [arguments]
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const OLDEST_NODE = 20;
const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const MODULES = join(ROOT, 'node_modules');
const STAMP = join(MODULES, '.bindery-stamp');
const NODE_PACKAGE = join(MODULES, 'node');
const NODE = join(NODE_PACKAGE, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
const INSTALL = ['install', '--no-save', '--no-audit', '--no-fund', '--loglevel=error', '--include=dev'];

const [script, ...args] = process.argv.slice(2);

if (!script) fail('Usage: node scripts/bootstrap.mjs <script> [arguments]');
if (Number(process.versions.node.split('.')[0]) < OLDEST_NODE) {
  fail(
    `Bindery needs Node ${OLDEST_NODE} or newer, and this is ${process.version}: install a newer Node and run this again.`,
  );
}
if (!isInstalled()) install();
// Every process of a run loads the same thousand modules: Node caches them compiled, with their types stripped.
process.env.NODE_COMPILE_CACHE ??= join(MODULES, '.compile-cache');
await (isPackageNode() ? runHere() : runWithPackageNode());

/** The stamp is written after a complete install, for one lock file on one platform. */
function isInstalled() {
  return existsSync(NODE) && existsSync(STAMP) && readFileSync(STAMP, 'utf8') === stamp();
}

function stamp() {
  const lock = readFileSync(join(ROOT, 'package-lock.json'));
  return `${createHash('sha256').update(lock).digest('hex')} ${process.platform} ${process.arch}\n`;
}

function install() {
  process.stderr.write('Installing the dependencies (about a minute, when the lock file has changed)\n');
  if (runNpm(INSTALL) !== 0) {
    fail(
      'The dependencies could not be installed: see the message of npm above, check that its registry can be reached, and run this again.',
    );
  }
  if (!existsSync(NODE)) repairNode();
  writeFileSync(STAMP, stamp());
}

/** If install scripts are blocked, the package `node` has no program yet: this runs its install script. */
function repairNode() {
  process.stderr.write('Fetching Node: the install script of the package "node" has not run\n');
  const result = spawnSync(process.execPath, ['installArchSpecificPackage.js'], {
    cwd: NODE_PACKAGE,
    stdio: ['ignore', 2, 2],
    env: { ...process.env, npm_config_ignore_scripts: 'false' },
  });
  if (result.status === 0 && existsSync(NODE)) return;
  fail(
    'The package "node" has no program: allow its install script ("npm rebuild node --ignore-scripts=false") and run this again.',
  );
}

/** npm passes its own path to the scripts it runs; otherwise it is looked up on PATH. Its output goes to stderr. */
function runNpm(npmArgs) {
  const npm = process.env.npm_execpath;
  const [command, first] = npm?.endsWith('.js') ? [process.execPath, [npm]] : ['npm', []];
  return spawnSync(command, [...first, ...npmArgs], { cwd: ROOT, stdio: ['ignore', 2, 2] }).status;
}

function isPackageNode() {
  const { version } = JSON.parse(readFileSync(join(NODE_PACKAGE, 'package.json'), 'utf8'));
  return process.version === `v${version}`;
}

async function runHere() {
  const path = resolve(ROOT, script);
  process.argv = [process.execPath, path, ...args];
  await import(pathToFileURL(path).href);
}

/** A terminal sends Ctrl-C to both processes; every other signal is forwarded. */
async function runWithPackageNode() {
  const child = spawn(NODE, [resolve(ROOT, script), ...args], { stdio: 'inherit' });
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  process.on('SIGINT', () => process.stdin.isTTY || child.kill('SIGINT'));
  const [code, signal] = await new Promise((done) => {
    child.once('error', (error) =>
      fail(`The Node of this package does not run (${error.message}): delete node_modules and run this again.`),
    );
    child.once('close', (...end) => done(end));
  });
  process.exitCode = code ?? 128 + constants.signals[signal];
}

function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}
