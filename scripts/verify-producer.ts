// npm run --silent verify-producer -- prd_…: activates a producer: sends the local platform the event with which the
// identity verifier reports a proved identity, signed with the local secret.
import './help/show-help.ts';
import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import { loadSupervisorConfig } from '../config.ts';
import { deliverCompletion } from '../stand-ins/identity-verifier/server.ts';
import { environmentOfRunning } from './env-file.ts';
import { readSecrets } from './start/secrets.ts';

const NAME = 'IDENTITY_VERIFIER_WEBHOOK_SECRET';

const [producerId] = process.argv.slice(2);
const variables = environmentOfRunning();
const config = loadSupervisorConfig(variables);
const secret = variables[NAME] || readSecrets(resolve(import.meta.dirname, '..', config.dataDir))[NAME];

if (producerId === undefined) fail('npm run --silent verify-producer -- <id of a producer>');
else if (!secret) fail('There is no secret of the identity verifier yet: run "npm start" first.');
else {
  const inquiry = { id: `inq_${randomUUID().replaceAll('-', '')}`, referenceId: producerId };
  const status = await deliverCompletion(`http://localhost:${config.port}/v1/webhooks/persona`, secret, inquiry);
  if (status === 200) console.log(`${producerId}: identity verified.`);
  else fail(`The event was ${status === null ? 'not answered: run "npm start" first' : `answered ${status}`}.`);
}

function fail(message: string): void {
  console.error(message);
  process.exitCode = 1;
}
