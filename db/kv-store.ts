// The key-value store as a table: the port KvStore of providers/ports.ts over db/queries/platform/kv.ts. Its values are
// as durable as any row, and unavailable only when the database is.

import type { Limit } from '../domain/platform/kv.ts';
import type { ScopedDatabase } from './orm.ts';
import {
  claimValue,
  countAttempt,
  countWithin,
  forgetValue,
  giveBackValue,
  putValue,
  readValue,
  takeValue,
  takeValueWithHash,
} from './queries/platform/kv.ts';
import { PLATFORM_SCOPE } from './scope.ts';

/** Builds the adapter. It does not own the database: closing it closes nothing. */
export function createKvTable(database: Pick<ScopedDatabase, 'forOrg'>) {
  const inTable: <T>(work: Parameters<typeof database.forOrg<T>>[1]) => Promise<T> = (work) =>
    database.forOrg(PLATFORM_SCOPE, work);
  return {
    put: (key: string, value: unknown, lifetimeSeconds: number) =>
      inTable((em) => putValue(em, key, value, lifetimeSeconds)),
    read: <T>(key: string) => inTable((em) => readValue<T>(em, key)),
    take: <T>(key: string) => inTable((em) => takeValue<T>(em, key)),
    takeWithHash: <T>(key: string, hash: string) => inTable((em) => takeValueWithHash<T>(em, key, hash)),
    forget: (key: string) => inTable((em) => forgetValue(em, key)),
    countAttempt: (key: string, windowSeconds: number) => inTable((em) => countAttempt(em, key, windowSeconds)),
    countWithin: (limits: readonly Limit[]) => inTable((em) => countWithin(em, limits)),
    claim: <T>(key: string, value: T, lifetimeSeconds: number) =>
      inTable((em) => claimValue(em, key, value, lifetimeSeconds)),
    giveBack: (key: string, value: unknown) => inTable((em) => giveBackValue(em, key, value)),
    close: async () => {},
  };
}
