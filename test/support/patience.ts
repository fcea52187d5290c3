// How long a test waits before it calls something hung. These bound a wait and measure nothing: how fast things are is
// in bench/. They leave room for a machine that is several times slower than usual or busy with something else.

/** For one thing to come about: an answer, a row, a process that is ready. */
export const PATIENCE_MS = 120_000;

/** For a whole story: a storm of events, thousands of random sequences. */
export const STORY_MS = 2_400_000;

/** For a test file, from its start to its last teardown. The whole run of CI has 90 minutes. */
export const FILE_MS = 2_520_000;

/** Variables of services under test, whose callers are as patient. */
export const PATIENT_VARIABLES = {
  COMMAND_DEADLINE_MS: String(PATIENCE_MS),
  WEBHOOK_DEADLINE_MS: String(PATIENCE_MS),
};
