// What activities depend on when only their database is real: everything else refuses, unless a test gives it.

import { activityDeps } from '../../activities/activity-deps.ts';
import type { Deps, EntityEngine } from '../../activities/context.ts';
import type { Database } from '../../db/orm.ts';
import { silentLogger } from '../support/logger.ts';

const refuse = () => Promise.reject(new Error('Nobody is called here'));

/** A port of which every method refuses. */
function closedPort<T extends object>(): T {
  return new Proxy({} as T, { get: (_port, name) => (name === 'then' ? undefined : refuse) });
}

/** Composes them as a worker does, and puts what is given in their place. */
export function loneDeps(database: Database, given: Partial<Deps> = {}): Deps {
  const config = { environment: 'local', defaultOrgId: null, payloadKeys: [], dataDir: '' } as const;
  const ports = { card: closedPort<Deps['card']>(), storage: closedPort<Deps['storage']>() };
  const letters = { signing: closedPort<Deps['signing']>(), mail: closedPort<Deps['mail']>() };
  const engine = new Proxy(closedPort<EntityEngine>(), {
    // Starting a term waits for nothing and never throws.
    get: (port, name, receiver) => (name === 'startTerm' ? () => {} : Reflect.get(port, name, receiver)),
  });
  const own = { engine, webhooks: closedPort<Deps['webhooks']>(), typesetter: closedPort<Deps['typesetter']>() };
  const parts = { ...{ config, database, now: Date.now, logger: silentLogger }, ...ports, ...letters };
  return { ...activityDeps(parts, own), ...given };
}
