// How long a test waits before it calls something hung. These are time limits, not measurements: bench/ measures
// speed. They leave room for a machine that is several times slower than usual or busy with something else.

/** For one thing to happen: an answer, a row, a process that is ready. */
export const PATIENCE_MS = 120_000;

/** For a whole scenario: a storm of events, thousands of random sequences. */
export const STORY_MS = 2_400_000;

/** For a test file, from its start to its last teardown. A whole CI run has 90 minutes. */
export const FILE_MS = 2_520_000;

/** Variables for services under test, so that their callers are as patient. */
export const PATIENT_VARIABLES = {
  COMMAND_DEADLINE_MS: String(PATIENCE_MS),
  WEBHOOK_DEADLINE_MS: String(PATIENCE_MS),
};
