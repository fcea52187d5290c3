// The configuration: what is refused, what a refusal shows, and that the documentation is complete.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import {
  ConfigError,
  loadApiConfig,
  loadAuthConfig,
  loadCardProcessorConfig,
  loadMigrationConfig,
  loadSupervisorConfig,
  loadWorkerConfig,
  SECRET_NAMES,
  VARIABLES,
  variablesOf,
} from '../config.ts';
import { TEST_PAYLOAD_KEYS } from './support/payload-keys.ts';
import { readSources } from './support/tidy/source.ts';

const secretOf = (name: string) => `${name}-0123456789abcdef0123456789abcdef`;
/** What an API reads. */
const complete: Record<string, string> = {
  ...Object.fromEntries(SECRET_NAMES.map((name) => [name, secretOf(name)])),
  DATABASE_APP_URL: 'postgres://bindery_app:app@localhost/bindery',
  DATABASE_OPS_URL: 'postgres://bindery_ops:ops@localhost/bindery',
  PAYLOAD_KEYS: TEST_PAYLOAD_KEYS,
};
/** What a whole installation has. */
const full: Record<string, string> = {
  ...complete,
  DATABASE_URL: 'postgres://owner@localhost/bindery',
  DATABASE_AUTH_URL: 'postgres://bindery_auth:auth@localhost/bindery',
  CARD_PROCESSOR_SECRET_KEY: 'sk_test_0123456789abcdef',
  CARD_PROCESSOR_WEBHOOK_SECRET: 'whsec_0123456789abcdef',
};
const example = readFileSync(join(import.meta.dirname, '../.env.example'), 'utf8');
/** Each assignment with the readers that the nearest comment above it names in brackets. */
const documented: { name: string; value: string; readers: string }[] = [];
for (const [, readers, name, value = ''] of example.matchAll(/^# \[([^\]]+)\]|^([A-Z][A-Z0-9_]*)=(.*)$/gm)) {
  if (name === undefined) documented.push({ name: '', value: '', readers: readers ?? '' });
  else documented.push({ name, value, readers: documented.at(-1)?.readers ?? '' });
}
const assignments = documented.filter(({ name }) => name !== '');

test('a complete configuration has the documented defaults', (t) => {
  const config = loadApiConfig(complete);
  t.is(config.environment, 'local');
  t.is(config.port, 8787);
  t.is(loadAuthConfig(variablesOf('auth', full)).authPort, 8788);
  t.is(config.authUrl, 'http://localhost:8788');
  t.is(config.baseUrl, 'http://localhost:8787');
  t.is(config.temporalAddress, '127.0.0.1:7233');
  t.is(config.kvCache, null);
  t.false(config.trustProxy);
});

test('an empty variable counts as one that is not set', (t) => {
  t.is(loadApiConfig({ ...complete, PORT: '', KV_CACHE: '' }).port, 8787);
});

test('a missing secret is named', (t) => {
  for (const name of SECRET_NAMES) {
    const { [name]: _, ...rest } = complete;
    t.throws(() => loadApiConfig(rest), { instanceOf: ConfigError, message: new RegExp(`\\b${name} is missing`) });
  }
});

test('a secret under 32 bytes is refused, counted in bytes and not in characters', (t) => {
  t.throws(() => loadApiConfig({ ...complete, JWT_SECRET: 'x'.repeat(31) }), {
    message: /JWT_SECRET must have at least 32/,
  });
  t.notThrows(() => loadApiConfig({ ...complete, JWT_SECRET: 'x'.repeat(32) }));
  t.notThrows(() => loadApiConfig({ ...complete, JWT_SECRET: 'ü'.repeat(16) }));
});

test('two equal secrets are refused, and both are named', (t) => {
  for (const name of SECRET_NAMES.slice(1)) {
    const message = new RegExp(`${name} equals JWT_SECRET|JWT_SECRET equals ${name}`);
    t.throws(() => loadApiConfig({ ...complete, [name]: complete.JWT_SECRET ?? '' }), { message });
  }
});

test('a malformed variable is named, and no value is shown', (t) => {
  const malformed: Record<string, string> = {
    ENVIRONMENT: 'bad-value-staging',
    PORT: 'bad-value-port',
    TRUST_PROXY: 'bad-value-maybe',
    LOG_LEVEL: 'bad-value-loud',
    DATABASE_APP_URL: 'mysql://bad-value',
    TEMPORAL_ADDRESS: 'bad-value-without-port',
    KV_CACHE: 'http://bad-value',
    JWT_SECRET: 'bad-value-short',
  };
  const { message } = t.throws(() => loadApiConfig({ ...complete, ...malformed }), {
    instanceOf: ConfigError,
  }) as ConfigError;
  for (const name of Object.keys(malformed)) t.regex(message, new RegExp(`^  ${name} `, 'm'));
  t.notRegex(message, /bad-value|mysql/);
});

test('ports outside 1 to 65535 are refused', (t) => {
  for (const port of ['0', '65536', '80.5', '-1']) {
    t.throws(() => loadApiConfig({ ...complete, PORT: port }), { message: /PORT / }, port);
  }
});

test('the demo is on by default except in production', (t) => {
  t.true(loadMigrationConfig(full).demo);
  t.false(loadMigrationConfig({ ...full, ENVIRONMENT: 'production' }).demo);
  t.true(loadMigrationConfig({ ...full, ENVIRONMENT: 'production', DEMO: 'true' }).demo);
});

test('pages that may call from a browser are https origins, none by default, and locally those of the portals', (t) => {
  const portals = { PORTAL_ORIGINS: 'admin=https://admin.example.com,finance=https://finance.example.com' };
  t.deepEqual(loadApiConfig(complete).corsOrigins, []);
  t.deepEqual(loadApiConfig({ ...complete, ...portals }).corsOrigins, [
    'https://admin.example.com',
    'https://finance.example.com',
  ]);
  t.deepEqual(loadApiConfig({ ...complete, ...portals, ENVIRONMENT: 'production' }).corsOrigins, []);
  const listed = { CORS_ORIGINS: 'https://app.example.com, http://localhost:5173', ENVIRONMENT: 'production' };
  t.deepEqual(loadApiConfig({ ...complete, ...portals, ...listed }).corsOrigins, [
    'https://app.example.com',
    'http://localhost:5173',
  ]);
  for (const wrong of ['*', 'http://app.example.com', 'https://app.example.com/', 'https://app.example.com,', 'null']) {
    t.throws(() => loadApiConfig({ ...complete, CORS_ORIGINS: wrong }), { message: /CORS_ORIGINS / }, wrong);
  }
});

test('the migration needs the owner and no secrets, and npm start needs nothing', (t) => {
  t.throws(() => loadMigrationConfig(complete), { message: /DATABASE_URL is missing/ });
  t.notThrows(() => loadMigrationConfig(variablesOf('migration', full)));
  t.is(loadSupervisorConfig({}).databaseUrl, null);
  t.is(loadSupervisorConfig({}).temporalAddress, null);
});

test('.env.example documents every variable, each with its default and its readers, and no other', (t) => {
  t.deepEqual(
    assignments.map(({ name }) => name),
    VARIABLES.map(({ name }) => name),
  );
  for (const { name, fallback, readBy } of VARIABLES) {
    const found = assignments.find((variable) => variable.name === name);
    t.is(found?.value, fallback ?? '', name);
    t.is(found?.readers, readBy.join(', ') || 'npm start', name);
  }
});

test('every variable is described, and every field of a configuration is read by something', (t) => {
  t.deepEqual(
    VARIABLES.filter(({ description }) => description === ''),
    [],
  );
  const code = readSources()
    .filter(({ path }) => !path.startsWith('config') && !path.startsWith('test/'))
    .map(({ codeLines }) => codeLines.join('\n'))
    .join('\n');
  const configurations: object[] = [
    loadApiConfig(variablesOf('api', full)),
    loadWorkerConfig(variablesOf('worker', full)),
    loadAuthConfig(variablesOf('auth', full)),
    loadCardProcessorConfig(variablesOf('card-processor', full)),
    loadMigrationConfig(full),
    loadSupervisorConfig({}),
  ];
  const fields = new Set(configurations.flatMap(Object.keys));
  const unread = [...fields].filter((field) => !new RegExp(`[.{,]\\s*${field}\\b`).test(code));
  t.deepEqual(unread, []);
});
