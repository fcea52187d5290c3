// The real npm run dev: a source change restarts the processes that run that source, and no others.
import { readFileSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { SOURCES } from '../../scripts/start/watch.ts';
import { eventually } from '../support/eventually.ts';
import { filesOf } from './files-of.ts';
import { installation, start } from './installation.ts';
import { ROOT } from './run-script.ts';

const ENTRIES = {
  api: 'api/server.ts',
  worker: 'workers/main.ts',
  background: 'workers/main.ts',
  auth: 'auth/server.ts',
};

for (const [name, entry] of Object.entries(ENTRIES)) {
  test(`all that the ${name} consists of is watched for it`, (t) => {
    const isWatched = (file: string) =>
      SOURCES[name]?.some((source) => file === source || file.startsWith(`${source}/`));
    t.deepEqual(
      [...filesOf(entry)].filter((file) => !isWatched(file)),
      [],
    );
  });
}

test('npm run dev restarts the processes that run a changed file, and the platform goes on', async (t) => {
  const place = await installation();
  const running = await start(t, place, '--watch');
  let written = '';
  running.process.stdout?.on('data', (chunk) => {
    written += chunk;
  });
  const pidOf = (name: string) => readFileSync(join(place.dataDir, 'run', `${name}.pid`), 'utf8');
  const pids = () => Object.keys(ENTRIES).map(pidOf);
  const touch = async (file: string, names: string) => {
    const from = written.length;
    const now = new Date();
    utimesSync(join(ROOT, file), now, now);
    const isReady = () => written.includes(`${names} ready after`, from);
    await eventually(isReady, { what: `${names} to be restarted` });
    t.true(written.includes(`${file} changed: restarting ${names}`, from), written);
  };
  const [api, worker, background, auth] = pids();
  await touch('workflows/submission.ts', 'worker, background');
  const [sameApi, secondWorker, secondBackground, sameAuth] = pids();
  t.deepEqual([sameApi, sameAuth], [api, auth]);
  t.not(secondWorker, worker);
  t.not(secondBackground, background);
  await touch('domain/dates.ts', 'api, worker, background, auth');
  const isReady = () =>
    fetch(`http://127.0.0.1:${place.env.PORT}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  await eventually(isReady, { what: 'the api to be ready' });
  const third = pids();
  for (const [at, before] of [api, secondWorker, secondBackground, auth].entries()) t.not(third[at], before);
  running.process.kill('SIGTERM');
  t.is((await running.ended).code, 0);
});
