// What a person reads when the platform cannot start: one sentence that names the cause and says what to do.
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { startPostgres } from '../../scripts/start/postgres.ts';
import { freePort } from '../support/servers/free-port.ts';
import { bareEnvironment, type Ended, emptyFolder, runScript } from './run-script.ts';

/** Runs `npm start` on its own data folder and on free ports. */
async function start(variables: NodeJS.ProcessEnv, dataDir = emptyFolder()): Promise<Ended> {
  const ours = ['PORT', 'AUTH_PORT', 'WORKER_PORT', 'BACKGROUND_WORKER_PORT', 'CARD_PROCESSOR_PORT'];
  const names = [...ours, 'POSTGRES_PORT', 'TEMPORAL_PORT', 'TEMPORAL_UI_PORT'];
  const ports: [string, string][] = [];
  for (const name of names) ports.push([name, String(await freePort())]);
  return runScript(
    'scripts/start.ts',
    bareEnvironment({ ...Object.fromEntries(ports), DATA_DIR: dataDir, ...variables }),
  );
}

function printsOnly(t: ExecutionContext, ended: Ended, message: RegExp): void {
  t.is(ended.code, 1);
  t.regex(ended.stderr, message);
  t.notRegex(ended.stderr, /\n\s+at /, 'a stack trace is not for the person who starts it');
}

async function takenPort(t: ExecutionContext): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => server.close());
  const address = server.address();
  return typeof address === 'object' && address ? String(address.port) : '';
}

for (const [variable, part] of [
  ['PORT', 'the API'],
  ['AUTH_PORT', 'the authentication service'],
  ['POSTGRES_PORT', 'PostgreSQL'],
  ['TEMPORAL_PORT', 'Temporal'],
  ['TEMPORAL_UI_PORT', "Temporal's web interface"],
  ['CARD_PROCESSOR_PORT', 'the local card processor'],
] as const) {
  test(`a port that is in use is named together with ${variable}, which moves it`, async (t) => {
    const port = await takenPort(t);
    const ended = await start({ [variable]: port });
    printsOnly(t, ended, new RegExp(`Port ${port} for ${part} is in use.*set ${variable} to a free port`));
  });
}

for (const [one, other] of [
  ['PORT', 'AUTH_PORT'],
  ['PORT', 'POSTGRES_PORT'],
  ['TEMPORAL_PORT', 'TEMPORAL_UI_PORT'],
] as const) {
  test(`${one} and ${other} with the same port are both named`, async (t) => {
    const port = String(await freePort());
    const ended = await start({ [one]: port, [other]: port });
    printsOnly(t, ended, new RegExp(`${one} and ${other} are both ${port}: set one of them to another free port`));
    t.is(ended.stdout, '');
  });
}

test('a port of a part that runs elsewhere is no obstacle', async (t) => {
  const port = await takenPort(t);
  const elsewhere = { DATABASE_URL: 'postgres://db.example.com/bindery', POSTGRES_PORT: port };
  printsOnly(t, await start({ PORT: port, ...elsewhere }), new RegExp(`Port ${port} for the API is in use`));
});

for (const [title, below] of [
  ['a file', join(emptyFolder(), 'file')],
  ['/proc', '/proc'],
] as const) {
  test(`a data folder that cannot be made below ${title} is named together with DATA_DIR`, async (t) => {
    if (title === 'a file') writeFileSync(below, '');
    const ended = await start({}, join(below, 'x', 'y'));
    printsOnly(
      t,
      ended,
      new RegExp(`DATA_DIR is ${below}/x/y, which cannot be made .*set DATA_DIR to a folder of yours`),
    );
  });
}

test('a folder for backups is an absolute path, and one that cannot be made is named', async (t) => {
  printsOnly(t, await start({ BACKUP_DIR: 'backups' }), /BACKUP_DIR must be an absolute path/);
  const file = join(emptyFolder(), 'file');
  writeFileSync(file, '');
  printsOnly(t, await start({ BACKUP_DIR: `${file}/x` }), /BACKUP_DIR is .*file\/x, which cannot be made/);
});

