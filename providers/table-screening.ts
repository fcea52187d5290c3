/**
 * Sanctions screening against the list in the operator's own table. The list is the same for every organization and
 * rarely changes, so it is kept in memory for a minute.
 */
import { type SanctionsEntry, screener } from '../domain/submission/sanctions.ts';
import type { SanctionsScreening } from './ports.ts';

const KEEP_MS = 60_000;

export interface TableScreeningOptions {
  /** Reads the whole list. */
  loadEntries: () => Promise<SanctionsEntry[]>;
  /** Milliseconds of a monotonic clock; default: the process's own. */
  now?: () => number;
}

/** Builds the adapter; the list is read when it is first needed. */
export function createTableScreening(options: TableScreeningOptions): SanctionsScreening {
  const { loadEntries, now = () => performance.now() } = options;
  let kept: { list: Promise<ReturnType<typeof screener>>; untilMs: number } | null = null;

  const list = (): Promise<ReturnType<typeof screener>> => {
    if (kept !== null && now() < kept.untilMs) return kept.list;
    const loading = loadEntries().then(screener);
    const fresh = { list: loading, untilMs: now() + KEEP_MS };
    kept = fresh;
    // A failed load is not cached: the next call tries again.
    loading.catch(() => {
      if (kept === fresh) kept = null;
    });
    return loading;
  };

  return { screen: async (name) => (await list())(name) };
}
