// The configuration of the external providers: refusals, and the effect of missing variables.
import test from 'ava';
import { ConfigError, loadApiConfig, loadSupervisorConfig, loadWorkerConfig, SECRET_NAMES } from '../config.ts';
import { DomainError } from '../domain/errors.ts';
import { createIdentityVerifier } from '../providers/identity/persona.ts';
import { createMail } from '../providers/mail.ts';
import { startEmailProvider } from '../stand-ins/email-provider/server.ts';
import { startIdentityVerifier } from '../stand-ins/identity-verifier/server.ts';

/** What a worker needs. */
const worker: Record<string, string> = {
  DATABASE_APP_URL: 'postgres://bindery_app:app@localhost/bindery',
  DATABASE_OPS_URL: 'postgres://bindery_ops:ops@localhost/bindery',
};
/** What an API needs. */
const complete: Record<string, string> = {
  ...Object.fromEntries(SECRET_NAMES.map((name) => [name, `${name}-0123456789abcdef0123456789abcdef`])),
  ...worker,
};
const KEY = 'sk_test_0123456789abcdef';

test('the services start without variables, with no card processor and no bucket', (t) => {
  t.deepEqual(loadApiConfig(complete).cardProcessor, { secretKey: null, baseUrl: null, webhookSecrets: [] });
  const { cardProcessor, s3 } = loadWorkerConfig(worker);
  t.deepEqual(cardProcessor, { secretKey: null, baseUrl: null });
  t.is(s3, null);
});

test('the current secret of the events comes first, and the one before is still accepted', (t) => {
  const { cardProcessor } = loadApiConfig({
    ...complete,
    CARD_PROCESSOR_WEBHOOK_SECRET: 'whsec_current_0123456789',
    CARD_PROCESSOR_WEBHOOK_SECRET_PREVIOUS: 'whsec_previous_0123456789',
  });
  t.deepEqual(cardProcessor.webhookSecrets, ['whsec_current_0123456789', 'whsec_previous_0123456789']);
});

/** Where each provider is called, and the processes that call it. */
const BASE_URLS: Record<string, ((url: string) => string | null)[]> = {
  CARD_PROCESSOR_BASE_URL: [
    (url) => loadApiConfig({ ...complete, CARD_PROCESSOR_BASE_URL: url }).cardProcessor.baseUrl,
    (url) => loadWorkerConfig({ ...worker, CARD_PROCESSOR_BASE_URL: url }).cardProcessor.baseUrl,
  ],
  EMAIL_PROVIDER_BASE_URL: [
    (url) => loadApiConfig({ ...complete, EMAIL_PROVIDER_BASE_URL: url }).emailProvider.baseUrl,
    (url) => loadWorkerConfig({ ...worker, EMAIL_PROVIDER_BASE_URL: url }).emailProvider.baseUrl,
  ],
  ESIGN_BASE_URL: [(url) => loadWorkerConfig({ ...worker, ESIGN_BASE_URL: url }).signing.baseUrl],
  IDENTITY_VERIFIER_BASE_URL: [
    (url) => loadApiConfig({ ...complete, IDENTITY_VERIFIER_BASE_URL: url }).identityVerifier.baseUrl,
  ],
};

for (const [name, loads] of Object.entries(BASE_URLS)) {
  test(`the key that goes to ${name} never crosses a network in the clear`, (t) => {
    for (const load of loads) {
      for (const url of [
        'http://provider.example.com',
        'http://127.0.0.1.example.com',
        'ftp://127.0.0.1',
        'cards',
        'https://provider.example.com/v1',
      ]) {
        const error = t.throws(() => load(url), { instanceOf: ConfigError });
        t.true(error.message.includes(`${name} must be an https address`), url);
        t.false(error.message.includes(url), 'no value is shown');
      }
      for (const url of [
        'https://provider.example.com',
        'http://127.0.0.1:8790',
        'http://localhost:8790',
        'http://[::1]:1',
      ]) {
        t.is(load(url), url);
      }
    }
  });
}

test('the keys of the identity verifier and of the email provider go from their variables to their calls', async (t) => {
  const [apiKey, webhookSecret] = ['key-of-the-tests-0123456789', 'whsec_c2VjcmV0LW9mLXRoZS10ZXN0cy0wMTIzNDU2Nzg5'];
  const [verifier, mailer] = [
    await startIdentityVerifier({ apiKey, webhookSecret }),
    await startEmailProvider({ apiKey, webhookSecret }),
  ];
  t.teardown(() => Promise.all([verifier.close(), mailer.close()]));
  const inquiry = { idempotencyKey: 'k', producerId: 'prd_1' };
  const start = async (variables: object) =>
    createIdentityVerifier(loadApiConfig({ ...complete, ...variables }).identityVerifier).startInquiry(inquiry);
  const verifierUrl = { IDENTITY_VERIFIER_BASE_URL: verifier.url };
  t.regex((await start({ ...verifierUrl, IDENTITY_VERIFIER_API_KEY: apiKey })).inquiryId, /./);
  for (const key of [{}, { IDENTITY_VERIFIER_API_KEY: 'another-key-0123456789' }]) {
    await t.throwsAsync(start({ ...verifierUrl, ...key }), { instanceOf: DomainError });
  }
  const mail = { to: 'a@example.test', subject: 'Notice', text: 'Text.', messageId: 'n.1@bindery' };
  for (const config of [loadApiConfig({ ...complete, ...mailKey() }), loadWorkerConfig({ ...worker, ...mailKey() })]) {
    t.true(mailer.emails.has((await createMail(config).send(mail)) ?? ''));
  }
  function mailKey() {
    return { EMAIL_PROVIDER_BASE_URL: mailer.url, EMAIL_PROVIDER_API_KEY: apiKey };
  }
});

