// Callers' organizations, cached for seconds, since every request needs one and they hardly change.
import type { Database } from '../../db/orm.ts';
import { findOrganization } from '../../db/queries/platform/organizations.ts';

/** What a call needs to know about an organization. */
export interface OrganizationFacts {
  id: string;
  tier: string;
  /** Days by which its business date is ahead of the UTC date. */
  clockOffsetDays: number;
}

export interface OrganizationDirectory {
  /** Reads an organization, or null; the result is at most a few seconds old. */
  find: (orgId: string) => Promise<OrganizationFacts | null>;
  /** Makes the next `find` read the row, after this process changed it. */
  forget: (orgId: string) => void;
}

const MAX_ENTRIES = 10_000;

interface Entry {
  facts: Promise<OrganizationFacts | null>;
  staleAtMs: number;
}

/** Builds the directory. A missing organization is looked up again each time: it may be about to be created. */
export function createOrganizationDirectory(options: {
  database: Database;
  now: () => number;
  keepMs: number;
}): OrganizationDirectory {
  const { database, now, keepMs } = options;
  const entries = new Map<string, Entry>();
  const load = async (orgId: string) => {
    const row = await database.forOrg(orgId, (em) => findOrganization(em, orgId));
    return row && { id: row.id, tier: row.tier, clockOffsetDays: row.clockOffsetDays };
  };
  return {
    find: async (orgId) => {
      const known = entries.get(orgId);
      if (known && known.staleAtMs > now()) return known.facts;
      if (entries.size >= MAX_ENTRIES) entries.clear();
      // The entry is added before the row is read, so that `forget` also drops a read in progress.
      const entry = { facts: load(orgId), staleAtMs: now() + keepMs };
      entries.set(orgId, entry);
      const drop = () => entries.get(orgId) === entry && entries.delete(orgId);
      const facts = await entry.facts.catch((error: unknown) => {
        drop();
        throw error;
      });
      if (facts === null) drop();
      return facts;
    },
    forget: (orgId) => {
      entries.delete(orgId);
    },
  };
}
