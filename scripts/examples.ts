// npm run examples -- <test files>: runs tests, and takes from what they send and are answered the examples of the API
// document that are missing or that no longer fit. With --all it takes every example again.
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

const ROOT = join(import.meta.dirname, '..');
const FILE = join(ROOT, 'api/openapi/examples.json');
const EVERY_TEST = 'test/api/**/*.test.ts';

const args = process.argv.slice(2);
const takesAll = args.includes('--all');
const today = new Date().toISOString().slice(0, 10);

const folder = mkdtempSync(join(tmpdir(), 'bindery-examples-'));
try {
  const exchanges = recorded(args.filter((arg) => arg !== '--all'));
  const examples: Record<string, OperationExamples> = {};
  const missing = EXAMPLE_PLACES.filter((place) => {
    const example = exampleFor(place, exchanges);
    if (example !== undefined) put(examples, place, example);
    return example === undefined;
  });
  writeFileSync(FILE, `${JSON.stringify(examples, null, 2)}\n`);
  for (const place of missing) console.error(`No test shows ${nameOf(place)}.`);
  process.exitCode = missing.length === 0 ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Runs the tests; an argument that is a recording is read instead. */
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

function exampleFor(place: ExamplePlace, exchanges: readonly Exchange[]): unknown {
  const known = exampleAt(EXAMPLES, place);
  if (!takesAll && faultOf(place, known) === null) return known;
  const best = fullest(exchangesOf(place, exchanges));
  return best === undefined ? known : shown(best, place);
}

/** The exchanges that a place can show, on the day of the examples. A body and its answer are of one exchange. */
function exchangesOf({ route, answer }: ExamplePlace, exchanges: readonly Exchange[]): Exchange[] {
  const { status, type } = answer ?? { status: route.response.status, type: null };
  const beside = EXAMPLE_PLACES.filter((other) => {
    return other.route === route && (other.answer === null || other.answer.status === status);
  });
  const isOfRoute = new RegExp(`^${route.pattern.replaceAll(/:\w+/g, '[^/]+')}$`);
  return exchanges
    .filter((each) => each.method === route.method.toUpperCase() && isOfRoute.test(each.path))
    .filter((each) => each.status === status && (type === null || each.type === type))
    .flatMap((each) => {
      const [request, text] = JSON.parse(steady(JSON.stringify([each.request, each.text]), today)) as [unknown, string];
      const exchange = { ...each, request, text };
      const shows = beside.filter((other) =>
        other.answer === null ? request !== null : other.answer.type === each.type,
      );
      const fits = shows.every((other) => faultOf(other, shown(exchange, other)) === null);
      return fits && (answer !== null || request !== null) ? [exchange] : [];
    });
}

function shown({ request, text }: Exchange, { answer }: ExamplePlace): unknown {
  if (answer === null) return request;
  return answer.type === 'text/csv' ? text : JSON.parse(text);
}

function put(examples: Record<string, OperationExamples>, { route, answer }: ExamplePlace, example: unknown): void {
  const whole = examples[route.operationId] ?? {};
  examples[route.operationId] = whole;
  if (answer === null) {
    whole.request = example;
    return;
  }
  whole.answers = { ...whole.answers };
  whole.answers[answer.status] = { ...whole.answers[answer.status], [answer.type]: example };
}
