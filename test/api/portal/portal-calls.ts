// Shared by the portal tests: an insured with two terms, and their neighbor in the same organization.
import { addDays } from '../../../domain/dates.ts';
import type { TestClient } from '../../support/client.ts';
import { bodyOf, bound, type House } from '../../support/house.ts';
import type { Platform } from '../../support/run-platform.ts';
import { notice } from '../claim/claim-calls.ts';
import { insured, pay } from '../policy/policy-calls.ts';

export const CONTACT = { insuredEmail: 'office@example.com', insuredPhone: '+1 512 555 0100' };

export interface Neighbourhood {
  house: House;
  /** The business date: in the last month of the first term. */
  today: string;
  /** The first term, paid and renewed, and the next one. */
  first: { policyId: string; invoiceId: string };
  second: { policyId: string; invoiceId: string };
  /** Another insured in the same organization, with one of everything. */
  neighbour: { policyId: string; invoiceId: string; claimId: string };
  /** The portal with a token for a policy. */
  as: (policyId: string, claims?: Record<string, unknown>) => TestClient;
}

/** Binds, pays and renews a policy, and binds another insured's, who has had a loss. */
export async function foundNeighbourhood(platform: Platform): Promise<Neighbourhood> {
  const policy = await insured(platform, 'PAY_IN_FULL', CONTACT);
  const { house } = policy;
  await pay(policy);
  const today = addDays(policy.expirationDate, -30);
  await policy.advance(today);
  const renewal = bodyOf(await policy.change('renew'), 201);
  const producerId = await house.addProducer();
  const other = await bound(house.as('underwriter'), { effectiveDate: today, producerId }, 'QUARTERLY_4');
  const loss = notice(other.policyId, today);
  const { id: claimId } = bodyOf(await house.as('claims_supervisor').post('/v1/claims', loss), 201);
  return {
    ...{ house, today },
    first: { policyId: policy.policyId, invoiceId: policy.invoices[0]?.id ?? '' },
    second: { policyId: renewal.renewalPolicyId, invoiceId: renewal.invoices[0].id },
    neighbour: { policyId: other.policyId, invoiceId: other.invoices[0].id, claimId },
    as: (sub, claims = {}) => platform.as({ role: 'policyholder', org: house.orgId, sub, claims }),
  };
}
