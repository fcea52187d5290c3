// docker-compose.yml: complete, pinned, watched over, and in step with config.ts.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { parse } from 'yaml';
import { SECRET_NAMES, VARIABLES } from '../../config.ts';
import { ROOT } from './run-script.ts';

interface Service {
  image: string;
  build?: string;
  command?: string[];
  entrypoint?: string[];
  environment?: Record<string, string>;
  healthcheck?: { test: string[]; interval: string };
  restart?: string;
  deploy?: { replicas: number };
  volumes?: string[];
  depends_on?: Record<string, { condition: string }>;
}

const text = readFileSync(join(ROOT, 'docker-compose.yml'), 'utf8');
const compose = parse(text, { merge: true }) as { services: Record<string, Service>; volumes: Record<string, unknown> };
const services = Object.entries(compose.services);
const ours = services.filter(([, { build }]) => build !== undefined);
const jobs = ['migrate', 'temporal-schema', 'temporal-namespace'];

test('everything that an installation needs is there, the api and the worker twice', (t) => {
  const expected = ['api', 'auth', 'gateway', 'postgres', 's3', 'temporal', 'temporal-ui', 'valkey', 'worker', ...jobs];
  t.deepEqual(Object.keys(compose.services).sort(), expected.sort());
  t.is(compose.services.api?.deploy?.replicas, 2);
  t.is(compose.services.worker?.deploy?.replicas, 2);
});

test('every image is pinned to a version', (t) => {
  for (const [name, { image }] of services) t.regex(image, /^[\w./-]+:v?\d+\.\d+[\w.-]*$/, name);
});

test('every service that stays up has a health check, and every other is a job that is waited for', (t) => {
  for (const [name, { healthcheck }] of services) t.is(healthcheck === undefined, jobs.includes(name), name);
  for (const job of jobs) {
    const waiting = services.filter(
      ([, service]) => service.depends_on?.[job]?.condition === 'service_completed_successfully',
    );
    t.not(waiting.length, 0, job);
  }
});

test('what depends on a service waits until it is healthy, and depends on nothing that is not there', (t) => {
  for (const [name, { depends_on: dependencies = {} }] of services) {
    for (const [dependency, { condition }] of Object.entries(dependencies)) {
      t.true(dependency in compose.services, `${name} → ${dependency}`);
      const expected = jobs.includes(dependency) ? 'service_completed_successfully' : 'service_healthy';
      t.is(condition, expected, `${name} → ${dependency}`);
    }
  }
});

test('our services are given only variables that config.ts knows', (t) => {
  const known = new Set(VARIABLES.map(({ name }) => name));
  for (const [name, { environment = {} }] of ours) {
    t.deepEqual(
      Object.keys(environment).filter((variable) => !known.has(variable)),
      [],
      name,
    );
  }
});

test('api, worker and auth are given every secret and both connections, and never the owner of the tables', (t) => {
  for (const name of ['api', 'worker', 'auth']) {
    const environment = compose.services[name]?.environment ?? {};
    for (const needed of [...SECRET_NAMES, 'DATABASE_APP_URL', 'DATABASE_OPS_URL', 'TEMPORAL_ADDRESS', 'KV_CACHE']) {
      t.truthy(environment[needed], `${name} ${needed}`);
    }
    t.is(environment.DATABASE_URL, undefined, name);
  }
  t.truthy(compose.services.migrate?.environment?.DATABASE_URL);
});

test('no secret or password has a default', (t) => {
  for (const [, name, rest] of text.matchAll(/\$\{(\w+)([^}]*)\}/g)) {
    if (/SECRET|PASSWORD|KEY/.test(name ?? '')) t.regex(rest ?? '', /^:(\?|-$)/, name);
  }
});

test('docker/.env.example documents every variable that the file takes, and no other', (t) => {
  const documented = [...readFileSync(join(ROOT, 'docker/.env.example'), 'utf8').matchAll(/^([A-Z0-9_]+)=/gm)].map(
    ([, name]) => name,
  );
  const taken = new Set([...text.matchAll(/\$\{(\w+)/g)].map(([, name]) => name));
  t.deepEqual([...taken].sort(), documented.sort());
});

test('every file that is mounted or run exists, and every volume is named', (t) => {
  for (const [name, { command, volumes = [], build }] of services) {
    for (const volume of volumes) {
      const source = volume.split(':')[0] ?? '';
      t.true(source.startsWith('./') ? existsSync(join(ROOT, source)) : source in compose.volumes, `${name} ${volume}`);
    }
    if (build) t.true(existsSync(join(ROOT, command?.[0] ?? '')), `${name} ${command?.[0]}`);
  }
});
