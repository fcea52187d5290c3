// An engine for the tests of one file: it closes when they are done, no matter whether a hook or a test started it.
import test from 'ava';
import { createTestDatabase } from '../support/servers/database.ts';
import { type Engine, type EngineOptions, runEngine } from './run-engine.ts';

export type { Engine, Tenant } from './run-engine.ts';

const started: Engine[] = [];

test.after.always('the engines of this file are closed', async () => {
  await Promise.all(started.map((engine) => engine.close()));
});

/** Starts an engine with a first organization. The database is named after the test or hook. */
export async function startEngine(t: { title?: string }, options: EngineOptions = {}): Promise<Engine> {
  const engine = await runEngine({ ...options, database: options.database ?? (await createTestDatabase(t)) });
  started.push(engine);
  return engine;
}
