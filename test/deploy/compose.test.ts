// docker-compose.yml: complete, pinned, monitored, and in step with config.ts.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { parse } from 'yaml';
import { ROUTES } from '../../api/routes/index.ts';
import { loadApiConfig, loadAuthConfig, loadMigrationConfig, loadWorkerConfig, VARIABLES } from '../../config.ts';
import { DomainError, ERROR_STATUS } from '../../domain/errors.ts';
import { errorBody } from '../../http/errors.ts';
import { TUNING } from '../../scripts/start/temporal/server.ts';
import { ROOT } from '../scripts/run-script.ts';
import { compose, environmentOf, ours, services, text } from './compose-file.ts';

const backups = readFileSync(join(ROOT, 'docker/backup.yml'), 'utf8');
const gateway = readFileSync(join(ROOT, 'docker/Caddyfile'), 'utf8');
const observers = ['grafana', 'prometheus', 'tempo'];
const jobs = ['migrate', 'temporal-schema', 'temporal-namespace'];

test('everything that an installation needs is there, the api and the workers twice', (t) => {
  const expected = [
    'api',
    'auth',
    'background',
    'gateway',
    'postgres',
    's3',
    'temporal',
    'temporal-ui',
    'valkey',
    'worker',
    ...jobs,
  ];
  t.deepEqual(Object.keys(compose.services).sort(), [...expected, ...observers].sort());
  t.is(compose.services.api?.deploy?.replicas, 2);
  t.is(compose.services.worker?.deploy?.replicas, 2);
  t.is(compose.services.background?.deploy?.replicas, 2);
});

test('every image is pinned to a version', (t) => {
  for (const [name, { image }] of services) t.regex(image, /^[\w./-]+:v?\d+\.\d+[\w.-]*$/, name);
});

/**
 * Its image contains no program but its own: Prometheus watches it from outside (test/deploy/observability.test.ts).
 */
const UNCHECKED = ['tempo'];

test('every service that stays up has a health check, and every other is a job that is waited for', (t) => {
  for (const [name, { healthcheck }] of services) {
    t.is(healthcheck === undefined, [...jobs, ...UNCHECKED].includes(name), name);
  }
  for (const job of jobs) {
    const waiting = services.filter(
      ([, service]) => service.depends_on?.[job]?.condition === 'service_completed_successfully',
    );
    t.not(waiting.length, 0, job);
  }
});

test('the output of a container is kept, but never fills the disk', (t) => {
  for (const [name, { logging }] of services) {
    t.is(logging?.driver, 'json-file', name);
    const { 'max-size': size = '', 'max-file': files = '' } = logging?.options ?? {};
    t.regex(size, /^[1-9]\d*m$/, name);
    t.true(Number(files) > 1, `${name}: what was printed before a file is full`);
  }
});

test('Temporal has 512 shards from its first start, since their number never changes afterwards', (t) => {
  t.is(compose.services.temporal?.environment?.NUM_HISTORY_SHARDS, '512');
  t.regex(readFileSync(join(ROOT, 'docs/operations.md'), 'utf8'), /NUM_HISTORY_SHARDS: "512"/);
});

test('the server of Compose has the switches of the one that npm start runs: priorities, fairness, eager starts', (t) => {
  const settings = parse(readFileSync(join(ROOT, 'docker/temporal/dynamic-config.yaml'), 'utf8')) as Record<
    string,
    { value: unknown }[]
  >;
  // How often the development server checks its single shard is a setting for that server alone.
  const shared = TUNING.filter((setting) => !setting.startsWith('history.')).map((setting) => setting.split('='));
  t.true(shared.some(([name]) => name === 'matching.enableFairness'));
  const expected = shared.map(([name = '', value = '']) => [name, [{ value: JSON.parse(value) }]]);
  t.deepEqual(settings, Object.fromEntries(expected));
});

