// What a renewal batch would do, policy by policy, using the plan that the batch carries out. Nothing is written.
// Contract 3.2 "batch".
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Page, PageRequest } from '../../../db/queries/pages.ts';
import { findPolicy } from '../../../db/queries/policy/policies.ts';
import { type BatchItem, dueForRenewal, type RenewalWindow } from '../../../db/queries/renewal/renewal-batches.ts';
import type { BusinessDate } from '../../../domain/dates.ts';
import { DomainError } from '../../../domain/errors.ts';
import { PAGE_SIZE_MAX } from '../../../domain/limits.ts';
import { addCounts, type BatchCounts, countOutcomes, outcomeOfRefusal } from '../../../domain/renewal/renewal-batch.ts';
import { planRenewal } from '../../../plans/renewal/renewal-plan.ts';
import type { OrganizationDatabase } from '../../spine/route.ts';

/** The counts of every policy in the window, and a page of their outcomes. */
export interface DryRun {
  counts: BatchCounts;
  items: Page<BatchItem>;
}

/** Tries every policy in the window, in short reads, so that a large book holds no connection. */
export async function dryRun(db: OrganizationDatabase, window: RenewalWindow, page: PageRequest): Promise<DryRun> {
  const { data: ids, nextCursor } = await db.read((em) => dueForRenewal(em, window, page));
  const shown = new Set(ids);
  const data: BatchItem[] = [];
  let counts = countOutcomes([]);
  let cursor: string | null | undefined;
  do {
    const from: PageRequest = { limit: PAGE_SIZE_MAX, cursor };
    const tried: Page<BatchItem> = await db.read((em) => tryPage(em, window, from));
    counts = addCounts(counts, countOutcomes(tried.data));
    data.push(...tried.data.filter(({ policyId }) => shown.has(policyId)));
    cursor = tried.nextCursor;
  } while (cursor !== null);
  return { counts, items: { data, nextCursor } };
}

async function tryPage(em: EntityManager, window: RenewalWindow, page: PageRequest): Promise<Page<BatchItem>> {
  const { data: ids, nextCursor } = await dueForRenewal(em, window, page);
  const data: BatchItem[] = [];
  for (const id of ids) {
    const item = await tryOne(em, id, window.today);
    if (item !== null) data.push(item);
  }
  return { data, nextCursor };
}

/** Null for a policy that has dropped off the list in the meantime. */
async function tryOne(em: EntityManager, policyId: string, today: BusinessDate): Promise<BatchItem | null> {
  const policy = await findPolicy(em, policyId);
  if (policy === null) return null;
  try {
    await planRenewal(em, policy, { effectiveDate: null, changes: {} }, today);
    return { policyId, outcome: 'renewed', renewalPolicyId: null, error: null };
  } catch (error) {
    if (error instanceof DomainError) return { policyId, ...outcomeOfRefusal(error) };
    throw error;
  }
}
