// Finds the `temporal` program, which contains the development server: tries five ways, and takes the first that
// works.
import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { StartError } from '../start-error.ts';
import { userCache } from '../user-cache.ts';

/** The newest version that `go install` can build. */
const TEMPORAL_CLI_VERSION = 'v1.5.1';
const GO_MODULE = `github.com/temporalio/cli/cmd/temporal@${TEMPORAL_CLI_VERSION}`;
const DOWNLOAD_HOST = 'https://temporal.download';
const REACHABLE_TIMEOUT_MS = 5_000;
const DOWNLOAD_TIMEOUT_MS = 180_000;
const BUILD_TIMEOUT_MS = 20 * 60_000;
const PROGRESS_INTERVAL_MS = 15_000;

export interface BinarySearch {
  /** Value of TEMPORAL_CLI_PATH. */
  explicitPath: string | null;
  /** The environment of the process, for PATH and XDG_CACHE_HOME. */
  environment: Readonly<Record<string, string | undefined>>;
  progress: (line: string) => void;
}

/**
 * Finds or builds a working `temporal` program.
 * @throws StartError if TEMPORAL_CLI_PATH does not run, or if all five ways fail
 */
export async function findTemporal(search: BinarySearch): Promise<string> {
  const cached = join(userCache(search.environment), `temporal-${TEMPORAL_CLI_VERSION}`);
  if (search.explicitPath) {
    if (runs(search.explicitPath)) return search.explicitPath;
    throw new StartError(
      `TEMPORAL_CLI_PATH names ${search.explicitPath}, which does not run: correct it, or unset it to let Bindery search.`,
    );
  }
  if (runs('temporal', search.environment)) return 'temporal';
  if (runs(cached)) return cached;
  if (await download(cached, search)) return cached;
  if (await build(cached, search)) return cached;
  throw new StartError(missingBinary(cached));
}

function missingBinary(cached: string): string {
  return [
    'The Temporal program was not found. Do one of these and start again:',
    '  1. set TEMPORAL_CLI_PATH to a temporal program',
    '  2. install the Temporal CLI, so that "temporal" is on PATH',
    `  3. put a copy at ${cached}`,
    `  4. allow this machine to reach ${DOWNLOAD_HOST}, from where it is then fetched`,
    '  5. install Go 1.24 or newer, with which it is then built',
    'Or set TEMPORAL_ADDRESS to a Temporal server that already runs.',
  ].join('\n');
}

function runs(program: string, environment?: BinarySearch['environment']): boolean {
  const result = spawnSync(program, ['--version'], { encoding: 'utf8', timeout: 20_000, env: environment });
  return result.status === 0 && /temporal/i.test(result.stdout);
}

async function download(target: string, search: BinarySearch): Promise<boolean> {
  if (!(await isReachable(DOWNLOAD_HOST))) return false;
  const folder = `${target}.download`;
  mkdirSync(folder, { recursive: true });
  search.progress('downloading the Temporal server (about 60 MB, once per user)');
  const script = join(import.meta.dirname, 'download.ts');
  const done = await runWithProgress(process.execPath, [script, folder], DOWNLOAD_TIMEOUT_MS, search, {});
  const file = done ? readdirSync(folder).find((name) => /temporal/.test(name)) : undefined;
  if (file) keep(join(folder, file), target);
  rmSync(folder, { recursive: true, force: true });
  return file !== undefined && runs(target);
}

async function isReachable(url: string): Promise<boolean> {
  try {
    await fetch(url, { method: 'HEAD', signal: AbortSignal.timeout(REACHABLE_TIMEOUT_MS) });
    return true;
  } catch {
    return false;
  }
}

async function build(target: string, search: BinarySearch): Promise<boolean> {
  if (spawnSync('go', ['version'], { env: search.environment }).status !== 0) return false;
  const folder = `${target}.build`;
  mkdirSync(folder, { recursive: true });
  search.progress('building the Temporal server with Go (about 5 minutes on 2 cores, once per user)');
  const done = await runWithProgress('go', ['install', '-v', GO_MODULE], BUILD_TIMEOUT_MS, search, { GOBIN: folder });
  const file = join(folder, 'temporal');
  if (done && existsSync(file)) keep(file, target);
  rmSync(folder, { recursive: true, force: true });
  return done && runs(target);
}

function keep(file: string, target: string): void {
  chmodSync(file, 0o755);
  renameSync(file, target);
}

async function runWithProgress(
  command: string,
  args: readonly string[],
  timeoutMs: number,
  search: BinarySearch,
  extra: Readonly<Record<string, string>>,
): Promise<boolean> {
  const startedAt = Date.now();
  const child = spawn(command, args, {
    env: { ...search.environment, ...extra },
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: timeoutMs,
  });
  let lastLine = '';
  child.stderr.on('data', (chunk: Buffer) => {
    lastLine = chunk.toString().trim().split('\n').at(-1) || lastLine;
  });
  const tick = setInterval(() => {
    search.progress(`still at it after ${Math.round((Date.now() - startedAt) / 1000)} s  ${lastLine.slice(0, 80)}`);
  }, PROGRESS_INTERVAL_MS);
  const code = await new Promise<number | null>((resolve) =>
    child.once('error', () => resolve(null)).once('close', resolve),
  );
  clearInterval(tick);
  if (code !== 0) search.progress(`that did not work: ${lastLine.slice(0, 200)}`);
  return code === 0;
}
