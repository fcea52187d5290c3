/**
 * Seals the audit every few seconds for as long as the process runs, in every worker process. They share the work: the
 * process that holds a chain's lock extends it and the others skip it.
 */
import type { Logger } from 'pino';
import { sealAudit } from '../db/audit/audit-seal.ts';
import type { Database } from '../db/orm.ts';
import { type Repeating, startRepeating } from './repeating.ts';

const PAUSE_MS = 5_000;
/** Maximum rows per seal: a transaction of a few tens of milliseconds. */
const ROWS_OF_A_SEAL = 500;

export interface AuditSealingOptions {
  database: Database;
  logger: Logger;
  now: () => number;
  pauseMs?: number;
}

/** Starts sealing. While the database is down, tries again after the pause. */
export function startAuditSealing({ database, logger, now, pauseMs = PAUSE_MS }: AuditSealingOptions): Repeating {
  return startRepeating({
    round: async () => (await sealAudit(database, { limit: ROWS_OF_A_SEAL, now, logger })).isMoreLikely,
    pauseMs,
    onFault: (error) => logger.warn({ err: error }, 'the audit could not be sealed; tried again'),
  });
}
