// deploy/kubernetes: Kubernetes accepts it, there is a worker for each queue, and each process has its own variables.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { parse } from 'yaml';
import { loadApiConfig, loadAuthConfig, loadMigrationConfig, loadWorkerConfig } from '../../config.ts';
import { QUEUES } from '../../contracts/machinery/queues.ts';
import { READING_LIMITS } from '../../providers/reading/reader.ts';
import type { ThreadLimits } from '../../providers/threads/pool.ts';
import { TYPESETTING_LIMITS } from '../../providers/typesetting/typesetter.ts';
import { ROOT } from '../scripts/run-script.ts';
import { filled } from './filled-variables.ts';
import { type Container, faultsOf, kustomization, type Manifest, manifests, textOf } from './kubernetes-manifests.ts';

const all = manifests();
const ofKind = (kind: string): Manifest[] => all.filter((each) => each.kind === kind);
const processes = [...ofKind('Deployment'), ...ofKind('Job')];
const namesOf = (found: readonly Manifest[]): string[] => found.map(({ metadata }) => metadata.name).sort();
const container = ({ spec }: Manifest): Container => spec.template?.spec.containers[0] as Container;
const compose = parse(readFileSync(join(ROOT, 'docker-compose.yml'), 'utf8'), { merge: true });
const workers = QUEUES.map((queue) => `worker-${queue}`);

test('the schemas of Kubernetes take every manifest, and know every field of it', async (t) => {
  for (const manifest of all) t.deepEqual(await faultsOf(manifest), []);
  const [{ file, ...disturbed } = all[0] as Manifest] = ofKind('PodDisruptionBudget');
  const wrong = { file, ...disturbed, spec: { ...disturbed.spec, maxUnavailabel: 1, selector: 'app' } };
  t.is((await faultsOf(wrong as never)).length, 1, 'a selector that is a text');
  t.deepEqual(
    (await faultsOf({ file, ...disturbed, spec: { ...disturbed.spec, maxUnavailabel: 1 } } as never)).map((line) =>
      line.slice(line.indexOf('/spec')),
    ),
    ['/spec/maxUnavailabel: no such field'],
  );
});

test('there are the api, auth, the migration and a worker for each queue, and each queue has one', (t) => {
  t.deepEqual(namesOf(processes), ['api', 'auth', 'migration', ...workers].sort());
  for (const queue of QUEUES) {
    const [worker] = processes.filter(({ metadata }) => metadata.name === `worker-${queue}`);
    t.deepEqual(container(worker as Manifest).args, ['workers/main.ts', '--queues', queue]);
  }
});

test('long-running services survive the drain of a node, are probed, and scale out when needed', (t) => {
  const deployed = ofKind('Deployment');
  for (const kind of ['PodDisruptionBudget', 'HorizontalPodAutoscaler']) {
    t.deepEqual(namesOf(ofKind(kind)), namesOf(deployed), kind);
  }
  for (const deployment of deployed) {
    const { name } = deployment.metadata;
    const labels = deployment.spec.template?.metadata.labels;
    t.deepEqual(deployment.spec.selector?.matchLabels, labels, name);
    const [budget] = ofKind('PodDisruptionBudget').filter(({ metadata }) => metadata.name === name);
    t.deepEqual(budget?.spec.selector?.matchLabels, labels, name);
    const [scaler] = ofKind('HorizontalPodAutoscaler').filter(({ metadata }) => metadata.name === name);
    t.is(scaler?.spec.scaleTargetRef?.name, name);
    const { startupProbe, livenessProbe, readinessProbe } = container(deployment);
    for (const probe of [startupProbe, livenessProbe, readinessProbe]) t.truthy(probe, name);
  }
});

test('workers scale by how long tasks of their queue wait, as the rules of the adapter measure it', (t) => {
  const rules = parse(textOf('adapter-rules.yaml')).rules.external;
  t.is(rules.length, 1);
  for (const kind of ['workflow_task', 'activity']) {
    t.true(rules[0].metricsQuery.includes(`temporal_${kind}_schedule_to_start_latency_seconds_bucket{job="worker",`));
  }
  for (const queue of QUEUES) {
    const [scaler] = ofKind('HorizontalPodAutoscaler').filter(({ metadata }) => metadata.name === `worker-${queue}`);
    const metric = scaler?.spec.metrics?.[0]?.external?.metric;
    t.deepEqual(metric, { name: rules[0].name.as, selector: { matchLabels: { task_queue: queue } } });
  }
});

