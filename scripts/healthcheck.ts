// Reports to a container platform whether one of our processes in this container is healthy:
// `node scripts/healthcheck.ts api`. api and auth must be alive. A worker must be ready: polling, and able to reach
// Temporal and PostgreSQL.
import { loadApiConfig, loadAuthConfig, loadWorkerConfig } from '../config.ts';

const TIMEOUT_MS = 8_000;

const urls: Record<string, () => string> = {
  api: () => `http://127.0.0.1:${loadApiConfig(process.env).port}/healthz`,
  auth: () => `http://127.0.0.1:${loadAuthConfig(process.env).authPort}/healthz`,
  worker: () => `http://127.0.0.1:${loadWorkerConfig(process.env).port}/readyz`,
};

const [name = ''] = process.argv.slice(2);
const url = urls[name];
if (!url) throw new Error(`Usage: node scripts/healthcheck.ts ${Object.keys(urls).join('|')}`);
process.exit((await answers(url()).catch(() => false)) ? 0 : 1);

async function answers(url: string): Promise<boolean> {
  return (await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) })).ok;
}
