// Counts a run for scripts/test.ts: ava reports its events here, and the totals go to the file that scripts/test.ts
// names.
import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';

export const RESULT_FILE_VARIABLE = 'BINDERY_TEST_RESULT';

export interface RunResult {
  passed: number;
  failed: number;
  skipped: string[];
  /** Files that started but did not finish: there are some only when the run was stopped. */
  unfinished: string[];
  /** The slowest files, slowest first. */
  slowest: { file: string; seconds: number }[];
}

interface RunEvent {
  type: string;
  title?: string;
  testFile?: string;
  skip?: boolean;
  todo?: boolean;
  stats?: Record<string, number>;
}

const SLOWEST = 40;

const FAILURES = [
  'failedTests',
  'failedHooks',
  'remainingTests',
  'uncaughtExceptions',
  'unhandledRejections',
  'timeouts',
  'unexpectedProcessExits',
  'internalErrors',
];

/** Closes a file's part of a run. */
const LAST_EVENTS = new Set(['worker-finished', 'worker-failed']);

/** Follows one run and keeps its result on disk, so that even a stopped run leaves one. Called by ava. */
export async function observeRun({ events }: { events: AsyncIterable<RunEvent> }): Promise<void> {
  const skipped: string[] = [];
  const spans = new Map<string, { from: number; to: number }>();
  const ended = new Set<string>();
  let stats: Record<string, number> = {};
  const write = () => {
    const unfinished = [...spans.keys()].filter((file) => !ended.has(file)).map(readable);
    writeResult({ ...count(stats), skipped, unfinished, slowest: slowestOf(spans) });
  };
  for await (const event of events) {
    const { type, testFile } = event;
    if (type === 'stats' && event.stats) stats = event.stats;
    if (!testFile) continue;
    const now = performance.now();
    spans.set(testFile, { from: spans.get(testFile)?.from ?? now, to: now });
    if (type === 'selected-test' && (event.skip || event.todo)) skipped.push(`${readable(testFile)}: ${event.title}`);
    if (LAST_EVENTS.has(type)) ended.add(testFile);
    write();
  }
  write();
}

function writeResult(result: RunResult): void {
  const resultFile = process.env[RESULT_FILE_VARIABLE];
  if (resultFile) writeFileSync(resultFile, JSON.stringify(result));
}

const readable = (file: string) => relative(process.cwd(), file);

function slowestOf(spans: ReadonlyMap<string, { from: number; to: number }>): RunResult['slowest'] {
  return [...spans]
    .map(([file, { from, to }]) => ({ file: readable(file), seconds: Math.round((to - from) / 1_000) }))
    .sort((a, b) => b.seconds - a.seconds)
    .slice(0, SLOWEST);
}

function count(stats: Record<string, number>): Pick<RunResult, 'passed' | 'failed'> {
  const of = (name: string) => stats[name] ?? 0;
  const failed = FAILURES.reduce((total, name) => total + of(name), 0);
  return { passed: of('passedTests') + of('passedKnownFailingTests'), failed };
}
