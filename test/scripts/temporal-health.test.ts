// A Temporal server that runs but cannot read its database is restarted. A namespace deleted from a real server's
// database stands in for the fault, which cannot be produced on demand.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import test from 'ava';
import { keepAlive } from '../../scripts/start/keep-alive.ts';
import { watchTemporal } from '../../scripts/start/temporal/health.ts';
import { startTemporal, waitForTemporal } from '../../scripts/start/temporal/server.ts';
import { eventually } from '../support/eventually.ts';
import { freePort } from '../support/servers/free-port.ts';
import { findTestTemporal } from '../support/servers/servers.ts';

const NAMESPACE = 'default';

test('a Temporal server that cannot read its namespace is restarted, and one that can is left alone', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'bindery-temporal-'));
  const databaseFile = join(folder, 'temporal.db');
  const [binary, port] = [await findTestTemporal(process.env), await freePort()];
  const options = { binary, port, uiPort: null, namespace: NAMESPACE, databaseFile, searchAttributes: [] };
  const first = await startTemporal(options);
  const server = keepAlive({ first, again: () => startTemporal(options), report: () => {} });
  const stopping = new AbortController();
  const reports: string[] = [];
  const address = `127.0.0.1:${port}`;
  const report = (line: string) => reports.push(line);
  const watch = watchTemporal({ server, address, namespace: NAMESPACE, report, everyMs: 50 }, stopping.signal);
  t.teardown(async () => {
    stopping.abort();
    await watch;
    await server.stop(5_000);
    rmSync(folder, { recursive: true, force: true });
  });
  t.true(await waitForTemporal({ address }, { namespace: NAMESPACE }));
  t.is(server.child().pid, first.pid);
  const database = new DatabaseSync(databaseFile);
  database.prepare('delete from namespaces where name = ?').run(NAMESPACE);
  database.close();
  await eventually(() => server.child().pid !== first.pid, { what: 'the restart' });
  t.deepEqual(reports, ['cannot read its database any more, is restarted']);
  t.true(await waitForTemporal({ address }, { namespace: NAMESPACE }), 'a restarted server has its namespace again');
});
