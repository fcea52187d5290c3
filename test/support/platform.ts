// A whole platform for the tests of one file: it is closed when they are done, whether it was started in a hook or a
// test.
import test from 'ava';
import { type Platform, type PlatformOptions, runPlatform } from './run-platform.ts';
import { createTestDatabase } from './servers/database.ts';

const started: Platform[] = [];

test.after.always('the platforms of this file are closed', async () => {
  await Promise.all(started.map((platform) => platform.close()));
});

/**
 * Starts a platform with a database, task queues and an organization of its own.
 * @param t the test or hook, whose title the database is named after
 */
export async function startPlatform(t: { title?: string }, options: PlatformOptions = {}): Promise<Platform> {
  const database = options.database ?? (await createTestDatabase(t));
  const platform = await runPlatform({ ...options, database });
  started.push(platform);
  return platform;
}
