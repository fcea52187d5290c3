// A separate Temporal server that suggests continue-as-new after a few events, which the shared one does after
// thousands.
import { newTemporal, type TestServer } from '../support/servers/servers.ts';

/** Starts the server; the caller stops it. */
export function startServerWithShortHistories(suggestAfterEvents: number): Promise<TestServer> {
  return newTemporal(process.env, [`limit.historyCount.suggestContinueAsNew=${suggestAfterEvents}`]);
}
