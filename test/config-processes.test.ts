// Least privilege between processes: each gets the secrets and database addresses that it needs, and starts without
// any others.
import test from 'ava';
import {
  ConfigError,
  loadApiConfig,
  loadAuthConfig,
  loadCardProcessorConfig,
  loadWorkerConfig,
  type ProcessName,
  SECRET_NAMES,
  VARIABLES,
  type Variables,
  variablesOf,
} from '../config.ts';
import { environmentOf, systemEnvironment } from '../scripts/start/environment.ts';
import { bareEnvironment, runScript } from './scripts/run-script.ts';

const LOADERS: Readonly<Record<string, (variables: Variables) => object>> = {
  api: loadApiConfig,
  worker: loadWorkerConfig,
  auth: loadAuthConfig,
  'card-processor': loadCardProcessorConfig,
};
const ENTRIES: Readonly<Record<string, string>> = {
  api: 'api/server.ts',
  worker: 'workers/main.ts',
  auth: 'auth/server.ts',
  'card-processor': 'stand-ins/card-processor/main.ts',
};
const SERVICES = Object.keys(LOADERS) as ProcessName[];

const PREVIOUS = SECRET_NAMES.map((name) => `${name}_PREVIOUS`);
const isOfToken = (name: string) => name !== 'API_SECRET' && name !== 'API_SECRET_PREVIOUS';

/** Our credentials at the trace collector. */
const OF_TRACES = ['OTEL_EXPORTER_OTLP_HEADERS'];

/** Our credentials at Temporal, and what opens workflow payloads. */
const OF_TEMPORAL = ['TEMPORAL_API_KEY', 'TEMPORAL_TLS_CLIENT_KEY_DATA', 'PAYLOAD_KEYS'];

/** What authenticates events from the identity verifier, the email provider and the e-signature provider. */
const OF_EVENTS = ['IDENTITY_VERIFIER', 'EMAIL_PROVIDER', 'ESIGN'].flatMap((provider) => [
  `${provider}_WEBHOOK_SECRET`,
  `${provider}_WEBHOOK_SECRET_PREVIOUS`,
]);

/** What opens something, by who may hold it. Written down here from what each process does, not read from the code. */
const MAY_HOLD: Readonly<Record<string, readonly string[]>> = {
  api: [
    ...SECRET_NAMES,
    ...PREVIOUS,
    ...OF_TEMPORAL,
    ...OF_TRACES,
    ...['DATABASE_APP_URL', 'DATABASE_OPS_URL', 'KV_CACHE', 'SMTP_URL'],
    ...['CARD_PROCESSOR_SECRET_KEY', 'CARD_PROCESSOR_WEBHOOK_SECRET', 'CARD_PROCESSOR_WEBHOOK_SECRET_PREVIOUS'],
    ...OF_EVENTS,
    ...['IDENTITY_VERIFIER_API_KEY', 'EMAIL_PROVIDER_API_KEY', 'AI_API_KEY'],
    ...['S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'],
  ],
  worker: [
    ...OF_TEMPORAL,
    ...OF_TRACES,
    ...['DATABASE_APP_URL', 'DATABASE_OPS_URL', 'SMTP_URL', 'CARD_PROCESSOR_SECRET_KEY'],
    ...['EMAIL_PROVIDER_API_KEY', 'ESIGN_API_KEY', 'PUSH_SERVICE_ACCOUNT_KEY'],
    ...['S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'],
  ],
  auth: [
    ...[...SECRET_NAMES, ...PREVIOUS].filter(isOfToken),
    ...['DATABASE_AUTH_URL', 'KV_CACHE', 'SMTP_URL', 'EMAIL_PROVIDER_API_KEY', 'MICROSOFT_CLIENT_SECRET'],
  ],
  'card-processor': ['CARD_PROCESSOR_SECRET_KEY', 'CARD_PROCESSOR_WEBHOOK_SECRET'],
};

