/** A submission's triage from the facts known so far. The scoring itself is pure. */
import type { EntityManager } from '@mikro-orm/postgresql';
import type { StoredTriage, Submission } from '../../db/entities/submission/submission.ts';
import { appetiteUnder } from '../../domain/authority/authority.ts';
import type { BusinessDate } from '../../domain/dates.ts';
import { appetiteOf } from '../../domain/submission/rating.ts';
import { completeness } from '../../domain/submission/submission.ts';
import { governanceOf } from './quotation.ts';
import { scoreRisk } from './scoring.ts';

/** Scores a submission; without line, state and date there is no authority to check against. */
export async function triageOf(em: EntityManager, submission: Submission, today: BusinessDate): Promise<StoredTriage> {
  const { naicsCode, state, lineOfBusiness, effectiveDate, producerId } = submission;
  const { lossesLast5Years, annualRevenueCents, requestedLimitCents } = submission;
  const governance =
    state === null || lineOfBusiness === null || effectiveDate === null
      ? null
      : await governanceOf(em, { state, lineOfBusiness, effectiveDate, producerId });
  const contract = governance?.contract ?? null;
  const table = governance?.rateTable?.table ?? null;
  const risk = {
    ...{ state, lineOfBusiness, effectiveDate, lossesLast5Years, annualRevenueCents, requestedLimitCents, contract },
    appetite: naicsCode && table ? appetiteUnder(contract, appetiteOf(table, naicsCode), naicsCode) : null,
    completeness: completeness(submission),
    sanctionsHit: (submission.clearance?.sanctionsMatches.length ?? 0) > 0,
    producerAppointed: governance?.producerAppointed ?? null,
  };
  return scoreRisk(risk, today);
}
