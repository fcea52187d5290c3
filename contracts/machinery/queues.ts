// The task queues, by purpose.

/**
 * Task queues by purpose, each with its own slots, so that none holds up another's callers: entities and whatever a
 * caller waits for; calls to providers, storage and mail; batches and sweeps; outgoing events; document printing;
 * report writing; events about mail.
 */
export const QUEUES = ['lifecycle', 'outside', 'batch', 'events', 'documents', 'reports', 'email'] as const;

export type QueueName = (typeof QUEUES)[number];

/**
 * The queues that a command passes through before its caller gets a response. A worker that also serves others delays
 * it.
 */
export const QUEUES_OF_CALLERS: readonly QueueName[] = ['lifecycle', 'outside', 'documents'];

/** Queues that may take their time, so that they yield to the rest on a busy machine. */
export const QUEUES_IN_THE_BACKGROUND = QUEUES.filter((queue) => !QUEUES_OF_CALLERS.includes(queue));

/**
 * The task queue that serves `name`, e.g. `lifecycle` or `test7-lifecycle`. A prefix keeps installations that share a
 * namespace apart.
 */
export const taskQueue = (name: QueueName, prefix = ''): string => (prefix === '' ? name : `${prefix}-${name}`);

/** The task queue that serves `name` in the installation to which `queue` belongs. */
export const queueBeside = (queue: string, name: QueueName): string => queue.replace(/[^-]+$/, name);

/** Priorities by who waits for a workflow or an activity. When tasks queue up, the lower number goes first. */
export const PRIORITY = { caller: 1, saga: 3, batch: 5 } as const;

export type Urgency = keyof typeof PRIORITY;