test('every dependent waits until its service is healthy, and depends only on services that exist', (t) => {
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

const LOADERS = { api: loadApiConfig, worker: loadWorkerConfig, auth: loadAuthConfig };

test('api, worker and auth start with their variables, each with its own and with none of another', (t) => {
  for (const [name, load] of Object.entries(LOADERS)) {
    t.notThrows(() => load(environmentOf(name)), name);
    const foreign = Object.keys(environmentOf(name)).filter(
      (variable) => !VARIABLES.find((known) => known.name === variable)?.readBy.includes(name as 'api'),
    );
    t.deepEqual(foreign, [], name);
  }
  t.notThrows(() => loadMigrationConfig(environmentOf('migrate')));
});

test('api and auth can reach what KV_CACHE names, api and worker store files, and single sign-on knows who may sign in', (t) => {
  t.truthy(loadApiConfig(environmentOf('api')).kvCache);
  t.truthy(loadAuthConfig(environmentOf('auth')).kvCache);
  t.truthy(loadAuthConfig(environmentOf('auth')).microsoft);
  t.truthy(loadWorkerConfig(environmentOf('worker')).s3);
  t.truthy(loadApiConfig(environmentOf('api')).s3);
  t.is(loadApiConfig(environmentOf('api')).cardProcessor.webhookSecrets.length, 2);
});

test('documents go to the store of Compose until an installation names another; an empty address is Amazon', (t) => {
  const { environment = {} } = compose.services.api ?? {};
  t.regex(environment.S3_ENDPOINT ?? '', /^\$\{S3_ENDPOINT-http:\/\/s3:8333\}$/, 'an empty one is kept');
  t.is(loadWorkerConfig({ ...environmentOf('worker'), S3_ENDPOINT: '' }).s3?.endpoint, null);
  t.regex(compose.services.s3?.command?.join(' ') ?? '', /-bucket=\$\{S3_BUCKET:-bindery\}/);
});

const networksOf = (name: string) => compose.services[name]?.networks ?? [];
/** The services that share a network with a service. */
const reach = (name: string) =>
  services
    .map(([other]) => other)
    .filter((other) => other !== name && networksOf(other).some((net) => networksOf(name).includes(net)));

test('the gateway is the one way in, and forwarded addresses are believed behind it alone', (t) => {
  const published = services.flatMap(([name, { ports = [] }]) => ports.map((port) => `${name} ${port}`));
  t.deepEqual(published.toSorted(), [
    'gateway 443:443',
    'gateway 443:443/udp',
    'gateway 80:80',
    'grafana 127.0.0.1:3000:3000',
    'temporal-ui 127.0.0.1:8233:8080',
  ]);
  for (const [name, { environment = {} }] of ours) {
    const isBehind = gateway.includes(`import pass ${name} `);
    t.is(environment.TRUST_PROXY, isBehind ? 'true' : undefined, name);
    t.is(networksOf(name).includes('front'), isBehind, name);
  }
  t.deepEqual(reach('gateway'), ['api', 'auth']);
});

test('each server is on networks that lead nowhere else, with the services that need it', (t) => {
  const inside: Record<string, string[]> = {
    postgres: ['api', 'worker', 'background', 'auth', 'migrate', 'temporal-schema', 'temporal'],
    temporal: ['api', 'worker', 'background', 'postgres', 'temporal-schema', 'temporal-namespace', 'temporal-ui'],
    valkey: ['api', 'auth'],
    s3: ['api', 'worker', 'background'],
  };
  for (const [server, neighbours] of Object.entries(inside)) {
    t.deepEqual(reach(server).toSorted(), neighbours.toSorted(), server);
    for (const network of networksOf(server)) t.true(compose.networks[network]?.internal, `${server} ${network}`);
  }
  // The engine's own address is on one network; its rows are on another one, which none of our processes is on.
  const engine = services.filter(([, { networks = [] }]) => networks.includes('engine')).map(([name]) => name);
  t.deepEqual(engine.toSorted(), ['api', 'background', 'temporal', 'temporal-namespace', 'temporal-ui', 'worker']);
  for (const [name, { networks = [] }] of services) {
    t.not(networks.length, 0, name);
    for (const network of networks) t.true(network in compose.networks, `${name} ${network}`);
  }
});

test('the gateway serves both addresses with TLS, names one client, trusts only the configured proxies, and keeps metrics internal', (t) => {
  for (const site of ['API_SITE', 'AUTH_SITE']) t.regex(gateway, new RegExp(`^\\{\\$${site}\\} \\{$`, 'm'));
  t.regex(gateway, /^\t\ttrusted_proxies static \{\$TRUSTED_PROXIES\}$/m);
  t.regex(gateway, /^\t\theader_up X-Forwarded-For \{client_ip\}$/m);
  t.regex(gateway, /\{\$API_SITE\} \{[^}]*path \/metrics\*\n\terror @inside 404/);
  const { environment = {} } = compose.services.gateway ?? {};
  t.regex(environment.TRUSTED_PROXIES ?? '', /:-127\.0\.0\.1\/32\}$/, 'nobody but itself unless a person says so');
  t.regex(environment.API_SITE ?? '', /^\$\{API_SITE:-\$\{BASE_URL:\?/);
  t.regex(environment.AUTH_SITE ?? '', /^\$\{AUTH_SITE:-\$\{AUTH_URL:\?/);
});

test('the gateway leaves out a process that does not respond, and resends only requests never received', (t) => {
  const number = (name: string) => Number(new RegExp(`^\\t\\t${name} (\\d+)`, 'm').exec(gateway)?.[1]);
  t.is(number('max_fails'), 1);
  t.true(
    number('fail_duration') < number('lb_try_duration'),
    'when all have failed, a call that waits tries one again',
  );
  t.is(number('request_buffers'), 1, 'MiB: a body can be sent again when nobody has taken it');
  t.notRegex(gateway, /lb_retry_match|health_uri/, 'Caddy sends only GETs again; probes do not run for names from DNS');
});

test('the gateway waits longer for a response than any operation may take', (t) => {
  const seconds = Number(/^\t\t\tresponse_header_timeout (\d+)s$/m.exec(gateway)?.[1]);
  const { commandDeadlineMs } = loadApiConfig(environmentOf('api'));
  const longestMs = Math.max(...ROUTES.map(({ deadlineMs = 0 }) => deadlineMs)) + commandDeadlineMs;
  t.true(seconds * 1_000 > longestMs, `${longestMs} ms`);
});

test('a refusal by the gateway reads like a refusal by the API', (t) => {
  const refusals = [...gateway.matchAll(/import refusal (\d+) (\w+) "([^"]+)" `?(\{.*?\})`?$/gm)];
  t.is(refusals.length, 2);
  for (const [, status, code, , details = ''] of refusals) {
    t.is(String(ERROR_STATUS[code as keyof typeof ERROR_STATUS]), status ?? '', code);
    t.notThrows(() => JSON.parse(details));
  }
  const body = /respond `(.*)` \{args\[0\]\}/.exec(gateway)?.[1] ?? '';
  const filled = body.replace('{args[3]}', '{}').replaceAll(/\{(args\[\d\]|request_id)\}/g, 'x');
  t.deepEqual(Object.keys(JSON.parse(filled)), Object.keys(errorBody(new DomainError('not_found', ''), 'req_x')));
  for (const site of ['API_SITE', 'AUTH_SITE']) {
    t.regex(gateway, new RegExp(`^\\{\\$${site}\\} \\{\\n\\timport named\\n\\timport refusals\\n`, 'm'));
  }
});

test("Temporal's web interface requests decryption from the api, under the access token of the signed-in user", (t) => {
  const { environment = {} } = compose.services['temporal-ui'] ?? {};
  t.regex(environment.TEMPORAL_CODEC_ENDPOINT ?? '', /^\$\{BASE_URL:\?[^}]*\}\/v1\/temporal-codec$/);
  t.is(environment.TEMPORAL_CODEC_PASS_ACCESS_TOKEN, 'true');
});

test('no secret or password has a default', (t) => {
  for (const [, name, rest] of text.matchAll(/\$\{(\w+)([^}]*)\}/g)) {
    if (/SECRET|PASSWORD|KEY/.test(name ?? '')) t.regex(rest ?? '', /^:(\?|-$)/, name);
  }
});

test('docker/.env.example documents every variable that the file and that of backups take, and no other', (t) => {
  const documented = [...readFileSync(join(ROOT, 'docker/.env.example'), 'utf8').matchAll(/^([A-Z0-9_]+)=/gm)].map(
    ([, name]) => name,
  );
  const taken = new Set([...`${text}${backups}`.matchAll(/\$\{(\w+)/g)].map(([, name]) => name));
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
