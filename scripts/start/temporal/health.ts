/**
 * Restarts a Temporal development server that answers but can no longer read its database: after statements time out,
 * its SQLite connection may refuse all others ("interrupted") for as long as the process lives. One that is only slow
 * is left alone, and one that has ended is restarted anyway.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { Connection, isGrpcServiceError } from '@temporalio/client';
import type { KeptProgram } from '../keep-alive.ts';

const EVERY_MS = 10_000;
/** This many failures in a row are more than a bad moment. */
const MOST_FAILURES = 6;
const DEADLINE_MS = 5_000;
const STOP_GRACE_MS = 5_000;
const DEADLINE_EXCEEDED = 4;

export interface WatchedTemporal {
  server: KeptProgram;
  address: string;
  namespace: string;
  /** Writes a line to the terminal. */
  report: (text: string) => void;
  everyMs?: number;
}

/** Watches a server until `stopping` is aborted. */
export async function watchTemporal(watched: WatchedTemporal, stopping: AbortSignal): Promise<void> {
  const { server, report, everyMs = EVERY_MS } = watched;
  for (let failures = 0; !stopping.aborted; ) {
    await delay(everyMs, undefined, { signal: stopping }).catch(() => {});
    const reading = server.isRunning() ? await readingOf(watched) : 'works';
    if (reading === 'works') failures = 0;
    if (reading === 'fails') failures += 1;
    if (failures < MOST_FAILURES || stopping.aborted || !server.isRunning()) continue;
    report('cannot read its database any more, is restarted');
    failures = 0;
    await server.restart(STOP_GRACE_MS);
  }
}

/** Whether the server can read a namespace from its database; unknown if it does not answer in time. */
async function readingOf({ address, namespace }: WatchedTemporal): Promise<'works' | 'fails' | 'unknown'> {
  // Without interceptors, a failure is not retried until the deadline hides it.
  const options = { address, connectTimeout: DEADLINE_MS, interceptors: [] };
  const connection = await Connection.connect(options).catch(() => null);
  if (connection === null) return 'unknown';
  try {
    const { workflowService } = connection;
    await connection.withDeadline(Date.now() + DEADLINE_MS, () => workflowService.describeNamespace({ namespace }));
    return 'works';
  } catch (error) {
    return isGrpcServiceError(error) && error.code !== DEADLINE_EXCEEDED ? 'fails' : 'unknown';
  } finally {
    await connection.close();
  }
}
