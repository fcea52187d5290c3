// npm run dev: a source change restarts the processes that run it. Workflows are bundled and some code runs in
// threads, so what to watch is listed by folder rather than taken from a process's imports.
import { type FSWatcher, watch } from 'node:fs';
import { basename, join } from 'node:path';
import { report } from './progress.ts';
import type { Service } from './service.ts';

/** A formatter or a checkout writes many files, which count as one change. */
const QUIET_MS = 150;
const STOP_GRACE_MS = 5_000;
const SHARED = ['config.ts', 'config', 'contracts', 'db', 'domain', 'http', 'providers'];
/** Files that editors create beside the edited ones. */
const OF_EDITORS = /^\.|~$|\.sw\w$|^\d+$/;

const OF_WORKERS = [...SHARED, 'plans', 'activities', 'workflows', 'workers'];

/** The source of each restartable process, relative to the repository root. */
export const SOURCES: Readonly<Record<string, readonly string[]>> = {
  api: [...SHARED, 'plans', 'api', 'docs/guides'],
  worker: OF_WORKERS,
  background: OF_WORKERS,
  auth: [...SHARED, 'auth'],
};

export interface Watch {
  stop(): void;
}

/** Watches the source and restarts the processes that run it, until stopped. */
export function watchSources(root: string, services: readonly Service[]): Watch {
  const changed = new Map<string, string>();
  let timer: NodeJS.Timeout | undefined;
  let restarting = Promise.resolve();
  const restartChanged = () => {
    const paths = new Map(changed);
    changed.clear();
    restarting = restarting.then(() => restart(services, paths));
  };
  const watchers = [...new Set(Object.values(SOURCES).flat())].map((source) =>
    watchOne(root, source, (path) => {
      changed.set(source, path);
      clearTimeout(timer);
      timer = setTimeout(restartChanged, QUIET_MS);
    }),
  );
  report('dev', 'restarts api, workers and auth when their source changes');
  return {
    stop: () => {
      clearTimeout(timer);
      for (const watcher of watchers) watcher.close();
    },
  };
}

function watchOne(root: string, source: string, onChange: (path: string) => void): FSWatcher {
  return watch(join(root, source), { recursive: true }, (_, name) => {
    const path = name === null ? '' : String(name);
    if (!OF_EDITORS.test(basename(path))) onChange(source.endsWith('.ts') ? source : join(source, path));
  });
}

/** @param paths one changed path for each changed source */
async function restart(services: readonly Service[], paths: ReadonlyMap<string, string>): Promise<void> {
  const concerned = services.filter(({ name }) => SOURCES[name]?.some((source) => paths.has(source)));
  if (concerned.length === 0) return;
  const startedAt = Date.now();
  const names = concerned.map(({ name }) => name).join(', ');
  report('dev', `${[...paths.values()].join(', ')} changed: restarting ${names}`);
  const isReady = await Promise.all(concerned.map((service) => service.restart(STOP_GRACE_MS)));
  if (!isReady.every(Boolean)) report('dev', 'a process does not start: its log says why; the next change tries again');
  else report('dev', `${names} ready after ${((Date.now() - startedAt) / 1000).toFixed(1)} s`);
}
