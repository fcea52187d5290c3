// Triage scoring, from what is known about a risk and what governs it. New business and next terms are scored alike.
// Nothing here reads or writes.
import type { DaContract } from '../../db/entities/authority/da-contract.ts';
import { isContractInForce } from '../../domain/authority/authority.ts';
import { type BusinessDate, daysBetween } from '../../domain/dates.ts';
import { type Triage, type TriageInput, triage } from '../../domain/submission/triage.ts';

type KnownFacts = Pick<
  TriageInput,
  'appetite' | 'completeness' | 'lossesLast5Years' | 'annualRevenueCents' | 'requestedLimitCents' | 'sanctionsHit'
>;

/** A risk and what governs it; null means not known yet. */
export interface ScoredRisk extends KnownFacts {
  state: string | null;
  lineOfBusiness: string | null;
  effectiveDate: BusinessDate | null;
  contract: Readonly<DaContract> | null;
  /** Null without a producer. */
  producerAppointed: boolean | null;
}

/** Scores a risk on a day. A contract that is not in force on the effective date allows nothing. */
export function scoreRisk(risk: ScoredRisk, today: BusinessDate): Triage {
  const { state, lineOfBusiness, effectiveDate, contract, ...known } = risk;
  const inForce =
    contract !== null && effectiveDate !== null && isContractInForce(contract, effectiveDate) ? contract : null;
  return triage({
    ...known,
    contractMaxLimitCents: inForce?.maxPolicyLimitCents ?? null,
    stateAuthorized: inForce && state ? inForce.states.includes(state) : null,
    lineAuthorized: inForce && lineOfBusiness ? inForce.linesOfBusiness.includes(lineOfBusiness) : null,
    leadDays: effectiveDate === null ? null : daysBetween(today, effectiveDate),
  });
}