/** A file's path opens nothing where the file does not exist. */
const OPENS = /SECRET|_KEY(?!_PATH$)|PASSWORD|^DATABASE_\w*URL$|^KV_CACHE$|^SMTP_URL$|^OTEL_EXPORTER_OTLP_HEADERS$/;

/** A user's complete `.env`. */
const full: Record<string, string> = {
  ...Object.fromEntries(
    [...SECRET_NAMES, ...PREVIOUS].map((name) => [name, `${name}-0123456789abcdef0123456789abcdef`]),
  ),
  DATABASE_URL: 'postgres://owner:hidden@localhost/bindery',
  DATABASE_APP_URL: 'postgres://bindery_app:hidden@localhost/bindery',
  DATABASE_OPS_URL: 'postgres://bindery_ops:hidden@localhost/bindery',
  DATABASE_AUTH_URL: 'postgres://bindery_auth:hidden@localhost/bindery',
  TEMPORAL_ADDRESS: 'localhost:7233',
  TEMPORAL_API_KEY: 'hidden-temporal',
  TEMPORAL_TLS_CLIENT_CERT_DATA: 'certificate',
  TEMPORAL_TLS_CLIENT_KEY_DATA: 'hidden-private-key',
  PAYLOAD_KEYS: `hidden:${Buffer.alloc(32, 7).toString('base64')}`,
  KV_CACHE: 'redis://:hidden@localhost',
  OTEL_EXPORTER_OTLP_ENDPOINT: 'https://traces.example.com',
  OTEL_EXPORTER_OTLP_HEADERS: 'authorization=hidden-collector',
  SMTP_URL: 'smtp://someone:hidden@localhost',
  DEMO_API_KEY: `svck_test_${'0'.repeat(32)}`,
  MICROSOFT_TENANT_ID: 'a9b8c7d6-0000-4000-8000-000000000001',
  MICROSOFT_CLIENT_ID: 'bindery',
  MICROSOFT_CLIENT_SECRET: 'hidden-microsoft',
  CARD_PROCESSOR_SECRET_KEY: 'sk_test_hidden_0123456789',
  CARD_PROCESSOR_WEBHOOK_SECRET: 'whsec_hidden_0123456789',
  CARD_PROCESSOR_WEBHOOK_SECRET_PREVIOUS: 'whsec_hidden_before_0123456789',
  ...Object.fromEntries(OF_EVENTS.map((name) => [name, `hidden-${name}`])),
  IDENTITY_VERIFIER_API_KEY: 'hidden-identity-0123456789',
  EMAIL_PROVIDER_API_KEY: 'hidden-email-0123456789',
  AI_API_KEY: 'hidden-model-0123456789',
  ESIGN_API_KEY: 'hidden-esign-0123456789',
  PUSH_SERVICE_ACCOUNT_KEY: JSON.stringify({
    ...{ project_id: 'hidden', client_email: 'push@example.com', private_key: '-----BEGIN hidden' },
    token_uri: 'https://oauth2.example.com/token',
  }),
  S3_BUCKET: 'documents',
  S3_ACCESS_KEY_ID: 'name',
  S3_SECRET_ACCESS_KEY: 'hidden-store',
  PORT: '8787',
};

test('a variable counts as one that opens something exactly when its name says so', (t) => {
  for (const { name, confidential } of VARIABLES) t.is(confidential, OPENS.test(name), name);
  t.deepEqual(
    VARIABLES.filter(({ name, confidential }) => confidential && !(name in full)).map(({ name }) => name),
    [],
    'all of them are tried here',
  );
});

