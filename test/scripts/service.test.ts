// How the supervisor treats its processes: restarts, readiness, the stop order, and that none survives when it is
// killed.
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { launch } from '../../scripts/start/child.ts';
import { restartPauseMs } from '../../scripts/start/keep-alive.ts';
import { runningProcess, stopOrphan } from '../../scripts/start/orphans.ts';
import { keepRunning, type ServiceOptions } from '../../scripts/start/service.ts';
import { stopServices } from '../../scripts/start/services.ts';
import { eventually } from '../support/eventually.ts';
import { emptyFolder, ROOT } from './run-script.ts';

const until = (isTrue: () => boolean) => eventually(isTrue, { what: 'the condition' });

function serviceOptions(name: string, program: string, reports: string[] = []): ServiceOptions & { folder: string } {
  const folder = emptyFolder();
  const entry = join(folder, `${name}.ts`);
  writeFileSync(entry, program);
  return {
    ...{ folder, name, entry, env: process.env, pidFile: join(folder, `${name}.pid`) },
    isReady: async () => existsSync(join(folder, 'ready')),
    onLine: () => {},
    report: (text) => reports.push(text),
  };
}

/** Null for a program that has ended. */
function nicenessOf(pid: number): number | null {
  try {
    return getPriority(pid);
  } catch {
    return null;
  }
}

/** A program that signals readiness through a file next to it and then runs until it is stopped. */
const LONG_LIVED = `
import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
process.on('SIGTERM', () => setTimeout(() => {
  if (process.env.STOPPED) appendFileSync(process.env.STOPPED, process.argv[1].match(/(\\w+)\\.ts$/)[1] + '\\n');
  process.exit();
}, Number(process.env.TAKES_MS ?? 0)));
setInterval(() => {}, 1000);
writeFileSync(join(import.meta.dirname, 'ready'), '');
`;

test('the pause before a restart doubles from half a second and stays at thirty', (t) => {
  t.deepEqual([0, 1, 2, 5, 6, 20].map(restartPauseMs), [500, 1_000, 2_000, 16_000, 30_000, 30_000]);
});

test('a service that crashes is reported and restarted', async (t) => {
  const reports: string[] = [];
  const options = serviceOptions('worker', LONG_LIVED, reports);
  const service = await keepRunning(options);
  await service.ready;
  const first = runningProcess(options.pidFile, options.entry);
  process.kill(first ?? 0, 'SIGKILL');
  await until(() => ![null, first].includes(runningProcess(options.pidFile, options.entry)));
  t.deepEqual(reports, ['ended by SIGKILL, starts again in 0.5 s']);
  await service.stop(5_000);
  t.is(runningProcess(options.pidFile, options.entry), null);
});

test('a patient service gives way to others once it is ready, with what it has started, and again after a crash', async (t) => {
  const below = "import { spawn } from 'node:child_process';\nspawn('sleep', ['20']);\n";
  const options = { ...serviceOptions('worker', `${below}${LONG_LIVED}`), isPatient: true };
  const service = await keepRunning(options);
  t.teardown(() => service.stop(5_000));
  const pid = () => runningProcess(options.pidFile, options.entry) ?? 0;
  const isPatient = (one: number) => one > 0 && nicenessOf(one) === 5;
  await until(() => isPatient(pid()));
  const first = pid();
  const [child] = execFileSync('pgrep', ['-P', String(first)], { encoding: 'utf8' }).split('\n');
  // On other systems each program has to lower its own priority.
  t.true(process.platform !== 'linux' || isPatient(Number(child)));
  process.kill(first, 'SIGKILL');
  await until(() => pid() !== first && isPatient(pid()));
});

test('a service that cannot start is given up with the line that tells why', async (t) => {
  const reports: string[] = [];
  const service = await keepRunning(serviceOptions('api', "throw new RangeError('no such thing');", reports));
  t.teardown(() => service.stop(5_000));
  const { message } = (await t.throwsAsync(service.ready)) as Error;
  t.regex(message, /^The api ended 4 times before it was ready \(RangeError: no such thing\): see its log/);
  t.deepEqual(reports.slice(0, 2), [
    'ended with code 1, starts again in 0.5 s',
    'ended with code 1, starts again in 1 s',
  ]);
});

test('services stop in order, each after the one before has finished', async (t) => {
  const stopped = join(emptyFolder(), 'stopped');
  const services = await Promise.all(
    Object.entries({ auth: 0, worker: 50, api: 300 }).map(([name, takesMs]) =>
      keepRunning({
        ...serviceOptions(name, LONG_LIVED),
        env: { ...process.env, STOPPED: stopped, TAKES_MS: String(takesMs) },
      }),
    ),
  );
  await Promise.all(services.map(({ ready }) => ready));
  await stopServices(services);
  t.is(readFileSync(stopped, 'utf8'), 'api\nworker\nauth\n');
});

test('a program that ignores the request to stop is killed after its grace', async (t) => {
  const folder = emptyFolder();
  const program = join(folder, 'stubborn.ts');
  writeFileSync(program, "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000); console.log('here');");
  const here = Promise.withResolvers<void>();
  const child = await launch({
    ...{ name: 'stubborn', command: process.execPath, args: [program] },
    onLine: () => here.resolve(),
  });
  await here.promise;
  t.is((await child.stop(100)).signal, 'SIGKILL');
});

test('when the supervisor is killed its programs end too', async (t) => {
  const folder = emptyFolder();
  const [program, supervisor, pidFile] = ['program.ts', 'supervisor.ts', 'program.pid'].map((name) =>
    join(folder, name),
  ) as [string, string, string];
  writeFileSync(program, 'setInterval(() => {}, 1000);');
  writeFileSync(
    supervisor,
    `import { writeFileSync } from 'node:fs';
     const { launch } = await import(${JSON.stringify(join(ROOT, 'scripts/start/child.ts'))});
     const child = await launch({ name: 'program', command: process.execPath, args: [${JSON.stringify(program)}] });
     writeFileSync(${JSON.stringify(pidFile)}, child.pid + '\\n');
     setInterval(() => {}, 1000);`,
  );
  const running = spawn(process.execPath, [supervisor]);
  await until(() => runningProcess(pidFile, program) !== null);
  running.kill('SIGKILL');
  await until(() => runningProcess(pidFile, program) === null);
  t.pass();
});

test('a program that was left behind is stopped, and a process that only has its id is not', async (t) => {
  const folder = emptyFolder();
  const program = join(folder, 'left-behind.ts');
  const pidFile = join(folder, 'left-behind.pid');
  writeFileSync(program, 'setInterval(() => {}, 1000);');
  const left = spawn(process.execPath, [program]);
  const ended = new Promise((resolve) => left.once('close', (_code, signal) => resolve(signal)));
  writeFileSync(pidFile, `${left.pid}\n`);
  await until(() => runningProcess(pidFile, program) !== null);
  t.is(runningProcess(pidFile, 'another program'), null);
  await stopOrphan(pidFile, 'another program');
  t.is(left.exitCode, null);
  writeFileSync(pidFile, `${left.pid}\n`);
  await stopOrphan(pidFile, program);
  t.is(await ended, 'SIGTERM');
  t.false(existsSync(pidFile));
});
