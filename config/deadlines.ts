// The environment variables for the time that a caller of the API waits.
import { COMMAND_DEADLINE_MS } from '../domain/limits.ts';
import { count } from './shapes.ts';

export const deadlineVariables = {
  COMMAND_DEADLINE_MS: count(600_000)
    .default(COMMAND_DEADLINE_MS)
    .describe('How long a caller waits for a command before the API answers 503, in milliseconds.'),
  WEBHOOK_DEADLINE_MS: count(600_000)
    .default(8_000)
    .describe('How long the sender of a webhook waits, in milliseconds: below what providers wait for an answer.'),
} as const;
