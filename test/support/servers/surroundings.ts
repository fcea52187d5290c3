// What a run needs around it: servers, a migrated template database, bundled workflows, the API document. All of it
// starts in parallel.

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
  /** Variables through which the test processes find the parts. */
  variables: Record<string, string>;
  /**
   * Settles with the reason when a server ends without being stopped: otherwise everything waiting for it would hang.
   */
  lost: Promise<string>;
  stop: () => Promise<void>;
}

/** Starts everything; if one part fails, stops what was started. */
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
