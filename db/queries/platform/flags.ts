// Organizations' settings for feature flags, read and written per organization, or searched across all of them.
import type { EntityManager } from '@mikro-orm/postgresql';
import { type FlagKey, type FlagValue, flagFor } from '../../../domain/platform/flags.ts';
import { FlagOverride } from '../../entities/platform/flag-override.ts';
import { forgetOverrides, keptOverrides } from '../../flag-cache.ts';
import { afterCommit } from '../../prepared.ts';
import { organizationOf } from '../../scope.ts';

/** Reads all of the organization's settings, by key. */
export async function flagOverrides(em: EntityManager): Promise<ReadonlyMap<string, FlagValue>> {
  const rows = await em.find(FlagOverride, {});
  return new Map(rows.map(({ key, value }) => [key, value as FlagValue]));
}

/** Reads the organization's setting for a flag; undefined when it has none. */
export async function flagOverride(em: EntityManager, key: string): Promise<FlagValue | undefined> {
  const row = await em.findOne(FlagOverride, { key });
  return row === null ? undefined : (row.value as FlagValue);
}

/** Sets a flag for the organization. */
export async function putFlagOverride(em: EntityManager, key: string, value: FlagValue): Promise<void> {
  await em.upsert(
    FlagOverride,
    { key, value, orgId: organizationOf(em) },
    { onConflictFields: ['orgId', 'key'], onConflictExcludeFields: ['id', 'createdAt'] },
  );
  forget(em);
}

/** Resets a flag to its default. */
export async function removeFlagOverride(em: EntityManager, key: string): Promise<void> {
  await em.nativeDelete(FlagOverride, { key });
  forget(em);
}

/** The write clears the cache; the commit clears anything cached between the two. */
function forget(em: EntityManager): void {
  const orgId = organizationOf(em);
  forgetOverrides(em, orgId);
  afterCommit(em, () => forgetOverrides(em, orgId));
}

/** Whether a boolean flag is on in the organization, or for one of its policies; at most two seconds stale. */
export async function isFlagOn(em: EntityManager, key: FlagKey, policyId?: string): Promise<boolean> {
  return flagFor(key, (await keptOverrides(em, flagOverrides)).get(key), policyId) === true;
}

/**
 * Reads the ids of organizations that have turned a flag on, in order, after a given one. Needs the all-organizations
 * scope.
 */
export async function organizationsWithFlag(
  em: EntityManager,
  key: FlagKey,
  { after, limit }: { after: string; limit: number },
): Promise<string[]> {
  const rows = await em.execute<{ org_id: string }[]>(
    "select org_id from flag_overrides where key = ? and value = 'true' and org_id > ? order by org_id limit ?",
    [key, after, limit],
  );
  return rows.map(({ org_id }) => org_id);
}
