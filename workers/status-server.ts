/**
 * What a worker reports to monitors: whether it is alive (`/healthz`), whether it can work (`/readyz`), and its
 * metrics together with those of Temporal's SDK (`/metrics`). Open to anyone: it returns counts, durations and step
 * names, and accepts no input.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { NativeConnection } from '@temporalio/worker';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { Database } from '../db/orm.ts';
import { answersInTime } from '../http/answers-in-time.ts';
import { type HttpServer, listen } from '../http/http-server.ts';
import type { RunningWorker } from './start-worker.ts';

const TEXT = 'text/plain; version=0.0.4; charset=utf-8';
const JSON_TYPE = 'application/json; charset=utf-8';

/** What a worker needs to work. */
interface Parts {
  worker: Pick<RunningWorker, 'isPolling'>;
  database: Pick<Database, 'ping'>;
  connection: Pick<NativeConnection, 'workflowService'>;
}

export interface StatusServerOptions {
  /** 0 means any free port. */
  port: number;
  registry: Registry;
  /** The SDK's metrics. */
  sdkMetrics: () => Promise<string>;
  logger: Logger;
}

export interface StatusServer extends HttpServer {
  /** Sets the parts once they exist; until then the worker is alive but not ready. */
  watch: (parts: Parts) => void;
}

interface Answer {
  status: number;
  type: string;
  body: string;
}

/**
 * Starts serving.
 * @throws Error with code EADDRINUSE when the port is taken
 */
export async function startStatusServer(options: StatusServerOptions): Promise<StatusServer> {
  let parts: Parts | null = null;
  const answers: Readonly<Record<string, () => Promise<Answer>>> = {
    '/healthz': async () => json(200, { status: 'ok' }),
    '/readyz': async () => readiness(parts),
    '/metrics': async () => ({ status: 200, type: TEXT, body: await metricsOf(options) }),
  };
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const answer = request.method === 'GET' ? answers[request.url ?? ''] : undefined;
    const { status, type, body } = answer ? await answer() : json(404, { error: 'not_found' });
    response.writeHead(status, { 'Content-Type': type, 'Cache-Control': 'no-store' }).end(body);
  };
  const handler = (request: IncomingMessage, response: ServerResponse) => {
    handle(request, response).catch((error: unknown) => {
      options.logger.error({ err: error }, 'the state of the worker could not be answered');
      response.destroy();
    });
  };
  const server = await listen(handler, { port: options.port });
  const watch: StatusServer['watch'] = (watched) => {
    parts = watched;
  };
  return { ...server, watch };
}

async function readiness(parts: Parts | null): Promise<Answer> {
  const polling = parts?.worker.isPolling() ?? false;
  const [temporal, database] = await Promise.all([
    parts !== null && answersInTime(() => parts.connection.workflowService.getSystemInfo({})),
    parts !== null && answersInTime(() => parts.database.ping()),
  ]);
  return json(polling && temporal && database ? 200 : 503, { polling, temporal, database });
}

/** Ours, plus the SDK's if available: half a picture is better than none. */
async function metricsOf({ registry, sdkMetrics, logger }: StatusServerOptions): Promise<string> {
  const ofSdk = sdkMetrics().catch((error: unknown) => {
    logger.warn({ err: error }, 'the measurements of the Temporal SDK are missing');
    return '';
  });
  return `${(await registry.metrics()).trimEnd()}\n${await ofSdk}`;
}

function json(status: number, body: object): Answer {
  return { status, type: JSON_TYPE, body: JSON.stringify(body) };
}
