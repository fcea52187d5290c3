// npm run --silent shell: prints what a shell needs to reach the local platform, as exports to be evaluated:
// addresses, the API key of the demo organization, the machine secret, and the folder where mail is written.
import { resolve } from 'node:path';
import { loadSupervisorConfig } from '../config.ts';
import { environmentWithFile } from './env-file.ts';
import { localCredentials } from './start/secrets.ts';

const variables = environmentWithFile();
const config = loadSupervisorConfig(variables);
const dataDir = resolve(import.meta.dirname, '..', config.dataDir);
const { apiKey, apiSecret } = localCredentials(variables, dataDir);

if (apiKey === null || apiSecret === null) {
  console.error('There are no credentials of a local platform yet: run "npm start" first.');
  process.exitCode = 1;
} else {
  const exports = {
    ROOT: `http://localhost:${config.port}`,
    API: `http://localhost:${config.port}/v1`,
    AUTH: `http://localhost:${config.authPort}`,
    KEY: apiKey,
    API_SECRET: apiSecret,
    MAIL: `${dataDir}/mail`,
    ...(config.localCardProcessorPort === null ? {} : { CARDS: `http://localhost:${config.localCardProcessorPort}` }),
  };
  for (const [name, value] of Object.entries(exports)) console.log(`export ${name}='${value}'`);
}
