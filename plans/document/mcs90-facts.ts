// The content of an MCS-90 data sheet. Contract 3.5, domain facts 5.3.
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Policy } from '../../db/entities/policy/policy.ts';
import type { BusinessDate } from '../../domain/dates.ts';
import { ensureInForce } from '../../domain/document/certificate.ts';
import { type Cargo, ensureMotorCarrier, leastLimits, mcs90Limit, mcs90Since } from '../../domain/document/mcs90.ts';
import { policySegments } from '../../domain/policy/segments.ts';
import { readLife } from '../policy/life.ts';
import { policyPageFacts, termsFrom } from './common-facts.ts';

const CARGO_NAMES: Readonly<Record<Cargo, string>> = {
  non_hazardous:
    'Non-hazardous property, carried for hire in vehicles with a gross weight rating of 10,001 pounds or more',
  oil: 'Oil listed in 49 CFR 172.101',
  hazardous: 'Hazardous waste, materials and substances listed in 49 CFR 172.101, other than those below',
  bulk_hazardous: 'Hazardous substances and gases in bulk, explosives, poison gas and radioactive materials',
};

/** Reads the data sheet's content. @throws DomainError document_not_applicable */
export async function mcs90Facts(em: EntityManager, policy: Readonly<Policy>, cargo: Cargo, today: BusinessDate) {
  const { status, stack, term } = await readLife(em, policy, today);
  const terms = { ...policy, ...termsFrom(policy, stack, today) };
  ensureMotorCarrier(policy);
  ensureInForce({ status, effectiveDate: policy.effectiveDate }, today, 'an MCS-90');
  const limit = mcs90Limit(terms.limitCents, cargo);
  const schedule = leastLimits().map(([kind, cents]) => ({ name: CARGO_NAMES[kind], cents, applies: kind === cargo }));
  const { renewalPolicyId, effectiveDate } = policy;
  const since = mcs90Since(policySegments(stack, { term, renewalPolicyId }), cargo, today);
  return {
    ...(await policyPageFacts(em, policy, terms)),
    ...{ issuedOn: today, usdotNumber: policy.usdotNumber, limit, schedule },
    effectiveDate: since ?? effectiveDate,
  };
}
