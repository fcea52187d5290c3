// The .env file for running Bindery on one machine. Variables already in the environment win.
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { loadSupervisorConfig } from '../config.ts';
import { portsOfRunning } from './start/running-ports.ts';

const ROOT = join(import.meta.dirname, '..');
const ENV_FILE = join(ROOT, '.env');

/** The environment, completed from `.env` if there is one. */
export function environmentWithFile(): NodeJS.ProcessEnv {
  if (existsSync(ENV_FILE)) process.loadEnvFile(ENV_FILE);
  return process.env;
}

/**
 * The same for a script that works on a running platform. A port that the environment does not set is the one that
 * the platform in DATA_DIR uses, whatever `.env` says.
 */
export function environmentOfRunning(): NodeJS.ProcessEnv {
  const given = { ...process.env };
  const variables = environmentWithFile();
  const ports = portsOfRunning(resolve(ROOT, loadSupervisorConfig(variables).dataDir));
  for (const [name, port] of Object.entries(ports)) if (!given[name]) variables[name] = port;
  return variables;
}
