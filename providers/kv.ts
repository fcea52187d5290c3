// Picks the adapter of the key-value store by the configuration.
import type { Logger } from 'pino';
import { createValkeyStore } from './kv-valkey.ts';
import type { KvStore } from './ports.ts';

export interface KvStoreOptions {
  /** Address of a Valkey or Redis, or null. */
  kvCache: string | null;
  /** The adapter over PostgreSQL, which is used where no other store is configured: `createKvTable(database)`. */
  table: KvStore;
  logger: Logger;
}

/** Gives the adapter: Valkey or Redis where an address is configured, otherwise the table. The caller closes it. */
export function createKvStore({ kvCache, table, logger }: KvStoreOptions): KvStore {
  return kvCache === null ? table : createValkeyStore({ url: kvCache, logger });
}
