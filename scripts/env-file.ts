// The file .env of a person who runs Bindery on one machine. Variables already in the environment win.
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const ENV_FILE = join(import.meta.dirname, '../.env');

/** The environment, completed by `.env` when there is one. */
export function environmentWithFile(): NodeJS.ProcessEnv {
  if (existsSync(ENV_FILE)) process.loadEnvFile(ENV_FILE);
  return process.env;
}
