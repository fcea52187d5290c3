/** What the activities depend on, composed from the parts of a worker: the one place where they are put together. */
import { join } from 'node:path';
import { sanctionsList } from '../db/queries/submission/sanctions.ts';
import type { PdfEngine } from '../providers/ports.ts';
import { createTableScreening } from '../providers/table-screening.ts';
import type { Deps } from './context.ts';

export interface ActivityParts
  extends Pick<Deps, 'database' | 'card' | 'storage' | 'signing' | 'mail' | 'now' | 'logger'> {
  config: Pick<Deps, 'environment' | 'defaultOrgId' | 'payloadKeys'> & { dataDir: string };
  /** Prints documents. If omitted, document requests get 503. */
  pdf?: PdfEngine | null;
}

/** Composes them. What the worker itself opens and closes is given apart. */
export function activityDeps(parts: ActivityParts, own: Pick<Deps, 'engine' | 'webhooks' | 'typesetter'>): Deps {
  const { config, database, card, storage, signing, mail, pdf = null, logger, now } = parts;
  const { environment, defaultOrgId, payloadKeys, dataDir } = config;
  return {
    ...{ database, now, environment, defaultOrgId, logger, card, storage, signing, mail, pdf },
    ...{ ...own, payloadKeys, scratchFolder: join(dataDir, 'scratch') },
    screening: createTableScreening({ loadEntries: () => sanctionsList(database) }),
  };
}
