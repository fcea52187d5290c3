// Picks the key-value store adapter by configuration.
import type { Logger } from 'pino';
import { createValkeyStore } from './kv-valkey.ts';
import type { KvStore } from './ports.ts';

export interface KvStoreOptions {
  /** Address of a Valkey or Redis, or null. */
  kvCache: string | null;
  /** The PostgreSQL adapter, used if no other store is configured: `createKvTable(database)`. */
  table: KvStore;
  logger: Logger;
}

/** Returns the adapter: Valkey or Redis if an address is configured, otherwise the table. The caller closes it. */
export function createKvStore({ kvCache, table, logger }: KvStoreOptions): KvStore {
  return kvCache === null ? table : createValkeyStore({ url: kvCache, logger });
}
