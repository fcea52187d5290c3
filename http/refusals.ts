// Refused credentials without their own audit row, because their owner is unknown or there are too many: counted in
// memory and recorded as one row per minute, client and process, with the last ones recorded when the process stops.
import type { Logger } from 'pino';

const EVERY_MS = 60_000;
/** More clients than this in one minute are recorded together. */
const MOST_CLIENTS = 1_000;
const OTHER_CLIENTS = 'others';

/** A refused credential. */
export interface Refusal {
  /** The organization that the credential proved; null if none. */
  orgId: string | null;
  /** As clientOf names it. */
  client: string;
  /** One of our own fixed texts, without any part of the credential. */
  reason: string;
}

/** One client's refused credentials since the last row; the `changes` of an audit row. */
export interface RefusalCount {
  client: string;
  count: number;
  /** Reason → count. */
  reasons: Record<string, number>;
}

/** Writes the rows of one organization, or of the installation for null: all of them or none. */
export type RecordRefusals = (orgId: string | null, counts: readonly RefusalCount[]) => Promise<void>;

export interface RefusalTally {
  add: (refusal: Refusal) => void;
  /** Records the counts and stops counting. */
  close: () => Promise<void>;
}

/** Builds the tally. Counts that could not be recorded are kept for the next time, within the same limit. */
export function createRefusalTally(options: {
  record: RecordRefusals;
  logger: Logger;
  everyMs?: number;
}): RefusalTally {
  const { record, logger, everyMs = EVERY_MS } = options;
  let counts = new Map<string, RefusalCount & { orgId: string | null }>();
  const add = ({ orgId, client, reason }: Refusal, times = 1) => {
    const key = `${orgId} ${client}`;
    const isFull = !counts.has(key) && counts.size >= MOST_CLIENTS;
    const place = isFull ? { key: OTHER_CLIENTS, orgId: null, client: OTHER_CLIENTS } : { key, orgId, client };
    const entry = counts.get(place.key) ?? { orgId: place.orgId, client: place.client, count: 0, reasons: {} };
    entry.count += times;
    entry.reasons[reason] = (entry.reasons[reason] ?? 0) + times;
    counts.set(place.key, entry);
  };
  const keep = (entries: readonly (RefusalCount & { orgId: string | null })[]) => {
    for (const { orgId, client, reasons } of entries) {
      for (const [reason, times] of Object.entries(reasons)) add({ orgId, client, reason }, times);
    }
  };
  const flush = async () => {
    const taken = [...counts.values()];
    counts = new Map();
    for (const [orgId, entries] of Map.groupBy(taken, (entry) => entry.orgId)) {
      const rows = entries.map(({ client, count, reasons }) => ({ client, count, reasons }));
      await record(orgId, rows).catch((error: unknown) => {
        logger.warn({ err: error, orgId }, 'refused credentials could not be recorded and are kept');
        keep(entries);
      });
    }
  };
  let flushing = Promise.resolve();
  const flushNext = () => {
    flushing = flushing.then(flush);
    return flushing;
  };
  const timer = setInterval(flushNext, everyMs);
  timer.unref();
  return {
    add: (refusal) => add(refusal),
    close: () => {
      clearInterval(timer);
      return flushNext();
    },
  };
}