test('a TEMPORAL_CLI_PATH that does not run is named', async (t) => {
  printsOnly(t, await start({ TEMPORAL_CLI_PATH: '/nowhere/temporal' }), /TEMPORAL_CLI_PATH names \/nowhere\/temporal/);
});

test('all five ways to get a Temporal program are named where there is none', async (t) => {
  const programs = emptyFolder();
  symlinkSync('/usr/bin/id', join(programs, 'id'));
  const unreachable = { NODE_USE_ENV_PROXY: '1', HTTPS_PROXY: 'http://127.0.0.1:1' };
  const ended = await start({ PATH: programs, XDG_CACHE_HOME: emptyFolder(), ...unreachable });
  printsOnly(t, ended, /The Temporal program was not found/);
  for (const way of [
    /1\. .*TEMPORAL_CLI_PATH/,
    /2\. .*on PATH/,
    /3\. .*bindery/,
    /4\. .*temporal\.download/,
    /5\. .*Go/,
  ]) {
    t.regex(ended.stderr, way);
  }
  t.regex(ended.stderr, /TEMPORAL_ADDRESS/);
});

test('a data folder whose cluster was written by another version of PostgreSQL is named', async (t) => {
  const dataDir = emptyFolder();
  mkdirSync(join(dataDir, 'postgres'));
  writeFileSync(join(dataDir, 'postgres', 'PG_VERSION'), '15\n');
  printsOnly(t, await start({}, dataDir), /postgres was written by PostgreSQL 15 and this is 18/);
});

test('a data folder that holds something else than a cluster is named', async (t) => {
  const dataDir = emptyFolder();
  mkdirSync(join(dataDir, 'postgres'));
  writeFileSync(join(dataDir, 'postgres', 'holiday.jpg'), '');
  printsOnly(t, await start({}, dataDir), /postgres has files but no PostgreSQL data: move that folder away/);
});

test('a cluster whose control file is damaged is named with the reason that PostgreSQL gives', async (t) => {
  const dataDir = emptyFolder();
  const folder = join(dataDir, 'postgres');
  const cluster = await startPostgres({ folder, port: await freePort(), superuser: 'bindery', password: 'x' });
  await cluster.child.stop(10_000);
  writeFileSync(join(folder, 'global', 'pg_control'), 'damaged');
  printsOnly(
    t,
    await start({}, dataDir),
    /PostgreSQL did not start on .*postgres \(.+\): if the data there is damaged/,
  );
});

test('secrets that cannot be read are named, and are not overwritten', async (t) => {
  const dataDir = emptyFolder();
  const file = join(dataDir, 'secrets.json');
  writeFileSync(file, '{ "JWT_SECRET": ');
  printsOnly(t, await start({}, dataDir), /secrets\.json is not readable as JSON/);
  t.is(readFileSync(file, 'utf8'), '{ "JWT_SECRET": ');
});

test('a second start on the same data folder is refused with the process that has it', async (t) => {
  const dataDir = emptyFolder();
  mkdirSync(join(dataDir, 'run'));
  const program = join(emptyFolder(), 'scripts');
  mkdirSync(program);
  writeFileSync(join(program, 'start.ts'), 'setInterval(() => {}, 1000);');
  const first = spawn(process.execPath, [join(program, 'start.ts')]);
  t.teardown(() => first.kill());
  writeFileSync(join(dataDir, 'run', 'supervisor.pid'), `${first.pid}\n`);
  printsOnly(t, await start({}, dataDir), new RegExp(`already runs on this data folder as process ${first.pid}`));
});

test('a malformed variable is named before anything starts', async (t) => {
  const ended = await start({ POSTGRES_PORT: 'five' });
  printsOnly(t, ended, /POSTGRES_PORT must be a port number/);
  t.is(ended.stdout, '');
});
