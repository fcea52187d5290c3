// What a run needs around it: servers, a migrated template database, the bundled workflows, the API document. All
// started side by side.

import { writeBundle } from '../workflow-bundle.ts';
import { DOCUMENT_VARIABLE, writeClosedDocument } from './closed-document.ts';
import { ensureTemplate } from './database.ts';
import {
  BUNDLE_VARIABLE,
  POSTGRES_VARIABLE,
  TEMPORAL_VARIABLE,
  type TestServer,
  testPostgres,
  testTemporal,
} from './servers.ts';

export interface Surroundings {
  /** Variables by which the test processes find the parts. */
  variables: Record<string, string>;
  /** Settles with the reason when a server ends without having been stopped: nothing that waits for it would end. */
  lost: Promise<string>;
  stop: () => Promise<void>;
}

/** Starts everything; what was started is stopped again when one part fails. */
export async function startSurroundings(folder: string): Promise<Surroundings> {
  const started: TestServer[] = [];
  const stop = async () => void (await Promise.all(started.map((server) => server.stop())));
  const keep = (server: TestServer) => {
    started.push(server);
    return server.address;
  };
  const results = await Promise.allSettled([
    testPostgres(process.env).then(keep).then(prepareTemplate),
    testTemporal(process.env).then(keep),
    writeBundle(folder),
    writeClosedDocument(folder),
  ]);
  const failure = results.find((result) => result.status === 'rejected');
  if (failure) {
    await stop();
    throw failure.reason;
  }
  const prepared = results.map((result) => (result.status === 'fulfilled' ? result.value : ''));
  const names = [POSTGRES_VARIABLE, TEMPORAL_VARIABLE, BUNDLE_VARIABLE, DOCUMENT_VARIABLE];
  const variables = Object.fromEntries(names.map((name, index) => [name, prepared[index]]));
  const lost = Promise.race(started.map((server) => server.lost));
  return { variables: variables as Record<string, string>, lost, stop };
}

async function prepareTemplate(address: string): Promise<string> {
  await ensureTemplate(address);
  return address;
}
