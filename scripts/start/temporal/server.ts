// The Temporal development server, tuned: by default the queues of its single history shard are polled 20 times a
// second, so every task would wait for a 50 ms tick.
import { setTimeout as delay } from 'node:timers/promises';
import { Connection, type ConnectionOptions } from '@temporalio/client';
import { type Child, launch, reasonOf } from '../child.ts';
import { StartError } from '../start-error.ts';

const READY_TIMEOUT_MS = 180_000;
const POLL_MS = 100;

/** Each is `name=value`. */
export const TUNING = [
  'history.transferProcessorMaxPollRPS=5000',
  'history.timerProcessorMaxPollRPS=5000',
  'history.visibilityProcessorMaxPollRPS=1000',
  'system.enableActivityEagerExecution=true',
  // Priorities, and fairness between organizations, when tasks queue up. One partition only, since each partition
  // keeps its own order. Tasks that an earlier start left in other partitions are still read.
  'matching.useNewMatcher=true',
  'matching.enableFairness=true',
  'matching.numTaskqueueWritePartitions=1',
];
/** Readers and the writer do not block each other, and a commit does not wait for the disk. */
const PRAGMAS = ['journal_mode=WAL', 'synchronous=NORMAL'];

export interface TemporalOptions {
  binary: string;
  port: number;
  /** Null for no web interface. */
  uiPort: number | null;
  /** The endpoint where the web interface has payloads decrypted. */
  codecUrl?: string;
  namespace: string;
  /** Without a file, the server keeps everything in memory and loses it if it drops a connection under load. */
  databaseFile: string;
  searchAttributes: readonly string[];
  /** Further settings, each `key=value`. */
  settings?: readonly string[];
  /** Cancels a start in progress. */
  stopping?: AbortSignal;
  onLine?: (line: string) => void;
}

/**
 * Starts the server and waits until it answers.
 * @throws StartError if it ends or does not answer in time
 */
export async function startTemporal(options: TemporalOptions): Promise<Child> {
  const child = await launch({
    name: 'temporal',
    command: options.binary,
    args: temporalArguments(options),
    cwd: '/',
    ...(options.onLine ? { onLine: options.onLine } : {}),
  });
  const stopWaiting = new AbortController();
  const ended = child.exited.then(() => 'ended' as const);
  const signal = AbortSignal.any([stopWaiting.signal, ...(options.stopping ? [options.stopping] : [])]);
  const { namespace } = options;
  const answered = waitForTemporal({ address: `127.0.0.1:${options.port}` }, { namespace, signal }).then((yes) =>
    yes ? 'ready' : 'late',
  );
  const outcome = await Promise.race([ended, answered]);
  stopWaiting.abort();
  if (outcome === 'ready') return child;
  await child.stop(1_000);
  throw new StartError(startFailure(options, child));
}

/**
 * Waits until a Temporal server answers; false if it did not in time or the wait was aborted.
 * @param waiting.namespace a namespace that the server must also know: a new server answers before it has read its
 * namespaces
 */
export async function waitForTemporal(
  server: ConnectionOptions,
  waiting: { namespace?: string; signal?: AbortSignal } = {},
): Promise<boolean> {
  const giveUpAt = Date.now() + READY_TIMEOUT_MS;
  while (Date.now() < giveUpAt && !waiting.signal?.aborted) {
    if (await serves(server, waiting.namespace)) return true;
    await delay(POLL_MS);
  }
  return false;
}

async function serves(server: ConnectionOptions, namespace: string | undefined): Promise<boolean> {
  try {
    const connection = await Connection.connect({ ...server, connectTimeout: 1_000 });
    try {
      if (namespace) await connection.workflowService.countWorkflowExecutions({ namespace });
      return true;
    } finally {
      await connection.close();
    }
  } catch {
    return false;
  }
}

function temporalArguments(options: TemporalOptions): string[] {
  const codec = options.codecUrl === undefined ? [] : ['--ui-codec-endpoint', options.codecUrl];
  const ui = options.uiPort === null ? ['--headless'] : ['--ui-port', String(options.uiPort), ...codec];
  const settings = [...TUNING, ...(options.settings ?? [])];
  return [
    ...['server', 'start-dev', '--ip', '127.0.0.1', '--port', String(options.port), '--namespace', options.namespace],
    ...['--log-level', 'error', ...ui, '--db-filename', options.databaseFile],
    ...PRAGMAS.flatMap((pragma) => ['--sqlite-pragma', pragma]),
    ...settings.flatMap((setting) => ['--dynamic-config-value', setting]),
    ...options.searchAttributes.flatMap((name) => ['--search-attribute', `${name}=Keyword`]),
  ];
}

function startFailure(options: TemporalOptions, child: Child): string {
  const what = `if its data is damaged, move ${options.databaseFile} away and start again`;
  return `The Temporal server did not start (${reasonOf(child)}): ${what}.`;
}
