// The `observability` profile of docker-compose.yml: off by default, closed to others, and in step with its files.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { parse } from 'yaml';
import { VARIABLES } from '../../config.ts';
import { ROOT } from '../scripts/run-script.ts';

interface Service {
  profiles?: string[];
  networks: string[];
  environment?: Record<string, string>;
  entrypoint?: string[];
  volumes?: string[];
  depends_on?: Record<string, unknown>;
}

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const file = (path: string) => parse(read(`docker/grafana/${path}`));
const compose = parse(read('docker-compose.yml'), { merge: true }) as {
  services: Record<string, Service>;
  networks: Record<string, { internal?: boolean } | null>;
};
const services = Object.entries(compose.services);
const OBSERVERS = ['prometheus', 'tempo', 'grafana'];

const on = (network: string) =>
  services
    .filter(([, { networks }]) => networks.includes(network))
    .map(([name]) => name)
    .toSorted();

test('observability services run with their profile alone, and nothing else waits for them', (t) => {
  for (const [name, { profiles, depends_on: dependencies = {} }] of services) {
    const isObserver = OBSERVERS.includes(name);
    t.deepEqual(profiles, isObserver ? ['observability'] : undefined, name);
    if (!isObserver)
      t.false(
        Object.keys(dependencies).some((other) => OBSERVERS.includes(other)),
        name,
      );
  }
});

test('figures, traces and Grafana have networks of their own, and only the page of Grafana leads out', (t) => {
  t.deepEqual(on('metrics'), ['api', 'background', 'prometheus', 'worker']);
  t.deepEqual(on('traces'), ['api', 'background', 'tempo', 'worker']);
  t.deepEqual(on('observers'), OBSERVERS.toSorted());
  t.deepEqual(on('dashboards'), ['grafana']);
  for (const network of ['metrics', 'traces', 'observers']) t.true(compose.networks[network]?.internal, network);
  for (const name of OBSERVERS) {
    const own = ['metrics', 'traces', 'observers', 'dashboards'];
    t.deepEqual(
      compose.services[name]?.networks.filter((network) => !own.includes(network)),
      [],
      name,
    );
  }
});

test('Grafana does not start without a password of its own, lets nobody in without it, and calls nobody', (t) => {
  const { environment = {}, entrypoint = [] } = compose.services.grafana ?? {};
  t.regex(environment.GF_SECURITY_ADMIN_PASSWORD ?? '', /^\$\{GRAFANA_PASSWORD:-\}$/);
  t.regex(entrypoint.at(-1) ?? '', /^test -n "\$\$GF_SECURITY_ADMIN_PASSWORD" \|\| \{[^}]*exit 1; \}; exec \/run\.sh$/);
  t.deepEqual(
    Object.keys(environment).filter((name) => name.startsWith('GF_AUTH_')),
    [],
  );
  for (const name of ['REPORTING_ENABLED', 'CHECK_FOR_UPDATES', 'CHECK_FOR_PLUGIN_UPDATES']) {
    t.is(environment[`GF_ANALYTICS_${name}`], 'false', name);
  }
  t.false(file('tempo/tempo.yaml').usage_report.reporting_enabled);
});

test('api and worker send traces where the installation says, and nowhere by default', (t) => {
  const names = VARIABLES.map(({ name }) => name).filter((name) => name.startsWith('OTEL_'));
  t.is(names.length, 3);
  for (const name of ['api', 'worker']) {
    const { environment = {} } = compose.services[name] ?? {};
    for (const variable of names) t.regex(environment[variable] ?? '', new RegExp(`^\\$\\{${variable}:-1?\\}$`), name);
  }
  for (const name of services.map(([each]) => each).filter((each) => !['api', 'worker', 'background'].includes(each))) {
    const { environment = {} } = compose.services[name] ?? {};
    t.deepEqual(
      names.filter((variable) => variable in environment),
      [],
      name,
    );
  }
});

test('Prometheus reads api and worker at the ports that they have, and watches Tempo', (t) => {
  const { scrape_configs: jobs, rule_files: rules } = file('prometheus/prometheus.yml') as {
    rule_files: string[];
    scrape_configs: {
      job_name: string;
      dns_sd_configs?: { names: string[]; type: string; port: number }[];
      static_configs?: { targets: string[] }[];
    }[];
  };
  t.deepEqual(rules, ['alerts.yml']);
  // Compose gives them only the port that the documented default names.
  const defaults = read('.env.example');
  const portOf = (name: string) => new RegExp(`^${name}=(\\d+)$`, 'm').exec(defaults)?.[1];
  for (const name of ['api', 'worker'])
    t.notRegex(Object.keys(compose.services[name]?.environment ?? {}).join(), /PORT\b/);
  const found = jobs.flatMap(({ job_name: job, dns_sd_configs: looked = [], static_configs: named = [] }) => [
    ...looked.flatMap(({ names, port }) => names.map((name) => `${job} ${name}:${port}`)),
    ...named.flatMap(({ targets }) => targets.map((target) => `${job} ${target}`)),
  ]);
  t.deepEqual(found, [
    `api api:${portOf('PORT')}`,
    `worker worker:${portOf('WORKER_PORT')}`,
    `worker background:${portOf('WORKER_PORT')}`,
    `tempo tempo:${file('tempo/tempo.yaml').server.http_listen_port}`,
  ]);
});

test('every signal that the document says to watch is a panel, an alert or a measurement that exists', (t) => {
  const document = read('docs/operations.md');
  const section = (title: string) => new RegExp(`^## ${title}\\n([\\s\\S]*?)^## `, 'm').exec(document)?.[1] ?? '';
  const rows = section('What to add when')
    .split('\n')
    .filter((line) => line.startsWith('| ') && !line.startsWith('| Sign'));
  const { panels } = JSON.parse(read('docker/grafana/dashboards/bindery.json')) as { panels: { title: string }[] };
  const { groups } = file('prometheus/alerts.yml') as { groups: { rules: { alert: string }[] }[] };
  const alerts = groups.flatMap(({ rules }) => rules.map(({ alert }) => alert));
  const measured = `${section('Measurements')}${read('docker/grafana/dashboards/bindery.json')}`;
  const seen = rows.map((row) => row.split(' | ')[1] ?? '').join('\n');
  const named = (pattern: RegExp) => [...seen.matchAll(pattern)].map(([, name = '']) => name);
  const titles = named(/\*([A-Z][^*]+)\*/g);
  const metrics = named(/`((?:temporal|nodejs|deal_room|bindery|http)_\w+)`/g);
  const rules = named(/`([A-Z][a-z]\w+)`/g);
  for (const found of [titles, metrics, rules]) t.true(found.length > 1);
  t.deepEqual(
    titles.filter((title) => !panels.some((panel) => panel.title === title)),
    [],
  );
  t.deepEqual(
    metrics.filter((name) => !measured.includes(name)),
    [],
  );
  t.deepEqual(
    rules.filter((name) => !alerts.includes(name)),
    [],
  );
});