test('no process may do more in its container or on its node than it needs', (t) => {
  for (const each of processes) {
    const { name } = each.metadata;
    const pod = each.spec.template?.spec;
    t.true(pod?.securityContext.runAsNonRoot, name);
    t.false(pod?.enableServiceLinks, name);
    const { resources, securityContext, image } = container(each);
    const restricted = {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    };
    t.deepEqual(securityContext, restricted, name);
    t.deepEqual(Object.keys(resources.requests), ['cpu', 'memory'], name);
    t.truthy(resources.limits.memory, name);
    t.is(image, compose['x-service'].image, name);
  }
});

/** Mebibytes of a quantity such as `512Mi` or `2Gi`. */
const mebibytes = (quantity: string | undefined): number => {
  const [, number = 'NaN', unit] = /^(\d+)(Mi|Gi)$/.exec(quantity ?? '') ?? [];
  return Number(number) * (unit === 'Gi' ? 1_024 : 1);
};

test('a process that has threads has memory for all of them beside its own, and none fills the disk of its node', (t) => {
  const [own, chromium] = [768, 1_024];
  const ofThreads = ({ threads, memoryMb }: ThreadLimits) => threads * memoryMb;
  const needs: Record<string, number> = {
    api: own + ofThreads(READING_LIMITS) + ofThreads(TYPESETTING_LIMITS),
    'worker-documents': own + ofThreads(TYPESETTING_LIMITS) + chromium,
  };
  for (const each of processes) {
    const { name } = each.metadata;
    const limit = mebibytes(container(each).resources.limits.memory);
    t.true(limit >= (needs[name] ?? 0), `${name}: ${limit} Mi`);
    for (const { emptyDir } of each.spec.template?.spec.volumes ?? []) t.true(mebibytes(emptyDir?.sizeLimit) > 0, name);
  }
});

const PLACES = [
  { name: 'api', service: 'api', secrets: 'example', load: loadApiConfig },
  { name: 'worker', service: 'worker', secrets: 'example', load: loadWorkerConfig },
  { name: 'auth', service: 'auth', secrets: 'example', load: loadAuthConfig },
  { name: 'migration', service: 'migrate', secrets: 'example/migration', load: loadMigrationConfig },
];

/** Lines of `NAME=value` from the maps and the secrets file that a process gets. */
function linesFor({ name, secrets }: (typeof PLACES)[number]): string[] {
  const maps = ['base', 'migration', 'example'].flatMap((folder) => kustomization(folder).configMapGenerator ?? []);
  const [file] = (kustomization(secrets).secretGenerator ?? []).filter((each) => each.name === name);
  const secret = textOf(join(secrets, `${file?.envs[0]}.example`)).split('\n');
  const literals = maps.filter((each) => each.name === name).flatMap((each) => each.literals);
  return [...literals, ...secret.filter((line) => /^\w+=/.test(line))];
}

test('each process has the variables that it has in Compose, starts with them, and no secret is in the files', (t) => {
  for (const place of PLACES) {
    const environment: Record<string, string> = {};
    for (const line of linesFor(place)) {
      const [variable = '', value = ''] = line.split(/=(.*)/s);
      environment[variable] = value === '' ? filled(variable) : value;
    }
    t.deepEqual(Object.keys(environment).sort(), Object.keys(compose.services[place.service].environment).sort());
    t.notThrows(() => place.load(environment), place.name);
    const secret = textOf(
      join(place.secrets, place.name === 'migration' ? '' : 'secrets', `${place.name}.env.example`),
    );
    t.regex(secret, /^(#.*\n|\w+=\n)+$/, place.name);
  }
});

test('each process reads its own map and its own secret', (t) => {
  for (const each of processes) {
    const name = each.metadata.name.replace(/-.*/, '');
    t.deepEqual(container(each).envFrom as unknown, [{ configMapRef: { name } }, { secretRef: { name } }]);
  }
});
