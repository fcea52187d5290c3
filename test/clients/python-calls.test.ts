// How the Python client sends its calls: retries, versions, files and tables, to a server that follows a script.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import test, { type ExecutionContext } from 'ava';
import { python, pythonFault } from './python.ts';

const CLIENT = join(import.meta.dirname, '../../clients/python');

interface Step {
  status: number;
  body: unknown;
  headers?: Record<string, string>;
}

interface Sent {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** The connection breaks before an answer. */
const BROKEN = null;

/**
 * Runs a program with `bindery`, a client whose calls are answered by these steps in turn, and returns what it sent.
 */
async function played(t: ExecutionContext, program: string, ...steps: (Step | null)[]): Promise<Sent[]> {
  const sent: Sent[] = [];
  const server = createServer(async (request, response) => {
    const { method = '', url = '', headers } = request;
    sent.push({ method, url, headers, body: await text(request) });
    const step = steps[sent.length - 1];
    if (!step) {
      request.socket.destroy();
      return;
    }
    const isText = typeof step.body === 'string';
    response.writeHead(step.status, { 'content-type': isText ? 'text/csv' : 'application/json', ...step.headers });
    response.end(isText ? step.body : JSON.stringify(step.body));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const whole = `from bindery_client import BinderyClient, BinderyError, File\nbindery = BinderyClient("${url}", token="t")\n${program}`;
  const env = { ...process.env, PYTHONPATH: CLIENT, PYTHONDONTWRITEBYTECODE: '1' };
  const child = spawn(python, ['-c', whole], { env });
  const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, 'close')]);
  t.is(code, 0, stderr);
  return sent;
}

const refusal = (status: number, error: string): Step => ({
  ...{ status, body: { error, message: 'No.', details: {}, requestId: 'req_1' } },
  headers: { 'retry-after': '0' },
});
const DONE: Step = { status: 201, body: {} };
const BIND = 'bindery.bind_submission("sub_1", {"installmentPlan": "PAY_IN_FULL"}';

const ifPython = pythonFault === null ? test : test.skip;
const names = pythonFault ?? '';

ifPython(
  `a POST is repeated under one key after the network broke, and while the platform is busy${names}`,
  async (t) => {
    const busy = [refusal(409, 'idempotency_in_progress'), refusal(503, 'service_unavailable')];
    const sent = await played(t, `${BIND})\n${BIND}, idempotency_key="mine")`, BROKEN, ...busy, DONE, DONE);
    const keys = sent.map(({ headers }) => headers['idempotency-key']);
    t.is(keys.length, 5);
    t.is(new Set(keys.slice(0, 4)).size, 1);
    t.truthy(keys[0]);
    t.is(keys[4], 'mine');
  },
);

ifPython(`what could be done twice is sent once, and a refusal says its code and request id${names}`, async (t) => {
  const program = `
try:
    bindery.change_policy_contact("pol_1", {"insuredPhone": "+1 512 555 0100"}, if_match='"pol_1-3"')
except BinderyError as error:
    assert (error.status, error.code, error.request_id) == (503, "service_unavailable", "req_1")
else:
    raise SystemExit("taken")
`;
  const sent = await played(t, program, refusal(503, 'service_unavailable'));
  t.deepEqual(
    sent.map(({ method, headers }) => [method, headers['if-match'], headers['content-type']]),
    [['PATCH', '"pol_1-3"', 'application/json']],
  );
});

ifPython(
  `the client waits as long as Retry-After says, at most a minute, and otherwise twice as long each time${names}`,
  async (t) => {
    const program = `
from bindery_client.client import _pause_s
assert _pause_s(1, "7") == 7.0
assert _pause_s(1, "600") == 60.0
assert 0.125 <= _pause_s(1, None) <= 0.25
assert 0.5 <= _pause_s(3, None) <= 1.0
`;
    t.deepEqual(await played(t, program), []);
  },
);

ifPython(`an operation that may need minutes is given them, and every other one a minute${names}`, async (t) => {
  const program = `
waits = []
sent = bindery._opener.open
def opened(request, timeout):
    waits.append(timeout)
    return sent(request, timeout=timeout)
bindery._opener.open = opened
bindery.advance_test_clock({"advanceTo": "2027-01-01"})
bindery.get_policy("pol_1")
bindery._timeout_s = 5.0
bindery.advance_test_clock({"advanceTo": "2027-01-01"})
assert waits == [330.0, 60.0, 5.0], waits
`;
  t.is((await played(t, program, DONE, DONE, DONE)).length, 3);
});

ifPython(`a file is sent as it is, under its own type${names}`, async (t) => {
  const [sent] = await played(t, 'bindery.import_producers(File(b"npn,name\\n1,A\\n", "text/csv"))', DONE);
  t.is(sent?.headers['content-type'], 'text/csv');
  t.is(sent?.body, 'npn,name\n1,A\n');
});

ifPython(`a table is read as text${names}`, async (t) => {
  const program = 'assert bindery.read_receivables_csv("org_1") == "bucket,count\\r\\n"';
  const [sent] = await played(t, program, { status: 200, body: 'bucket,count\r\n' });
  t.is(sent?.headers.accept, 'text/csv');
});
