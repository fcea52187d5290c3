// npm run --silent shell: prints what a shell needs to reach the local platform, as exports to be evaluated:
// addresses, the API key of the demo organization, the machine secret, and the folder where mail is written. Exits
// with 1 if the platform does not answer.
import './help/show-help.ts';
import { resolve } from 'node:path';
import { loadSupervisorConfig } from '../config.ts';
import { environmentOfRunning } from './env-file.ts';
import { localCredentials } from './start/secrets.ts';

const PROBE_TIMEOUT_MS = 5_000;
const variables = environmentOfRunning();
const config = loadSupervisorConfig(variables);
const dataDir = resolve(import.meta.dirname, '..', config.dataDir);
const { apiKey, apiSecret } = localCredentials(variables, dataDir);

if (apiKey === null || apiSecret === null) {
  console.error(`There is no platform in ${dataDir}: run "npm start" first, or set DATA_DIR as you did for it.`);
  process.exitCode = 1;
} else {
  const root = `http://localhost:${config.port}`;
  const exports = {
    ROOT: root,
    API: `${root}/v1`,
    AUTH: `http://localhost:${config.authPort}`,
    KEY: apiKey,
    API_SECRET: apiSecret,
    MAIL: `${dataDir}/mail`,
    ...(config.localCardProcessorPort === null ? {} : { CARDS: `http://localhost:${config.localCardProcessorPort}` }),
  };
  for (const [name, value] of Object.entries(exports)) console.log(`export ${name}='${value}'`);
  if (!(await answers(`${root}/healthz`))) {
    console.error(
      `NOTHING ANSWERS at ${root}: run "npm start" first. If the platform has another DATA_DIR or PORT, set it here too.`,
    );
    process.exitCode = 1;
  }
}

async function answers(url: string): Promise<boolean> {
  try {
    return (await fetch(url, { signal: AbortSignal.timeout(PROBE_TIMEOUT_MS) })).ok;
  } catch {
    return false;
  }
}
