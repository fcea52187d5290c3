// A whole platform for the tests of one file: it closes when they are done, no matter whether a hook or a test started
// it.
import test from 'ava';
import { type Platform, type PlatformOptions, runPlatform } from './run-platform.ts';
import { createTestDatabase } from './servers/database.ts';

const started: Platform[] = [];

test.after.always('the platforms of this file are closed', async () => {
  await Promise.all(started.map((platform) => platform.close()));
});

/**
 * Starts a platform with its own database, task queues and organization.
 * @param t the test or hook, whose title goes into the database's name
 */
export async function startPlatform(t: { title?: string }, options: PlatformOptions = {}): Promise<Platform> {
  const database = options.database ?? (await createTestDatabase(t));
  const platform = await runPlatform({ ...options, database });
  started.push(platform);
  return platform;
}
