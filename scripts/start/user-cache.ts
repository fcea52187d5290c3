// Where slow steps keep their outcome: once per user, so that every clone finds it.
import { homedir } from 'node:os';
import { join } from 'node:path';

/** The cache folder of the user; `environment` provides XDG_CACHE_HOME. */
export function userCache(environment: Readonly<Record<string, string | undefined>>): string {
  return join(environment.XDG_CACHE_HOME || join(homedir(), '.cache'), 'bindery');
}
