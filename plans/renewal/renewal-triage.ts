// A next term's triage: scored like new business, with losses known from claims. Domain facts 3.7, 3.8.

import type { EntityManager } from '@mikro-orm/postgresql';
import type { Policy } from '../../db/entities/policy/policy.ts';
import { countLosses } from '../../db/queries/claim/claims.ts';
import { findSubmission } from '../../db/queries/submission/submissions.ts';
import { appetiteUnder } from '../../domain/authority/authority.ts';
import { addYears, type BusinessDate } from '../../domain/dates.ts';
import { completeness } from '../../domain/submission/submission.ts';
import type { Triage } from '../../domain/submission/triage.ts';
import { LOSS_YEARS } from '../../domain/submission/triage.ts';
import type { Quotation, Risk } from '../submission/quotation.ts';
import { scoreRisk } from '../submission/scoring.ts';

/** Years that rating and triage look back for losses. Domain facts 3.7. */

/** The higher of known and declared losses counts; if none are known, the declared number counts. */
export async function lossesBefore(
  em: EntityManager,
  policy: Readonly<Policy>,
  effectiveDate: BusinessDate,
): Promise<number | null> {
  const declared = policy.ratingInputs.lossesLast5Years;
  const known = await countLosses(em, policy, addYears(effectiveDate, -LOSS_YEARS));
  return known === 0 ? declared : Math.max(known, declared ?? 0);
}

/** Scores a policy's next term, as priced. */
export async function triageOfNextTerm(
  em: EntityManager,
  policy: Readonly<Policy>,
  { risk, quotation, today }: { risk: Risk; quotation: Quotation; today: BusinessDate },
): Promise<Triage> {
  const { contract, producerAppointed, inputs } = quotation;
  const fit = {
    ...{ contract, producerAppointed, appetite: appetiteUnder(contract, inputs.appetite, risk.naicsCode) },
    completeness: await completenessOf(em, policy, risk),
  };
  return scoreRisk({ ...risk, ...fit }, today);
}

/** The submission has data that a policy does not keep, such as years in business. */
async function completenessOf(em: EntityManager, policy: Readonly<Policy>, risk: Risk) {
  const { submissionId, insuredName, insuredEmail, insuredPhone, insuredAddress, usdotNumber } = policy;
  const submission = submissionId === null ? null : await findSubmission(em, submissionId);
  const ofPolicy = { insuredName, insuredEmail, insuredPhone, insuredAddress, usdotNumber };
  return completeness({ ...submission, ...ofPolicy, ...risk });
}