for (const process of SERVICES) {
  const mine = MAY_HOLD[process] ?? [];
  const load = LOADERS[process] as (variables: Variables) => object;

  test(`npm start gives ${process} what it needs to start and nothing else that opens anything`, (t) => {
    const given = environmentOf(process, full);
    t.deepEqual(
      Object.keys(given)
        .filter((name) => OPENS.test(name))
        .toSorted(),
      mine.toSorted(),
    );
    t.notThrows(() => load(given));
  });

  test(`${process} refuses each secret and database address of others by name, and shows no value`, (t) => {
    const foreign = VARIABLES.filter(({ name, confidential }) => confidential && !mine.includes(name));
    t.not(foreign.length, 0);
    for (const { name } of foreign) {
      for (const ENVIRONMENT of ['local', 'sandbox', 'production']) {
        const variables = { ...variablesOf(process, full), ENVIRONMENT, [name]: full[name] };
        const error = t.throws(() => load(variables), { instanceOf: ConfigError }, name);
        t.regex(error.message, new RegExp(`^  ${name} is for [a-z]`, 'm'));
        t.false(error.message.includes(full[name] ?? ''), name);
      }
    }
  });

  test(`${process} does not mind settings of others that open nothing, nor empty ones`, (t) => {
    const settings = {
      AUTH_PORT: '1',
      S3_BUCKET: 'shared',
      PORTAL_ORIGINS: '',
      TRUST_PROXY: 'false',
      DATABASE_URL: '',
    };
    t.notThrows(() => load({ ...variablesOf(process, full), ...settings }));
  });

  test(`the ${process} process, started by itself with all of .env, ends immediately and names the variables it should not have`, async (t) => {
    const { code, stderr } = await runScript(ENTRIES[process] ?? '', bareEnvironment(full));
    t.not(code, 0);
    for (const { name, confidential } of VARIABLES) {
      if (confidential) t.is(new RegExp(`^  ${name} is for `, 'm').test(stderr), !mine.includes(name), name);
    }
    t.notRegex(stderr, /hidden|0123456789abcdef/);
  });
}

test('a configuration has no field for settings its process may not hold, nor has its type', (t) => {
  const [worker, auth, api] = [
    load(loadWorkerConfig, 'worker'),
    load(loadAuthConfig, 'auth'),
    load(loadApiConfig, 'api'),
  ];
  const forbidden: [object, string[]][] = [
    [worker, ['jwtSecret', 'apiSecret', 'authSecret', 'acceptedSecrets', 'databaseAuthUrl', 'kvCache', 'microsoft']],
    [auth, ['apiSecret', 'databaseAppUrl', 'databaseOpsUrl', 'cardProcessor', 's3', 'payloadKeys', 'temporalSecurity']],
    [api, ['databaseAuthUrl', 'microsoft']],
  ];
  for (const [config, fields] of forbidden) for (const field of fields) t.false(field in config, field);
  // @ts-expect-error A worker signs nothing.
  t.is(worker.jwtSecret, undefined);
  // @ts-expect-error A worker takes no events from the card processor.
  t.is(worker.cardProcessor.webhookSecrets, undefined);
  // @ts-expect-error The authentication service reads no business rows.
  t.is(auth.databaseAppUrl, undefined);
  // @ts-expect-error The authentication service reads nothing of workflows.
  t.is(auth.payloadKeys, undefined);
  // @ts-expect-error The authentication service does not know the machine secret.
  t.is(auth.acceptedSecrets.apiSecret, undefined);
  // @ts-expect-error The API reads no accounts.
  t.is(api.databaseAuthUrl, undefined);
});

const load = <Config>(loader: (variables: Variables) => Config, process: ProcessName) =>
  loader(variablesOf(process, full));

test('the servers that npm start runs get no setting of ours and none of the person who starts it', (t) => {
  const person = { PATH: '/bin', HOME: '/root', AWS_SECRET_ACCESS_KEY: 'x', PGPASSWORD: 'x', NPM_TOKEN: 'x', ...full };
  t.deepEqual(systemEnvironment(person), { PATH: '/bin', HOME: '/root' });
  t.is(environmentOf('worker', person).AWS_SECRET_ACCESS_KEY, 'x');
  t.is(environmentOf('api', person).AWS_SECRET_ACCESS_KEY, 'x');
  t.is(environmentOf('auth', person).AWS_SECRET_ACCESS_KEY, undefined);
});
