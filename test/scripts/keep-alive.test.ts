// How a program is kept running: a failed start is retried, and a stop ends a start in progress.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { launch } from '../../scripts/start/child.ts';
import { keepAlive } from '../../scripts/start/keep-alive.ts';
import { eventually } from '../support/eventually.ts';
import { emptyFolder } from './run-script.ts';

function longLived() {
  const program = join(emptyFolder(), 'program.ts');
  writeFileSync(program, 'setInterval(() => {}, 1000);');
  return launch({ name: 'program', command: process.execPath, args: [program] });
}

test('a server that fails to restart is tried again until it runs', async (t) => {
  const reports: string[] = [];
  let tries = 0;
  const kept = keepAlive({
    first: await longLived(),
    again: async () => {
      tries += 1;
      if (tries === 1) throw new Error('The port is taken.');
      return longLived();
    },
    report: (line) => reports.push(line),
  });
  const { pid } = kept.child();
  process.kill(pid, 'SIGKILL');
  await eventually(() => kept.child().pid !== pid, { what: 'the second start' });
  await kept.stop(5_000);
  t.is((await kept.child().exited).signal, 'SIGTERM');
  t.is(tries, 2, 'after its stop it is not started again');
  t.deepEqual(reports, [
    'ended by SIGKILL, starts again in 0.5 s',
    'did not start again (The port is taken.), starts again in 1 s',
  ]);
});

test('a restart waits for no pause, whether the program runs or has just ended, and the pauses start over', async (t) => {
  const reports: string[] = [];
  const kept = keepAlive({ first: await longLived(), again: longLived, report: (line) => reports.push(line) });
  const next = (pid: number) => eventually(() => kept.child().pid !== pid, { what: 'another start' });
  const first = kept.child().pid;
  await kept.restart(5_000);
  await next(first);
  t.deepEqual(reports, []);
  const second = kept.child().pid;
  process.kill(second, 'SIGKILL');
  await eventually(() => reports.length === 1, { what: 'the pause' });
  await kept.restart(5_000);
  await next(second);
  t.is(kept.failures(), 0);
  await kept.stop(5_000);
});

test('a stop ends a start that is under way, and the processes it has started', async (t) => {
  const isStarting = Promise.withResolvers<void>();
  const kept = keepAlive({
    first: await longLived(),
    again: async (stopping) => {
      const child = await longLived();
      isStarting.resolve();
      await new Promise((resolve) => stopping.addEventListener('abort', resolve));
      return child;
    },
    report: () => {},
  });
  const { pid } = kept.child();
  process.kill(pid, 'SIGKILL');
  await isStarting.promise;
  await kept.stop(5_000);
  t.not(kept.child().pid, pid);
  t.is((await kept.child().exited).signal, 'SIGTERM');
});
