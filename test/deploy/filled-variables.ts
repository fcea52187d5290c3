// What a person may fill in for an installation's variables, so that none hides by being empty.
import { TEST_PAYLOAD_KEYS } from '../support/payload-keys.ts';

const FILLED: Readonly<Record<string, string>> = {
  ENVIRONMENT: 'production',
  LOG_LEVEL: 'info',
  PAYLOAD_KEYS: TEST_PAYLOAD_KEYS,
  ESIGN_PROVIDER: 'boldsign',
  AI_PROVIDER: 'anthropic',
  PUSH_SERVICE_ACCOUNT_KEY: JSON.stringify({
    ...{ project_id: 'app', client_email: 'push@example.com', private_key: '-----BEGIN PRIVATE KEY-----' },
    token_uri: 'https://oauth2.example.com/token',
  }),
  BASE_URL: 'https://api.example.com',
  AUTH_URL: 'https://auth.example.com',
  SMTP_URL: 'smtps://someone:password@mail.example.com',
  KV_CACHE: 'rediss://:password@cache.example.com:6379',
  S3_ENDPOINT: 'https://s3.example.com',
  PORTAL_ORIGINS: 'admin=https://admin.example.com',
  CORS_ORIGINS: 'https://app.example.com',
  OTEL_EXPORTER_OTLP_ENDPOINT: 'https://traces.example.com',
  OTEL_EXPORTER_OTLP_HEADERS: 'x-key=a-key-of-the-collector',
  OTEL_TRACES_SAMPLER_ARG: '0.5',
  MICROSOFT_TENANT_ID: 'a9b8c7d6-0000-4000-8000-000000000001',
  DATABASE_URL: 'postgres://bindery:password@db.example.com/bindery',
  DATABASE_APP_URL: 'postgres://bindery_app:password1@db.example.com/bindery',
  DATABASE_OPS_URL: 'postgres://bindery_ops:password2@db.example.com/bindery',
  DATABASE_AUTH_URL: 'postgres://bindery_auth:password3@db.example.com/bindery',
};

/** Gives a variable a value; each secret gets its own text. */
export function filled(variable: string): string {
  return FILLED[variable] ?? `${variable}-0123456789abcdef0123456789abcdef`;
}
