// What a second terminal knows about the platform: its ports, whether it answers, and how long to wait for it.
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import test from 'ava';
import { freePort } from '../support/servers/free-port.ts';
import { bareEnvironment, collect, emptyFolder, ROOT, runScript } from './run-script.ts';

/** A data folder as a start leaves it; `supervisor` is the process that claims to run on it. */
function dataFolder(ports: Record<string, number>, supervisor: number): string {
  const dataDir = emptyFolder();
  mkdirSync(join(dataDir, 'run'));
  writeFileSync(join(dataDir, 'secrets.json'), '{"demoApiKey":"svck_test_x","API_SECRET":"secret"}');
  writeFileSync(join(dataDir, 'run', 'ports.json'), JSON.stringify(ports));
  writeFileSync(join(dataDir, 'run', 'supervisor.pid'), `${supervisor}\n`);
  return dataDir;
}

/** A process with the command line of `npm start`. */
function supervisorProcess(t: { teardown(end: () => void): void }): number {
  const folder = join(emptyFolder(), 'scripts');
  mkdirSync(folder);
  writeFileSync(join(folder, 'start.ts'), 'setInterval(() => {}, 1000);');
  const child = spawn(process.execPath, [join(folder, 'start.ts')]);
  t.teardown(() => child.kill());
  return child.pid ?? 0;
}

test('the shell finds the ports of the platform that runs on the data folder; a variable of its own terminal wins', async (t) => {
  const server = createServer((_request, response) => response.end('ok'));
  const port = await freePort();
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  t.teardown(() => server.close());
  const dataDir = dataFolder({ PORT: port, AUTH_PORT: 23_902, CARD_PROCESSOR_PORT: 23_903 }, supervisorProcess(t));
  const found = await runScript('scripts/shell.ts', bareEnvironment({ DATA_DIR: dataDir }));
  t.is(found.code, 0, found.stderr);
  t.is(found.stderr, '');
  for (const line of [
    `export ROOT='http://localhost:${port}'`,
    `export API='http://localhost:${port}/v1'`,
    "export AUTH='http://localhost:23902'",
    "export CARDS='http://localhost:23903'",
  ]) {
    t.true(found.stdout.split('\n').includes(line), `${line} in ${found.stdout}`);
  }
  const own = await runScript('scripts/shell.ts', bareEnvironment({ DATA_DIR: dataDir, AUTH_PORT: '23904' }));
  t.true(own.stdout.includes("export AUTH='http://localhost:23904'"), own.stdout);
});

test('the ports of a platform that has ended do not count, and the shell says that nothing responds', async (t) => {
  const dataDir = dataFolder({ PORT: 23_901 }, 2 ** 22 + 1);
  const port = await freePort();
  const { code, stdout, stderr } = await runScript(
    'scripts/shell.ts',
    bareEnvironment({ DATA_DIR: dataDir, PORT: String(port) }),
  );
  t.is(code, 1);
  t.regex(stderr, new RegExp(`^NOTHING ANSWERS at http://localhost:${port}: run "npm start" first`));
  t.true(stdout.includes(`export ROOT='http://localhost:${port}'`));
});

test('the README waits for a step that never comes about a minute, and says that it has given up', async (t) => {
  const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
  const waiting = /^wait_until\(\) \{[\s\S]*?^\}$/m.exec(readme)?.[0] ?? '';
  t.notRegex(readme, /^\s*(until|while) |; (until|while) /m, 'no block waits by a loop of its own');
  const script = `slept=0\nsleep() { slept=$((slept + 1)); [ "$1" = 0.2 ]; }\n${waiting}
is_never() { return 1; }\nwait_until is_never it || echo "left with $? after $slept"`;
  const { code, stdout, stderr } = await collect(spawn('bash', ['--norc', '-euo', 'pipefail', '-c', script]));
  t.is(code, 0, stderr);
  t.is(stdout, 'left with 1 after 250\n', '250 times 0.2 s, and the time of the calls');
  t.regex(stderr, /^Gave up after a minute: is_never it\./);
});
