// The task queues, by purpose.

/**
 * Task queues by purpose, each with its own slots, so that none holds up the callers of another: entities and whatever
 * a caller waits for; calls to providers, storage and mail; batches and sweeps; events on their way to receivers; the
 * printing of documents; the writing of reports; events about mail.
 */
export const QUEUES = ['lifecycle', 'outside', 'batch', 'events', 'documents', 'reports', 'email'] as const;

export type QueueName = (typeof QUEUES)[number];

/** What a command passes through before its caller has an answer. A worker that serves others beside them delays it. */
export const QUEUES_OF_CALLERS: readonly QueueName[] = ['lifecycle', 'outside', 'documents'];

/** What may take its time, so that on a busy machine it waits for the rest. */
export const QUEUES_IN_THE_BACKGROUND = QUEUES.filter((queue) => !QUEUES_OF_CALLERS.includes(queue));

/**
 * The task queue that serves `name`, e.g. `lifecycle` or `test7-lifecycle`. A prefix keeps installations that share a
 * namespace apart.
 */
export const taskQueue = (name: QueueName, prefix = ''): string => (prefix === '' ? name : `${prefix}-${name}`);

/** The task queue that serves `name` in the installation to which `queue` belongs. */
export const queueBeside = (queue: string, name: QueueName): string => queue.replace(/[^-]+$/, name);

/** Who waits for a workflow or an activity. When tasks queue up, the lower number goes first. */
export const PRIORITY = { caller: 1, saga: 3, batch: 5 } as const;

export type Urgency = keyof typeof PRIORITY;
