// npm start while its parts are killed one by one: each comes back with its data and its port, and commands work
// again.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { eventually } from '../support/eventually.ts';
import { risk } from '../support/house.ts';
import { type Installation, installation, STOPPED_IN_ORDER, start } from './installation.ts';

/** Each part under its terminal name, and the file that holds its process id. */
const PARTS: Readonly<Record<string, string>> = {
  postgres: 'postgres/postmaster.pid',
  temporal: 'run/temporal.pid',
  api: 'run/api.pid',
  worker: 'run/worker.pid',
  auth: 'run/auth.pid',
  'card-processor': 'run/card-processor.pid',
};

function processIdOf({ dataDir }: Installation, part: string): number {
  return Number(readFileSync(join(dataDir, PARTS[part] ?? ''), 'utf8').split('\n')[0]);
}

/** Submits a risk repeatedly under one key until it is answered, and returns its id. */
async function submitPatiently({ env }: Installation, apiKey: string, idempotencyKey: string): Promise<string> {
  const body = JSON.stringify(risk());
  const headers = { 'content-type': 'application/json', 'x-api-key': apiKey, 'idempotency-key': idempotencyKey };
  return eventually(
    async () => {
      const url = `http://127.0.0.1:${env.PORT}/v1/submissions`;
      const answer = await fetch(url, { method: 'POST', headers, body }).catch(() => null);
      return answer?.status === 201 ? ((await answer.json()) as { id: string }).id : null;
    },
    { what: `a submission (${idempotencyKey})` },
  );
}

test('every part of npm start that is killed comes back, and a command succeeds afterwards', async (t) => {
  const place = await installation();
  const running = await start(t, place);
  let shown = '';
  running.process.stdout?.on('data', (chunk) => {
    shown += chunk;
  });
  const apiKey = / KEY=(\S+)/.exec(running.output)?.[1] ?? '';
  const submissions = [await submitPatiently(place, apiKey, 'before')];
  for (const part of Object.keys(PARTS)) {
    const killed = processIdOf(place, part);
    process.kill(killed, 'SIGKILL');
    const line = new RegExp(`^${part} +ended by SIGKILL, starts again in 0\\.5 s$`, 'm');
    await eventually(() => line.test(shown), { what: `the line about ${part}` });
    await eventually(() => isAnotherProcess(place, part, killed), { what: `another ${part}` });
    submissions.push(await submitPatiently(place, apiKey, `after ${part}`));
  }
  t.regex(shown, /^postgres +runs again$/m);
  t.regex(shown, /^temporal +runs again$/m);
  for (const port of [place.env.AUTH_PORT, place.env.CARD_PROCESSOR_PORT]) {
    const isBack = () =>
      fetch(`http://127.0.0.1:${port}/healthz`).then(
        ({ ok }) => ok,
        () => false,
      );
    t.true(await eventually(isBack, { what: `an answer at port ${port}` }));
  }
  for (const id of submissions) {
    const url = `http://127.0.0.1:${place.env.PORT}/v1/submissions/${id}`;
    t.is((await fetch(url, { headers: { 'x-api-key': apiKey } })).status, 200, id);
  }
  running.process.kill('SIGINT');
  const { code, stdout, stderr } = await running.ended;
  t.is(code, 0, stderr);
  t.regex(stdout, STOPPED_IN_ORDER);
});

function isAnotherProcess(place: Installation, part: string, before: number): boolean {
  try {
    const id = processIdOf(place, part);
    return id > 0 && id !== before;
  } catch {
    return false;
  }
}
