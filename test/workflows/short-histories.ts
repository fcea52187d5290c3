// A Temporal server of its own that asks for continue-as-new after few events, which the shared one does after thousands.
import { launch } from '../../scripts/start/child.ts';
import { waitForTemporal } from '../../scripts/start/temporal.ts';
import { SEARCH_ATTRIBUTES } from '../../workflows/contracts.ts';
import { freePort } from '../support/free-port.ts';
import { findTestTemporal, type TestServer } from '../support/servers.ts';

const STOP_GRACE_MS = 5_000;

/** Starts the server in memory; the caller stops it. */
export async function startServerWithShortHistories(suggestAfterEvents: number): Promise<TestServer> {
  const port = await freePort();
  const server = await launch({
    name: 'temporal',
    command: await findTestTemporal(process.env),
    args: [
      ...['server', 'start-dev', '--ip', '127.0.0.1', '--port', String(port), '--headless', '--log-level', 'error'],
      ...['--dynamic-config-value', 'history.transferProcessorMaxPollRPS=5000'],
      ...['--dynamic-config-value', `limit.historyCount.suggestContinueAsNew=${suggestAfterEvents}`],
      ...Object.values(SEARCH_ATTRIBUTES).flatMap(({ name }) => ['--search-attribute', `${name}=Keyword`]),
    ],
    cwd: '/',
  });
  const address = `127.0.0.1:${port}`;
  if (!(await waitForTemporal(address))) throw new Error('The Temporal server did not start');
  return { address, stop: async () => void (await server.stop(STOP_GRACE_MS)) };
}
