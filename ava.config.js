// How the tests run: one process per file, two at a time. scripts/test.ts starts the servers first and counts the results.
import { observeRun } from './test/support/observe-run.ts';

export default {
  files: ['test/**/*.test.ts'],
  extensions: ['ts'],
  workerThreads: false,
  concurrency: 2,
  timeout: '15m',
  verbose: true,
  nonSemVerExperiments: { observeRunsFromConfig: true },
  observeRun,
};
