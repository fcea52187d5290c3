// A worker in this process, composed as the worker process composes its own.
import { createRequire } from 'node:module';
import { type RunningScriptOptions, Script } from 'node:vm';
import { DefaultLogger, makeTelemetryFilterString, NativeConnection, Runtime } from '@temporalio/worker';
import { connectionOptions } from '../../providers/temporal.ts';
import { startWorker, type WorkerParts } from '../../workers/start-worker.ts';
import { silentLogger } from './logger.ts';
import type { TestProviders } from './servers/providers.ts';
import { workflowBundle } from './workflow-bundle.ts';

/**
 * Records where each workflow promise was made, for a query that no test uses. In a single thread it would look at
 * every promise of the process.
 */
const { globalHandlers } = createRequire(import.meta.url)('@temporalio/worker/lib/workflow/vm-shared.js') as {
  globalHandlers: { stopPromiseHook: () => void };
};

/** The limit that the SDK sets for a workflow step in the worker's thread: seven weeks, which never expires. */
const NO_LIMIT_MS = 2 ** 32 - 1;

/** Node starts a thread for each limit, however long, at each of the thousands of steps. */
function enterWithoutLimit(): void {
  const { runInContext } = Script.prototype;
  Script.prototype.runInContext = function (context, options: RunningScriptOptions = {}) {
    const { timeout, ...rest } = options;
    return runInContext.call(this, context, timeout === NO_LIMIT_MS ? rest : options);
  };
}

export interface TestWorkerParts extends Pick<WorkerParts, 'config' | 'database' | 'around' | 'pdf'> {
  providers: TestProviders;
  /** Real time in milliseconds. */
  now?: () => number;
  logger?: WorkerParts['logger'];
}

export interface TestWorker {
  /** Finishes what is running and closes the connection to Temporal. */
  stop: () => Promise<void>;
}

/** Starts a worker on every queue of the configuration's prefix. Its workflows run in this thread: decision 0268. */
export async function runWorker({ providers, ...parts }: TestWorkerParts): Promise<TestWorker> {
  installRuntime();
  const { card, storage, signing, mail } = providers;
  const connection = await NativeConnection.connect(connectionOptions(parts.config));
  const worker = await startWorker({
    ...{ connection, card, storage, signing, mail, workflowBundle: await workflowBundle() },
    ...{ now: Date.now, logger: silentLogger, isOneThread: true, ...parts },
  });
  globalHandlers.stopPromiseHook();
  return {
    stop: async () => {
      await worker.stop().finally(() => connection.close());
    },
  };
}

let isRuntimeInstalled = false;

/** There is one runtime per process: without this it would log to the terminal and stop on signals on its own. */
function installRuntime(): void {
  if (isRuntimeInstalled) return;
  isRuntimeInstalled = true;
  enterWithoutLimit();
  const filter = makeTelemetryFilterString({ core: 'ERROR', other: 'ERROR' });
  const telemetryOptions = { logging: { filter, forward: {} } };
  Runtime.install({ logger: new DefaultLogger('ERROR'), shutdownSignals: [], telemetryOptions });
}
