// The environment variables of Temporal: where it answers, and how long a caller waits for it.
import { z } from 'zod';
import { address, count } from './shapes.ts';

/** Read by everything that speaks to Temporal. */
export const engineVariables = {
  TEMPORAL_ADDRESS: address()
    .default('127.0.0.1:7233')
    .describe('host:port of the Temporal server. Set it to use one of your own.'),
  TEMPORAL_NAMESPACE: z.string().min(1).default('default').describe('Temporal namespace.'),
  TASK_QUEUE_PREFIX: z
    .string()
    .regex(/^[\w.-]*$/, 'may have letters, digits, dots, dashes and underscores')
    .default('')
    .describe('Put before the name of every task queue, so that two installations can share a namespace.'),
} as const;

/** How long a caller of the API waits. */
export const deadlineVariables = {
  COMMAND_DEADLINE_MS: count(600_000)
    .default(15_000)
    .describe('How long a caller waits for a command before the API answers 503, in milliseconds.'),
  WEBHOOK_DEADLINE_MS: count(600_000)
    .default(8_000)
    .describe('How long the sender of a webhook waits, in milliseconds: below what providers wait for an answer.'),
} as const;

const engineSchema = z.object(engineVariables);

/** The part of a configuration that is about Temporal. */
export function engineConfig(values: z.infer<typeof engineSchema>) {
  return {
    temporalAddress: values.TEMPORAL_ADDRESS,
    temporalNamespace: values.TEMPORAL_NAMESPACE,
    taskQueuePrefix: values.TASK_QUEUE_PREFIX,
  };
}
