// The Dockerfile's image: what it consists of, and that its commands run in a container.
import { readFileSync } from 'node:fs';
import { join, matchesGlob } from 'node:path';
import test from 'ava';
import { GUIDES } from '../../api/reference/guides.ts';
import { loadApiConfig, loadMigrationConfig, loadSupervisorConfig } from '../../config.ts';
import { keptPayloadKeys } from '../../scripts/start/payload-keys.ts';
import { localCredentials } from '../../scripts/start/secrets.ts';
import { filesOf } from '../scripts/files-of.ts';
import { ROOT } from '../scripts/run-script.ts';
import { environmentOf, ours } from './compose-file.ts';

test('the image runs the Node of the package, which the tests run on, and installs for it', (t) => {
  const { devDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const stages = readFileSync(join(ROOT, 'Dockerfile'), 'utf8').match(/^FROM .*$/gm);
  const base = `FROM node:${devDependencies.node}-bookworm-slim AS base`;
  t.deepEqual(stages, [base, 'FROM base AS dependencies', 'FROM base']);
});

const lines = (name: string) => readFileSync(join(ROOT, name), 'utf8').split('\n');
const copied = lines('Dockerfile').flatMap((line) => /^COPY (?!--)(.+) \S+$/.exec(line)?.[1]?.split(' ') ?? []);
const isCopied = (file: string) => copied.some((path) => matchesGlob(file, path) || file.startsWith(`${path}/`));

test('the image has every file that its processes consist of and every page that they show, and its build is given them', (t) => {
  const given = lines('.dockerignore').flatMap((line) => /^!(.+)$/.exec(line)?.[1] ?? []);
  t.deepEqual(
    copied.filter((path) => !given.includes(path)),
    [],
  );
  const files = ours.flatMap(([, { command = [] }]) => [...filesOf(command[0] ?? '')]);
  files.push(...filesOf('scripts/healthcheck.ts'), ...GUIDES.map(({ file }) => join('docs', file)));
  t.true(files.includes('config/worker.ts') && files.includes('CHANGELOG.md'));
  t.deepEqual(
    files.filter((file) => !isCopied(file)),
    [],
  );
});

test('no process of the image, and no command for operators, imports a development dependency', (t) => {
  const { devDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const commands = ['admin', 'ops', 'audit-verify', 'migrate', 'healthcheck'].map((name) => `scripts/${name}.ts`);
  const entries = [...ours.flatMap(([, { command = [] }]) => command[0] ?? []), ...commands];
  const files = new Set(entries.flatMap((entry) => [...filesOf(entry)]).filter((file) => file.endsWith('.ts')));
  t.true(files.size > 100);
  const imported = [...files].flatMap((file) =>
    [...readFileSync(join(ROOT, file), 'utf8').matchAll(/^(?:import(?! type)\b[^;]*?|\} from )'([^.'][^']*)';$/gm)].map(
      ([, name = '']) => ({ file, name: name.split('/', name.startsWith('@') ? 2 : 1).join('/') }),
    ),
  );
  t.true(imported.some(({ name }) => name === 'zod'));
  t.deepEqual(
    imported.filter(({ name }) => Object.hasOwn(devDependencies, name)),
    [],
  );
});

/** A folder in which no start has stored secrets: a command knows only its environment. */
const NOWHERE = join(ROOT, 'test/deploy/nowhere');

test('admin, ops, healing and audit:verify find all that they need in a container of the api', (t) => {
  const variables = environmentOf('api');
  const config = loadSupervisorConfig({ ...variables, DATA_DIR: NOWHERE });
  const { DATABASE_APP_URL, DATABASE_OPS_URL, TEMPORAL_ADDRESS, TEMPORAL_NAMESPACE, API_SECRET } = variables;
  t.like(config, { databaseAppUrl: DATABASE_APP_URL, databaseOpsUrl: DATABASE_OPS_URL }, 'ops, audit:verify');
  t.like(config, { temporalAddress: TEMPORAL_ADDRESS, temporalNamespace: TEMPORAL_NAMESPACE }, 'ops, healing');
  t.deepEqual(keptPayloadKeys(config), loadApiConfig(variables).payloadKeys, 'the reason of a skip is encrypted');
  t.not(keptPayloadKeys(config).length, 0);
  t.is(config.port, loadApiConfig(variables).port, 'admin calls the api of its container');
  t.is(localCredentials(variables, NOWHERE).apiSecret, API_SECRET ?? 'none');
});

test('the migration alone holds the key of the owner, and can be run again by itself', (t) => {
  const owner = environmentOf('migrate').DATABASE_URL ?? '';
  t.regex(owner, /^postgres:\/\/bindery:/);
  t.is(loadMigrationConfig(environmentOf('migrate')).databaseUrl, owner);
  t.throws(() => loadMigrationConfig(environmentOf('api')), { message: /DATABASE_AUTH_URL|DATABASE_URL/ });
});
