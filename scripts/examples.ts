// npm run examples -- <test files>: runs tests and records from their requests and answers the API document's
// examples that are missing or no longer fit. With --all it replaces every example.
import './help/show-help.ts';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EXAMPLES, type OperationExamples } from '../api/openapi/examples.ts';
import {
  EXAMPLE_PLACES,
  type ExamplePlace,
  exampleAt,
  faultOf,
  nameOf,
} from '../test/support/examples/example-check.ts';
import { EXCHANGES_VARIABLE, type Exchange } from '../test/support/examples/exchanges.ts';
import { fullest } from './examples/choose.ts';
import { steady } from './examples/steady.ts';

type Places = readonly ExamplePlace[];

const ROOT = join(import.meta.dirname, '..');
const FILE = join(ROOT, 'api/openapi/examples.json');
const EVERY_TEST = 'test/api/**/*.test.ts';

const args = process.argv.slice(2);
const takesAll = args.includes('--all');
/** The examples that one exchange provides: a body with its answer, or an answer alone. */
const GROUPS: readonly Places[] = [
  ...Map.groupBy(EXAMPLE_PLACES, ({ route, status, type }) =>
    [route.operationId, status, type === 'text/csv'].join(' '),
  ).values(),
];

const today = new Date().toISOString().slice(0, 10);

const folder = mkdtempSync(join(tmpdir(), 'bindery-examples-'));
try {
  const exchanges = recorded(args.filter((arg) => arg !== '--all'));
  const examples: Record<string, OperationExamples> = {};
  const missing = GROUPS.flatMap((places) => fill(examples, places, exchanges));
  writeFileSync(FILE, `${JSON.stringify(examples, null, 2)}\n`);
  for (const place of missing) console.error(`No test shows ${nameOf(place)}.`);
  process.exitCode = missing.length === 0 ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Runs the tests; an argument that names a recording is read instead. */
function recorded(files: readonly string[]): Exchange[] {
  const recordings = files.filter((file) => file.endsWith('.jsonl'));
  const tests = files.filter((file) => !recordings.includes(file));
  if (recordings.length === 0) recordings.push(join(folder, 'exchanges.jsonl'));
  if (tests.length > 0 || !recordings.some(existsSync)) {
    const env = { ...process.env, [EXCHANGES_VARIABLE]: recordings[0] };
    const chosen = tests.length > 0 ? tests : [EVERY_TEST];
    spawnSync(process.execPath, ['scripts/test.ts', ...chosen], { cwd: ROOT, stdio: 'inherit', env });
  }
  return recordings.flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Exchange),
  );
}

/** Puts a group's examples in their places, and returns the places left empty. */
function fill(examples: Record<string, OperationExamples>, places: Places, exchanges: readonly Exchange[]): Places {
  const isWhole = places.every((place) => faultOf(place, exampleAt(EXAMPLES, place)) === null);
  const best = isWhole && !takesAll ? undefined : fullest(exchangesOf(places, exchanges));
  return places.filter((place) => {
    const example = best === undefined ? exampleAt(EXAMPLES, place) : shown(best, place);
    if (example !== undefined) put(examples, place, example);
    return example === undefined;
  });
}

/** The exchanges that fit every place of a group, moved to the examples' date. */
function exchangesOf(places: Places, exchanges: readonly Exchange[]): Exchange[] {
  return exchanges
    .filter((each) => places.every((place) => isOf(place, each)))
    .map((each) => {
      const [request, text] = JSON.parse(steady(JSON.stringify([each.request, each.text]), today)) as [unknown, string];
      return { ...each, request, text };
    })
    .filter((each) => places.every((place) => faultOf(place, shown(each, place)) === null));
}

function isOf({ route, status, type }: ExamplePlace, exchange: Exchange): boolean {
  const ofRoute = new RegExp(`^${route.pattern.replaceAll(/:\w+/g, '[^/]+')}$`);
  if (exchange.method !== route.method.toUpperCase() || !ofRoute.test(exchange.path)) return false;
  const isOfType = type === null ? exchange.request !== null : type.split(';')[0] === exchange.type;
  return exchange.status === status && isOfType;
}

function shown({ request, text }: Exchange, { type }: ExamplePlace): unknown {
  if (type === null) return request;
  return type.startsWith('text/') ? text : JSON.parse(text);
}

function put(examples: Record<string, OperationExamples>, place: ExamplePlace, example: unknown): void {
  const { route, status, type } = place;
  const whole = examples[route.operationId] ?? {};
  examples[route.operationId] = whole;
  if (type === null) {
    whole.requests = { ...whole.requests, [status]: example };
    return;
  }
  whole.answers = { ...whole.answers };
  whole.answers[status] = { ...whole.answers[status], [type]: example };
}
