// Which term of a policy covers a loss, and its coverage on that day. Contract 3.3.
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Claim } from '../../db/entities/claim/claim.ts';
import type { Policy } from '../../db/entities/policy/policy.ts';
import { findPolicy, policyTransactions } from '../../db/queries/policy/policies.ts';
import { type CoverageFlag, type LossCoverage, lossCoverage } from '../../domain/claim/coverage.ts';
import type { BusinessDate } from '../../domain/dates.ts';

/** Finds the term of a policy's chain that contains a day; if none does, the policy itself. */
export async function termOfLoss(
  em: EntityManager,
  named: Readonly<Policy>,
  lossDate: BusinessDate,
): Promise<Readonly<Policy>> {
  const seen = new Set<string>();
  for (let term: Readonly<Policy> | null = named; term !== null && !seen.has(term.id); ) {
    if (term.effectiveDate <= lossDate && lossDate < term.expirationDate) return term;
    seen.add(term.id);
    const next: string | null = lossDate < term.effectiveDate ? term.renewalOf : term.renewalPolicyId;
    term = next === null ? null : await findPolicy(em, next);
  }
  return named;
}

/** The coverage of a claim's term on the loss date, from the transactions as they are now. */
export async function coverageOfLoss(
  em: EntityManager,
  term: Readonly<Policy>,
  { lossDate, reportedOn, duplicateOf }: Pick<Claim, 'lossDate' | 'reportedOn' | 'duplicateOf'>,
): Promise<{ coverage: LossCoverage; flags: CoverageFlag[] }> {
  const { effectiveDate, expirationDate, status, renewalPolicyId } = term;
  return lossCoverage({
    stack: await policyTransactions(em, term.id),
    term: { effectiveDate, expirationDate },
    policyStatus: status,
    renewalPolicyId,
    lossDate,
    reportedOn,
    isDuplicate: duplicateOf !== null,
  });
}
