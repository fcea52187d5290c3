// Reports to a container platform whether one of our processes in this container works: `node scripts/healthcheck.ts
// api`. The api and auth answer on their port; a worker is healthy when Temporal sees it polling.
import { hostname } from 'node:os';
import { Connection } from '@temporalio/client';
import { loadApiConfig, loadAuthConfig, loadWorkerConfig, type WorkerConfig } from '../config.ts';
import { QUEUES, taskQueue } from '../contracts/queues.ts';
import { connectionOptions } from '../providers/temporal.ts';

const TIMEOUT_MS = 8_000;
/** Activity tasks, in the words of the server's protocol: every worker polls for them. */
const ACTIVITY_TASKS = 2;

const checks: Record<string, () => Promise<boolean>> = {
  api: () => answers(`http://127.0.0.1:${loadApiConfig(process.env).port}/healthz`),
  auth: () => answers(`http://127.0.0.1:${loadAuthConfig(process.env).authPort}/healthz`),
  worker: () => isPolling(loadWorkerConfig(process.env)),
};

const [name = ''] = process.argv.slice(2);
const check = checks[name];
if (!check) throw new Error(`Usage: node scripts/healthcheck.ts ${Object.keys(checks).join('|')}`);
const isHealthy = await check().catch(() => false);
process.exit(isHealthy ? 0 : 1);

async function answers(url: string): Promise<boolean> {
  return (await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) })).ok;
}

/** Pollers are known by the process id and the name of their host, which is the container's. */
async function isPolling(config: WorkerConfig): Promise<boolean> {
  const connection = await Connection.connect({ ...connectionOptions(config), connectTimeout: TIMEOUT_MS });
  const polled = QUEUES.map(async (queue) => {
    const { pollers } = await connection.workflowService.describeTaskQueue({
      namespace: config.temporalNamespace,
      taskQueue: { name: taskQueue(queue, config.taskQueuePrefix) },
      taskQueueType: ACTIVITY_TASKS,
    });
    return (pollers ?? []).some(({ identity }) => identity?.endsWith(`@${hostname()}`));
  });
  const answers = await Promise.all(polled);
  await connection.close();
  return answers.includes(true);
}