test('private receivers of webhooks are allowed outside production, and in production no process starts with them', (t) => {
  const keys = { PAYLOAD_KEYS: `k:${Buffer.alloc(32, 1).toString('base64')}` };
  const allowed = { WEBHOOK_ALLOWED_NETWORKS: '10.1.0.0/16, fd00:1::/32' };
  const loads = [
    (variables: object) => loadApiConfig({ ...complete, ...keys, ...variables }),
    (variables: object) => loadWorkerConfig({ ...worker, ...keys, ...variables }),
  ];
  for (const load of loads) {
    for (const ENVIRONMENT of ['local', 'sandbox']) {
      t.deepEqual(load({ ...allowed, ENVIRONMENT }).outboundPolicy, {
        allowsLoopback: true,
        allowedNetworks: ['10.1.0.0/16', 'fd00:1::/32'],
      });
    }
    t.throws(() => load({ ...allowed, ENVIRONMENT: 'production' }), {
      instanceOf: ConfigError,
      message: /WEBHOOK_ALLOWED_NETWORKS must not be set in production/,
    });
    t.deepEqual(load({ ENVIRONMENT: 'production' }).outboundPolicy, {
      allowsLoopback: false,
      allowedNetworks: [],
    });
    t.throws(() => load({ WEBHOOK_ALLOWED_NETWORKS: '10.1.0.0' }), { instanceOf: ConfigError });
  }
});

test('our credentials at the collector of traces never cross a network in the clear', (t) => {
  const headers = { OTEL_EXPORTER_OTLP_HEADERS: 'authorization=secret-of-the-collector' };
  for (const url of ['http://traces.example.com', 'http://127.0.0.1.example.com']) {
    for (const load of [
      () => loadApiConfig({ ...complete, ...to(url) }),
      () => loadWorkerConfig({ ...worker, ...to(url) }),
    ]) {
      const error = t.throws(load, { instanceOf: ConfigError });
      t.regex(error.message, /OTEL_EXPORTER_OTLP_ENDPOINT must be an https address/, url);
      t.false(error.message.includes('secret-of-the-collector'));
    }
  }
  for (const url of ['https://traces.example.com', 'http://127.0.0.1:4318']) {
    t.deepEqual(loadApiConfig({ ...complete, ...to(url) }).tracing?.headers, {
      authorization: 'secret-of-the-collector',
    });
  }
  function to(url: string) {
    return { ...headers, OTEL_EXPORTER_OTLP_ENDPOINT: url };
  }
});

test('a truncated key or one with a blank is refused, and no value is shown', (t) => {
  for (const value of ['sk_test', 'sk_test_0123456789 abcdef']) {
    const error = t.throws(() => loadApiConfig({ ...complete, CARD_PROCESSOR_SECRET_KEY: value }));
    t.regex(error.message, /CARD_PROCESSOR_SECRET_KEY must have at least 8 characters and no blanks/);
    t.false(error.message.includes(value));
  }
});

test('a bucket is used with both halves of a key, or with the credentials of the machine', (t) => {
  const bucket = { ...worker, S3_BUCKET: 'documents' };
  t.deepEqual(loadWorkerConfig(bucket).s3, {
    bucket: 'documents',
    region: 'us-east-1',
    endpoint: null,
    credentials: null,
  });
  const credentials = { S3_ACCESS_KEY_ID: 'name', S3_SECRET_ACCESS_KEY: 'secret' };
  t.deepEqual(loadWorkerConfig({ ...bucket, ...credentials }).s3?.credentials, {
    accessKeyId: 'name',
    secretAccessKey: 'secret',
  });
  t.throws(() => loadWorkerConfig({ ...bucket, S3_ACCESS_KEY_ID: 'name' }), {
    message: 'S3_SECRET_ACCESS_KEY must be set too',
  });
  t.throws(() => loadWorkerConfig({ ...bucket, S3_SECRET_ACCESS_KEY: 's' }), {
    message: 'S3_ACCESS_KEY_ID must be set too',
  });
});

test('npm start runs a card processor where the installation is local and has no other', (t) => {
  t.is(loadSupervisorConfig({}).localCardProcessorPort, 8790);
  t.is(loadSupervisorConfig({ CARD_PROCESSOR_PORT: '9000' }).localCardProcessorPort, 9000);
  t.is(loadSupervisorConfig({ CARD_PROCESSOR_SECRET_KEY: KEY }).localCardProcessorPort, null);
  t.is(loadSupervisorConfig({ ENVIRONMENT: 'sandbox' }).localCardProcessorPort, null);
  t.is(loadSupervisorConfig({ ENVIRONMENT: 'production' }).localCardProcessorPort, null);
});

test('a worker with a key for envelopes refuses a provider at which none can be created', (t) => {
  const key = { ...worker, ESIGN_API_KEY: 'esign-key-0123456789abcdef' };
  t.is(loadWorkerConfig(key).signing.apiKey, key.ESIGN_API_KEY);
  t.is(loadWorkerConfig({ ...worker, ESIGN_PROVIDER: 'docusign' }).signing.apiKey, null);
  for (const ESIGN_PROVIDER of ['docusign', 'documenso', 'generic']) {
    const error = t.throws(() => loadWorkerConfig({ ...key, ESIGN_PROVIDER }), { instanceOf: ConfigError });
    t.regex(error.message, /ESIGN_API_KEY needs ESIGN_PROVIDER=boldsign/, ESIGN_PROVIDER);
  }
});
