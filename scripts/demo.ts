// npm run demo: a tour through the running platform, from a submission to a bound policy and what came of it.
import { join, resolve } from 'node:path';
import { loadSupervisorConfig } from '../config.ts';
import { demoClient } from './demo/client.ts';
import { tour } from './demo/tour.ts';
import { environmentWithFile } from './env-file.ts';
import { readSecrets } from './start/secrets.ts';

const ROOT = join(import.meta.dirname, '..');

const config = loadSupervisorConfig(environmentWithFile());
const apiKey = config.demoApiKey ?? readSecrets(resolve(ROOT, config.dataDir)).demoApiKey;

try {
  if (!apiKey) throw new Error('There is no API key for the demo: run "npm start" first, or set DEMO_API_KEY.');
  await tour({
    api: demoClient(`http://localhost:${config.port}`, apiKey),
    temporalUiUrl: config.temporalAddress ? null : `http://localhost:${config.temporalUiPort}`,
    temporalNamespace: config.temporalNamespace,
    write: (line) => console.log(line),
  });
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
