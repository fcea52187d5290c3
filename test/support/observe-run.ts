// Counts a run for scripts/test.ts: ava tells its events here, and the totals go to the file it names.
import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';

export const RESULT_FILE_VARIABLE = 'BINDERY_TEST_RESULT';

export interface RunResult {
  passed: number;
  failed: number;
  skipped: string[];
  /** The files that took longest, the slowest first. */
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

const SLOWEST = 8;

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

/** Follows one run to its end and writes its result. Called by ava through its configuration. */
export async function observeRun({ events }: { events: AsyncIterable<RunEvent> }): Promise<void> {
  const resultFile = process.env[RESULT_FILE_VARIABLE];
  const skipped: string[] = [];
  const spans = new Map<string, { from: number; to: number }>();
  let stats: Record<string, number> = {};
  for await (const event of events) {
    if (event.type === 'stats' && event.stats) stats = event.stats;
    if (event.testFile) {
      const to = performance.now();
      spans.set(event.testFile, { from: spans.get(event.testFile)?.from ?? to, to });
    }
    if (event.type === 'selected-test' && (event.skip || event.todo))
      skipped.push(`${relative(process.cwd(), event.testFile ?? '')}: ${event.title}`);
  }
  if (resultFile) writeFileSync(resultFile, JSON.stringify({ ...count(stats, skipped), slowest: slowestOf(spans) }));
}

function slowestOf(spans: ReadonlyMap<string, { from: number; to: number }>): RunResult['slowest'] {
  return [...spans]
    .map(([file, { from, to }]) => ({ file: relative(process.cwd(), file), seconds: Math.round((to - from) / 1_000) }))
    .sort((a, b) => b.seconds - a.seconds)
    .slice(0, SLOWEST);
}

function count(stats: Record<string, number>, skipped: string[]): Omit<RunResult, 'slowest'> {
  const of = (name: string) => stats[name] ?? 0;
  const failed = FAILURES.reduce((total, name) => total + of(name), 0);
  return { passed: of('passedTests') + of('passedKnownFailingTests'), failed, skipped };
}
