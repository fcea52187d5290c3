// A Temporal server that a test may kill: it keeps its data in a file and comes back on the same port.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { SEARCH_ATTRIBUTES } from '../../contracts/machinery/search-attributes.ts';
import type { Child } from '../../scripts/start/child.ts';
import { startTemporal } from '../../scripts/start/temporal/server.ts';
import { freePort } from '../support/servers/free-port.ts';
import { findTestTemporal } from '../support/servers/servers.ts';
import { killNow } from './platform.ts';

export interface OwnTemporal {
  address: string;
  /** Starts or restarts the server, and waits until it answers. */
  start(): Promise<void>;
  /** Kills it with SIGKILL. */
  kill(): Promise<void>;
  /** Kills it and throws its data away; it may restart, knowing nothing. */
  wipe(): Promise<void>;
  /** Stops it for good. */
  remove(): Promise<void>;
  /** Queries the server on a connection of its own. */
  ask<T>(question: (client: Client) => Promise<T>): Promise<T>;
}

export async function ownTemporal(): Promise<OwnTemporal> {
  const binary = await findTestTemporal(process.env);
  const folder = mkdtempSync(join(tmpdir(), 'bindery-temporal-'));
  const port = await freePort();
  const address = `127.0.0.1:${port}`;
  let server: Child | null = null;
  const end = async () => {
    if (server) await killNow(server);
    server = null;
  };
  return {
    address,
    start: async () => {
      server = await startTemporal({
        binary,
        port,
        uiPort: null,
        namespace: 'default',
        databaseFile: join(folder, 'temporal.db'),
        searchAttributes: Object.values(SEARCH_ATTRIBUTES).map(({ name }) => name),
      });
    },
    kill: end,
    wipe: async () => {
      await end();
      for (const file of readdirSync(folder)) rmSync(join(folder, file));
    },
    remove: async () => {
      await end();
      rmSync(folder, { recursive: true, force: true });
    },
    ask: async (question) => {
      const connection = await Connection.connect({ address });
      try {
        return await question(new Client({ connection }));
      } finally {
        await connection.close();
      }
    },
  };
}
