// npm run --silent secrets -- NAME: prints a secret of the local platform, the one that is set or the one that
// `npm start` has made up, for those who sign events or tokens by hand.
import './help/show-help.ts';
import { resolve } from 'node:path';
import { loadSupervisorConfig, SECRET_NAMES } from '../config.ts';
import { environmentWithFile } from './env-file.ts';
import { EVENT_SECRET_NAMES, readSecrets } from './start/secrets.ts';

const NAMES = [...SECRET_NAMES, ...EVENT_SECRET_NAMES];
const name = NAMES.find((each) => each === process.argv[2]);
const variables = environmentWithFile();
const dataDir = resolve(import.meta.dirname, '..', loadSupervisorConfig(variables).dataDir);
const secret = name && (variables[name] || readSecrets(dataDir)[name]);

if (secret) {
  console.log(secret);
} else {
  const hint = name ? 'There is none yet: run "npm start" first.' : `Name one of ${NAMES.join(', ')}.`;
  console.error(hint);
  process.exitCode = 1;
}
