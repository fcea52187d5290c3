// How Temporal is reached and what encrypts its payloads: what is read, what is refused, and what a refusal shows.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import {
  ConfigError,
  loadApiConfig,
  loadSupervisorConfig,
  loadWorkerConfig,
  SECRET_NAMES,
  variablesOf,
} from '../config.ts';
import { connectionOptions } from '../providers/temporal.ts';
import { payloadKey } from './support/payload-keys.ts';

const complete: Record<string, string> = {
  ...Object.fromEntries(SECRET_NAMES.map((name) => [name, `${name}-0123456789abcdef0123456789abcdef`])),
  DATABASE_APP_URL: 'postgres://bindery_app:app@localhost/bindery',
  DATABASE_OPS_URL: 'postgres://bindery_ops:ops@localhost/bindery',
};
const load = (variables: Record<string, string>) => loadApiConfig({ ...complete, ...variables });
const CLOUD = { TEMPORAL_ADDRESS: 'mga.a1b2c.tmprl.cloud:7233', TEMPORAL_NAMESPACE: 'mga.a1b2c' };

const folder = mkdtempSync(join(tmpdir(), 'bindery-config-'));
test.after.always(() => rmSync(folder, { recursive: true, force: true }));
const file = (name: string, content: string) => {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
};
const bytes = (text: string) => new TextEncoder().encode(text);

test('an API key connects with TLS to the namespace that is given', (t) => {
  const config = load({ ...CLOUD, TEMPORAL_API_KEY: 'secret-api-key' });
  t.deepEqual(connectionOptions(config), { address: CLOUD.TEMPORAL_ADDRESS, apiKey: 'secret-api-key', tls: true });
  t.is(config.temporalNamespace, 'mga.a1b2c');
});

test('mutual TLS takes certificate, key and authority as files or as texts', (t) => {
  const config = load({
    ...CLOUD,
    TEMPORAL_TLS_CLIENT_CERT_PATH: file('client.pem', 'certificate'),
    TEMPORAL_TLS_CLIENT_KEY_DATA: 'private key',
    TEMPORAL_TLS_SERVER_CA_CERT_PATH: file('ca.pem', 'authority'),
    TEMPORAL_TLS_SERVER_NAME: 'temporal.internal',
  });
  const pair = { crt: bytes('certificate'), key: bytes('private key') };
  const tls = { clientCertPair: pair, serverRootCACertificate: bytes('authority') };
  t.like(config.temporalSecurity, { tls: { ...tls, serverNameOverride: 'temporal.internal' } });
});

test('the connection is a plain one to this machine without any setting', (t) => {
  t.deepEqual(connectionOptions(load({})), { address: '127.0.0.1:7233' });
  t.is(load({}).temporalNamespace, 'default');
});

test('a profile is read from the file that is named, and the variables win over it', (t) => {
  const profiles =
    '[profile.default]\naddress="a:1"\n[profile.prod]\naddress="b:2"\nnamespace="prod"\napi_key="from-file"';
  const variables = { TEMPORAL_CONFIG_FILE: file('temporal.toml', profiles), TEMPORAL_PROFILE: 'prod' };
  const config = load(variables);
  t.like(config, { temporalAddress: 'b:2', temporalNamespace: 'prod', temporalSecurity: { apiKey: 'from-file' } });
  t.like(load({ ...variables, TEMPORAL_NAMESPACE: 'other' }), { temporalAddress: 'b:2', temporalNamespace: 'other' });
  t.is(loadSupervisorConfig(variables).temporalAddress, 'b:2');
});

test('an impossible connection is refused by name, without a value', (t) => {
  const broken = file('broken.toml', '[profile.default]\napi_key = secret-value');
  const wrong: [Record<string, string>, RegExp][] = [
    [{ TEMPORAL_CONFIG_FILE: join(folder, 'missing.toml') }, /TEMPORAL_CONFIG_FILE names a file that is not there/],
    [{ TEMPORAL_CONFIG_FILE: broken }, /TEMPORAL_CONFIG_FILE/],
    [{ TEMPORAL_CONFIG_FILE: file('empty.toml', '[profile.a]'), TEMPORAL_PROFILE: 'b' }, /profile/],
    [{ TEMPORAL_PROFILE: 'prod' }, /TEMPORAL_CONFIG_FILE must be set/],
    [{ TEMPORAL_API_KEY: 'secret-value' }, /TEMPORAL_ADDRESS must be too/],
    [{ TEMPORAL_TLS: 'true' }, /TEMPORAL_ADDRESS must be too/],
    [{ ...CLOUD, TEMPORAL_API_KEY: 'secret-value', TEMPORAL_TLS: 'false' }, /TEMPORAL_TLS must not be false/],
    [{ ...CLOUD, TEMPORAL_TLS_CLIENT_CERT_DATA: 'secret-value' }, /TEMPORAL_TLS_CLIENT_KEY_PATH or …_DATA/],
    [{ ...CLOUD, TEMPORAL_TLS_CLIENT_KEY_DATA: 'secret-value' }, /TEMPORAL_TLS_CLIENT_CERT_PATH or …_DATA/],
    [{ ...CLOUD, TEMPORAL_TLS_SERVER_CA_CERT_PATH: join(folder, 'missing.pem') }, /TEMPORAL_TLS_…/],
    [{ ...CLOUD, TEMPORAL_TLS: 'secret-value' }, /TEMPORAL_TLS must be true or false/],
  ];
  for (const [variables, message] of wrong) {
    const error = t.throws(() => load(variables), { instanceOf: ConfigError, message }, String(message));
    t.notRegex(error?.message ?? '', /secret-value/);
  }
});

test('payload keys are required outside a local installation', (t) => {
  t.deepEqual(load({}).payloadKeys, []);
  for (const ENVIRONMENT of ['sandbox', 'production']) {
    t.throws(() => load({ ENVIRONMENT }), { instanceOf: ConfigError, message: /PAYLOAD_KEYS is missing/ });
    const worker = () => loadWorkerConfig(variablesOf('worker', { ...complete, ENVIRONMENT }));
    t.throws(worker, { instanceOf: ConfigError, message: /PAYLOAD_KEYS is missing/ });
    t.is(load({ ENVIRONMENT, PAYLOAD_KEYS: payloadKey('k1') }).payloadKeys.length, 1);
  }
});

test('payload keys have 32 bytes each and different ids, in their order; a refusal shows none', (t) => {
  const { payloadKeys } = load({ PAYLOAD_KEYS: `${payloadKey('k2')}, ${payloadKey('k1')}` });
  t.deepEqual(
    payloadKeys.map(({ id, key }) => [id, key.length]),
    [
      ['k2', 32],
      ['k1', 32],
    ],
  );
  const short = `k1:${Buffer.alloc(31, 7).toString('base64')}`;
  const long = `k1:${Buffer.alloc(33, 7).toString('base64')}`;
  const nameless = payloadKey('k1').slice('k1:'.length);
  const twice = `${payloadKey('k1')},${payloadKey('k1')}`;
  for (const wrong of [short, long, nameless, twice, `${payloadKey('k1')},`, 'k1:', payloadKey('k 1')]) {
    const error = t.throws(() => load({ PAYLOAD_KEYS: wrong }), { message: /PAYLOAD_KEYS must be id:key/ }, wrong);
    t.false(error?.message.includes(wrong));
  }
});
