// The whole of `npm start`, as a newcomer sees it: in an empty folder, with the banner's commands pasted.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { SECRET_NAMES } from '../../config.ts';
import { runningProcess } from '../../scripts/start/orphans.ts';
import { eventually } from '../support/eventually.ts';
import { type Installation, installation, STOPPED_IN_ORDER, start } from './installation.ts';
import { runScript } from './run-script.ts';

/** The banner lines that a person pastes. */
function commandsIn(output: string): string {
  const lines = output.split('\n');
  const first = lines.findIndex((line) => line.startsWith('export API='));
  return lines.slice(first, first + 5).join('\n');
}

interface StoredPayload {
  metadata: Record<string, string>;
  data: string;
}

interface StoredHistory {
  history: { events: { workflowExecutionStartedEventAttributes?: { input: { payloads: StoredPayload[] } } }[] };
}

/** How the web interface shows a workflow's input: it calls the codec endpoint from its settings. */
async function readsPayloadsInTheBrowser(t: ExecutionContext, { env }: Installation, output: string): Promise<void> {
  const ui = `http://localhost:${env.TEMPORAL_UI_PORT}`;
  const json = async <T>(path: string) => (await fetch(`${ui}/api/v1${path}`)).json() as Promise<T>;
  const { Codec } = await json<{ Codec: { Endpoint: string } }>('/settings');
  t.regex(Codec.Endpoint, /^http:\/\/127\.0\.0\.1:\d+\/[\w-]{43}$/);
  t.false(output.includes(Codec.Endpoint));
  const query = 'WorkflowType%3D%22submissionWorkflow%22';
  // The list is written some time after the workflow has begun.
  const listed = async () => {
    const { executions } = await json<{ executions: { execution: { workflowId: string } }[] }>(
      `/namespaces/default/workflows?query=${query}`,
    );
    return executions?.[0]?.execution.workflowId;
  };
  const workflowId = encodeURIComponent(await eventually(listed, { what: 'the workflow in the list' }));
  const { history } = await json<StoredHistory>(`/namespaces/default/workflows/${workflowId}/history`);
  const [stored] = history.events[0]?.workflowExecutionStartedEventAttributes?.input.payloads ?? [];
  t.truthy(stored);
  const decode = (url: string, origin: string) =>
    fetch(`${url}/decode`, { method: 'POST', body: JSON.stringify({ payloads: [stored] }), headers: { origin } });
  const requestHeaders = { origin: ui, 'access-control-request-headers': 'content-type,x-namespace' };
  const preflight = await fetch(`${Codec.Endpoint}/decode`, { method: 'OPTIONS', headers: requestHeaders });
  t.is(preflight.headers.get('access-control-allow-headers'), 'content-type,x-namespace');
  const answer = await decode(Codec.Endpoint, ui);
  t.is(answer.headers.get('access-control-allow-origin'), ui);
  const { payloads } = (await answer.json()) as { payloads: StoredPayload[] };
  t.regex(Buffer.from(payloads[0]?.data ?? '', 'base64').toString(), /^\{"orgId":"org_/);
  t.is((await decode(Codec.Endpoint, 'http://localhost:1')).status, 404, 'another page');
  t.is((await decode(Codec.Endpoint.replace(/[\w-]{43}$/, 'x'.repeat(43)), ui)).status, 404, 'another path');
}

test.serial(
  'a first start comes up, its commands work when pasted, it stops in order, and the second goes on where it was',
  async (t) => {
    const place = await installation({ bundlesWorkflows: true });
    const first = await start(t, place);
    t.regex(first.output, /^workflows +bundling$/m);
    t.regex(first.output, new RegExp(`Card processor +http://127.0.0.1:${place.env.CARD_PROCESSOR_PORT} `));
    const pasted = spawnSync('bash', ['-e', '-u', '-o', 'pipefail', '-c', commandsIn(first.output)], {
      encoding: 'utf8',
    });
    t.is(pasted.status, 0, pasted.stderr);
    t.regex(pasted.stdout, /"status":"triaged"/, 'the submission is shown');
    t.regex(pasted.stdout, /"totalDue":4389\.64/, 'the quote is shown');
    t.regex(pasted.stdout, /"policyNumber":"GL-TX-\d{4}-000001"/, 'the policy is shown');

    await readsPayloadsInTheBrowser(t, place, first.output);

    first.process.kill('SIGTERM');
    const { code, stdout, stderr } = await first.ended;
    t.is(code, 0, stderr);
    t.regex(stdout, STOPPED_IN_ORDER);
    const marks = {
      ...{ api: 'api/server.ts', worker: 'workers/main.ts', auth: 'auth/server.ts', temporal: place.dataDir },
      'card-processor': 'stand-ins/card-processor/main.ts',
    };
    for (const [part, mark] of Object.entries(marks)) {
      t.is(runningProcess(join(place.dataDir, 'run', `${part}.pid`), mark), null, `${part} is gone`);
    }
    t.false(existsSync(join(place.dataDir, 'postgres', 'postmaster.pid')), 'PostgreSQL was shut down and not killed');

    const second = await start(t, place);
    t.log(`${first.startedInMs} ms, then ${second.startedInMs} ms`);
    t.notRegex(second.output, /^workflows /m, 'the workflows are bundled once');
    const again = spawnSync('bash', ['-e', '-c', commandsIn(second.output)], { encoding: 'utf8' });
    t.regex(again.stdout, /"policyNumber":"GL-TX-\d{4}-000002"/, 'the counter went on where it was');
    second.process.kill('SIGINT');
    t.is((await second.ended).code, 0);
  },
);

test.serial(
  'the next start takes over after the supervisor is killed, and stops in order though nobody reads it',
  async (t) => {
    const place = await installation();
    const first = await start(t, place);
    first.process.kill('SIGKILL');
    await first.ended;
    const second = await start(t, place);
    second.process.stdout?.destroy();
    second.process.kill('SIGTERM');
    t.is((await second.ended).code, 0);
    t.false(existsSync(join(place.dataDir, 'postgres/postmaster.pid')));
  },
);

test.serial('the secrets that it makes up are readable by their owner alone and never shown', async (t) => {
  const place = await installation();
  const running = await start(t, place);
  const file = join(place.dataDir, 'secrets.json');
  t.is(statSync(file).mode & 0o777, 0o600);
  const secrets = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>;
  running.process.kill('SIGTERM');
  const { stdout, stderr } = await running.ended;
  const logs = readdirSync(join(place.dataDir, 'logs')).map((name) =>
    readFileSync(join(place.dataDir, 'logs', name), 'utf8'),
  );
  const written = [stdout, stderr, ...logs].join('\n');
  for (const name of [
    ...SECRET_NAMES,
    'databaseOwnerPassword',
    'databaseAppPassword',
    'databaseOpsPassword',
    'databaseAuthPassword',
  ]) {
    t.regex(secrets[name] ?? '', /^[0-9a-f]{64}$/, name);
    t.false(written.includes(secrets[name] ?? '-'), name);
  }
  for (const name of ['cardProcessorKey', 'CARD_PROCESSOR_WEBHOOK_SECRET']) {
    t.regex(secrets[name] ?? '', /^(sk_test|whsec)_[0-9a-f]{64}$/, name);
    t.false(written.includes(secrets[name] ?? '-'), name);
  }
  t.regex(secrets.EMAIL_PROVIDER_WEBHOOK_SECRET ?? '', /^whsec_[A-Za-z0-9+/]{43}=$/);
  const { stdout: printed } = await runScript('scripts/secrets.ts', place.env, ['ESIGN_WEBHOOK_SECRET']);
  t.is(printed.trim(), secrets.ESIGN_WEBHOOK_SECRET ?? '-');
  for (const name of ['IDENTITY_VERIFIER_WEBHOOK_SECRET', 'EMAIL_PROVIDER_WEBHOOK_SECRET', 'ESIGN_WEBHOOK_SECRET']) {
    t.true((secrets[name] ?? '').length >= 40, name);
    t.false(written.includes(secrets[name] ?? '-'), name);
  }
  t.regex(secrets.PAYLOAD_KEYS ?? '', /^local:[A-Za-z0-9+/]{43}=$/);
  t.false(written.includes((secrets.PAYLOAD_KEYS ?? '-').slice('local:'.length)));
});
