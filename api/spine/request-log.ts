// Calls and their responses, written in the background: once a second, one statement per organization. A caller never
// waits for it, and an entry the database cannot take survives only as a log line.
import type { Logger } from 'pino';
import type { Database } from '../../db/orm.ts';
import { type AnsweredRequest, insertRequests } from '../../db/queries/platform/requests.ts';

const EVERY_MS = 1_000;
/** More than a process handles in a few seconds; anything beyond is counted and dropped. */
const MOST_WAITING = 10_000;

type LoggedRequest = AnsweredRequest & { orgId: string };

export interface RequestLog {
  add: (request: LoggedRequest) => void;
  /** Settles when everything added earlier is written. */
  flush: () => Promise<void>;
  /** Writes the rest and stops. */
  close: () => Promise<void>;
}

/** Builds the log of a process. */
export function createRequestLog(parts: { database: Database; logger: Logger; everyMs?: number }): RequestLog {
  const { database, logger, everyMs = EVERY_MS } = parts;
  let waiting: LoggedRequest[] = [];
  let lost = 0;
  const write = async (orgId: string, requests: readonly LoggedRequest[]) => {
    try {
      await database.forOrg(orgId, (em) => insertRequests(em, requests));
    } catch (error) {
      logger.warn({ err: error, orgId, requests: requests.length }, 'requests could not be kept');
    }
  };
  const writeAll = async () => {
    const taken = waiting;
    waiting = [];
    if (lost > 0) logger.warn({ requests: lost }, 'requests were not kept: too many in a second');
    lost = 0;
    for (const [orgId, requests] of Map.groupBy(taken, (request) => request.orgId)) await write(orgId, requests);
  };
  let writing = Promise.resolve();
  const flush = () => {
    if (waiting.length > 0) writing = writing.then(writeAll);
    return writing;
  };
  const timer = setInterval(flush, everyMs);
  timer.unref();
  return {
    add: (request) => {
      if (waiting.length < MOST_WAITING) waiting.push(request);
      else lost += 1;
    },
    flush,
    close: () => {
      clearInterval(timer);
      return flush();
    },
  };
}
