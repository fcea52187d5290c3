/**
 * A policy change effective on or before a loss date changes the coverage of open claims. This runs in the change's
 * transaction, after the policy's lock. Contract 3.3.
 */
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Policy } from '../../db/entities/policy/policy.ts';
import { writeNewRows } from '../../db/new-rows.ts';
import { lockOpenClaimsOf } from '../../db/queries/claim/claims.ts';
import { changedFields } from '../../domain/audit.ts';
import { restated } from '../../domain/claim/settlement.ts';
import { coverageOfLoss } from '../../plans/claim/loss-term.ts';
import { type Act, record, shownFacts } from './claim-history.ts';

/** Rereads the coverage of a changed policy's open claims, and notes on each what is different. */
export async function recheckCoverage(em: EntityManager, policy: Readonly<Policy>, act: Act): Promise<void> {
  const claims = await lockOpenClaimsOf(em, policy.id);
  if (claims.length === 0) return;
  // Coverage is read from the transactions, and the newest is not written yet.
  await writeNewRows(em);
  for (const claim of claims) {
    const before = shownFacts(claim);
    const { coverage, flags } = await coverageOfLoss(em, policy, claim);
    const found = { coverage, coverageFlags: flags };
    if (Object.keys(changedFields({ ...before, ...found }, before)).length === 0) continue;
    Object.assign(claim, found, { settlement: restated(claim.settlement, { ...claim, coverage }) });
    record(em, claim, { act, action: 'recheck', before });
  }
  await em.flush();
}
