// The content of an MCS-90 data sheet. Contract 3.5, domain facts 5.3.
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Policy } from '../../db/entities/policy/policy.ts';
import type { BusinessDate } from '../../domain/dates.ts';
import { ensureInForce } from '../../domain/document/certificate.ts';
import { type Cargo, leastLimits, mcs90Limit, mcs90Since } from '../../domain/document/mcs90.ts';
import { policySegments } from '../../domain/policy/segments.ts';
import { readLife } from '../policy/life.ts';
import { policyPageFacts, termsFrom } from './common-facts.ts';

const CARGO_NAMES: Readonly<Record<Cargo, string>> = {
  non_hazardous: 'Property that is not hazardous, for hire, 10,001 pounds or more',
  oil: 'Oil',
  hazardous: 'Hazardous waste, materials and substances that are listed',
  bulk_hazardous: 'Hazardous substances in bulk, explosives, poison gas, radioactive materials',
};

/** Reads the data sheet's content. @throws DomainError document_not_applicable */
export async function mcs90Facts(em: EntityManager, policy: Readonly<Policy>, cargo: Cargo, today: BusinessDate) {
  const { status, stack, term } = await readLife(em, policy, today);
  const terms = { ...policy, ...termsFrom(policy, stack, today) };
  mcs90Limit(terms, cargo);
  ensureInForce({ status, effectiveDate: policy.effectiveDate }, today, 'an MCS-90');
  const schedule = leastLimits().map(([kind, cents]) => ({ name: CARGO_NAMES[kind], cents, applies: kind === cargo }));
  const { renewalPolicyId, effectiveDate } = policy;
  const since = mcs90Since(policySegments(stack, { term, renewalPolicyId }), cargo, today);
  return {
    ...(await policyPageFacts(em, policy, terms)),
    ...{ issuedOn: today, usdotNumber: policy.usdotNumber, limit: mcs90Limit(terms, cargo), schedule },
    effectiveDate: since ?? effectiveDate,
  };
}
