/** A submission's triage from the facts known so far. The scoring itself is pure. */
import type { EntityManager } from '@mikro-orm/postgresql';
import type { StoredTriage, Submission } from '../../db/entities/submission/submission.ts';
import { appetiteUnder, isInForce } from '../../domain/authority/authority.ts';
import { type BusinessDate, daysBetween } from '../../domain/dates.ts';
import { appetiteOf } from '../../domain/submission/rating.ts';
import { completeness } from '../../domain/submission/submission.ts';
import { triage } from '../../domain/submission/triage.ts';
import { governanceOf } from '../../plans/submission/quotation.ts';

/** Scores a submission; without line, state and date there is no authority to check against. */
export async function triageOf(em: EntityManager, submission: Submission, today: BusinessDate): Promise<StoredTriage> {
  const { naicsCode, state, lineOfBusiness, effectiveDate, producerId } = submission;
  const governance =
    state === null || lineOfBusiness === null || effectiveDate === null
      ? null
      : await governanceOf(em, { state, lineOfBusiness, effectiveDate, producerId });
  const contract = governance?.contract ?? null;
  const inForce = contract !== null && effectiveDate !== null && isInForce(contract, effectiveDate) ? contract : null;
  const table = governance?.rateTable?.table ?? null;
  return triage({
    appetite: naicsCode && table ? appetiteUnder(contract, appetiteOf(table, naicsCode), naicsCode) : null,
    completeness: completeness(submission),
    lossesLast5Years: submission.lossesLast5Years,
    annualRevenueCents: submission.annualRevenueCents,
    requestedLimitCents: submission.requestedLimitCents,
    contractMaxLimitCents: inForce?.maxPolicyLimitCents ?? null,
    stateAuthorized: inForce && state ? inForce.states.includes(state) : null,
    lineAuthorized: inForce && lineOfBusiness ? inForce.linesOfBusiness.includes(lineOfBusiness) : null,
    sanctionsHit: (submission.clearance?.sanctionsMatches.length ?? 0) > 0,
    leadDays: effectiveDate === null ? null : daysBetween(today, effectiveDate),
    producerAppointed: governance?.producerAppointed ?? null,
  });
}
