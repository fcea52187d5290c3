// How the tests run: one process per file, two at a time. scripts/test.ts starts the servers first and counts the
// results.
import { observeRun } from './test/support/observe-run.ts';

/** The longest come first: one that begins last would be waited for alone. */
const LONG = [
  'test/year/year.test.ts',
  'test/activities/billing/money-model.test.ts',
  'test/activities/billing/money-model-cents.test.ts',
  'test/faults/card-events.test.ts',
  'test/chaos/chaos.test.ts',
  'test/workflows/policy/many-changes.test.ts',
  'test/domain/policy/lives.test.ts',
];

function placeOf(file) {
  const place = LONG.findIndex((long) => file.endsWith(long));
  return place === -1 ? LONG.length : place;
}

export default {
  sortTestFiles: (a, b) => placeOf(a) - placeOf(b) || a.localeCompare(b),
  files: ['test/**/*.test.ts'],
  extensions: ['ts'],
  workerThreads: false,
  concurrency: 2,
  require: ['./test/support/test-process.ts'],
  timeout: '30m',
  verbose: true,
  nonSemVerExperiments: { observeRunsFromConfig: true },
  observeRun,
};
