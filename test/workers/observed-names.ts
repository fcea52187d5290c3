// The names and labels that dashboards, alert rules and documents use, and those found in a scrape.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { ROOT } from '../scripts/run-script.ts';

/** One query, and where it is. */
export interface Query {
  where: string;
  text: string;
}

const FOLDER = join(ROOT, 'docker/grafana');

/** Every Prometheus query in the dashboards and the alert rules. */
export function queries(): Query[] {
  return [...dashboardQueries(), ...ruleQueries()];
}

interface Panel {
  title: string;
  targets?: { expr?: string }[];
}

function dashboardQueries(): Query[] {
  const folder = join(FOLDER, 'dashboards');
  return readdirSync(folder).flatMap((name) => {
    const { panels } = JSON.parse(readFileSync(join(folder, name), 'utf8')) as { panels: Panel[] };
    return panels.flatMap(({ title, targets = [] }) =>
      targets.flatMap(({ expr }) => (expr === undefined ? [] : { where: `${name}: ${title}`, text: expr })),
    );
  });
}

function ruleQueries(): Query[] {
  const { groups } = parse(readFileSync(join(FOLDER, 'prometheus/alerts.yml'), 'utf8')) as {
    groups: { rules: { alert: string; expr: string }[] }[];
  };
  return groups.flatMap(({ rules }) => rules.map(({ alert, expr }) => ({ where: `alerts.yml: ${alert}`, text: expr })));
}

const WORDS_OF_THE_LANGUAGE = new Set(['and', 'or', 'unless', 'bool', 'offset', 'by', 'without', 'on', 'ignoring']);
const GROUPING = /\b(?:by|without|on|ignoring)\s*\(([^)]*)\)/g;
const STRING = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/g;

/** The metrics and labels that a query names. */
export function namesIn(query: string): { metrics: string[]; labels: string[] } {
  const plain = query.replace(STRING, '""');
  const matchers = [...plain.matchAll(/\{([^}]*)\}/g)].flatMap(([, inside = '']) => inside.split(','));
  const groups = [...plain.matchAll(GROUPING)].flatMap(([, inside = '']) => inside.split(','));
  const labels = [...matchers.map((matcher) => /\w+/.exec(matcher)?.[0] ?? ''), ...groups.map((each) => each.trim())];
  const bare = plain.replace(/\{[^}]*\}|\[[^\]]*\]/g, ' ').replace(GROUPING, ' ');
  const words = [...bare.matchAll(/(?<![\w:.])[a-zA-Z_:][\w:]*(?!\w)(?!\s*\()/g)].map(([word]) => word);
  return {
    metrics: [...new Set(words.filter((word) => !WORDS_OF_THE_LANGUAGE.has(word)))],
    labels: [...new Set(labels.filter((label) => label !== ''))],
  };
}

/** The metrics in the table of docs/operations.md. */
export function documentedMetrics(): string[] {
  const text = readFileSync(join(ROOT, 'docs/operations.md'), 'utf8');
  const [, section = ''] = /^## Measurements\n([\s\S]*?)^## /m.exec(text) ?? [];
  const cells = [...section.matchAll(/^\| (`[^|]+) \|/gm)].map(([, cell = '']) => cell);
  return cells.flatMap((cell) => [...cell.matchAll(/`(\w+)`/g)].map(([, name = '']) => name));
}

/** The labels of each series in a scrape's text, by series name. */
export function labelsOf(scraped: string): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const [, name = '', labels = ''] of scraped.matchAll(/^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? \S+$/gm)) {
    const known = found.get(name) ?? new Set();
    for (const [, label = ''] of labels.matchAll(/(?:^|,)(\w+)="/g)) known.add(label);
    found.set(name, known);
  }
  return found;
}
