// npm run demo: a tour through the running platform, from a submission to a bound policy and its results, then a claim
// and the year of a small book of business.
import './help/show-help.ts';
import { join, resolve } from 'node:path';
import { loadSupervisorConfig } from '../config.ts';
import { claimTour } from './demo/claim.ts';
import { demoClient } from './demo/client.ts';
import { demoDate } from './demo/demo-date.ts';
import { leftOut } from './demo/left-out.ts';
import { tour } from './demo/tour.ts';
import { year } from './demo/year.ts';
import { environmentOfRunning } from './env-file.ts';
import { localCredentials } from './start/secrets.ts';

const ROOT = join(import.meta.dirname, '..');

const variables = environmentOfRunning();
const config = loadSupervisorConfig(variables);
const { apiKey, apiSecret } = localCredentials(variables, resolve(ROOT, config.dataDir));
const url = `http://localhost:${config.port}`;
const write = (line: string) => console.log(line);

try {
  if (apiKey === null) throw new Error('There is no API key for the demo: run "npm start" first, or set DEMO_API_KEY.');
  await tour({
    api: demoClient(url, { 'X-API-Key': apiKey }),
    today: await demoDate(url, apiSecret),
    temporalUiUrl: config.temporalAddress ? null : `http://localhost:${config.temporalUiPort}`,
    temporalNamespace: config.temporalNamespace,
    write,
  });
  const omission = leftOut({ environment: config.environment, apiSecret });
  if (omission !== null) write(`\n${omission}`);
  else {
    const clientFor = (orgId?: string) =>
      demoClient(url, { Authorization: `Bearer ${apiSecret}`, ...(orgId ? { 'X-Org-Id': orgId } : {}) });
    write('\nNow a claim.');
    await claimTour({ clientFor, write });
    write('\nNow a year of a small book of business.');
    await year({ clientFor, write });
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
