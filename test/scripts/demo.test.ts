import test from 'ava';
import { leftOut } from '../../scripts/demo/left-out.ts';
import { keepSecrets, localCredentials } from '../../scripts/start/secrets.ts';
import { emptyFolder } from './run-script.ts';

test('the demo says what it leaves out and why, and nothing where it shows everything', (t) => {
  t.is(
    leftOut({ environment: 'production', apiSecret: 'machine-secret' }),
    'Left out: a claim, and the year of a small book of business (production has no test clock).',
  );
  t.is(
    leftOut({ environment: 'local', apiSecret: null }),
    'Left out: a claim, and the year of a small book of business ' +
      '(it needs API_SECRET, and neither the environment nor the data folder has it).',
  );
  t.is(leftOut({ environment: 'sandbox', apiSecret: 'machine-secret' }), null);
});

test('the demo finds the secrets of the data folder where `.env` leaves them blank, and those of `.env` before them', (t) => {
  const folder = emptyFolder();
  t.deepEqual(localCredentials({ API_SECRET: '', DEMO_API_KEY: '' }, folder), { apiKey: null, apiSecret: null });
  const { demoApiKey, API_SECRET } = keepSecrets(folder, 'local');
  const kept = { apiKey: demoApiKey, apiSecret: API_SECRET };
  t.deepEqual(localCredentials({ API_SECRET: '', DEMO_API_KEY: '' }, folder), kept);
  t.deepEqual(localCredentials({ API_SECRET: 'of .env' }, folder), { ...kept, apiSecret: 'of .env' });
});
