// The people who may come across a claim: every role, plus another adjuster and another producer besides the claim's
// own.
import type { TestClient } from '../../support/client.ts';
import type { Platform } from '../../support/run-platform.ts';
import type { Covered } from './claim-calls.ts';

export const ADJUSTER = 'usr_its_adjuster';

const ROLES = [
  ...['org_admin', 'claims_supervisor', 'auditor', 'compliance_officer', 'finance_analyst', 'billing_admin'],
  ...['underwriter', 'platform_operator'],
];

/** Clients by role: `claims_adjuster` handles the policy's claims, `producer` sold the policy. */
export async function claimPeople(platform: Platform, { house }: Covered): Promise<Record<string, TestClient>> {
  const [own, other] = [await house.addProducer(), await house.addProducer('Another Agency')];
  await platform.database.transaction(house.orgId, (em) => em.execute('update policies set producer_id = ?', [own]));
  return {
    ...Object.fromEntries(ROLES.map((role) => [role, house.as(role)])),
    claims_adjuster: house.as('claims_adjuster', ADJUSTER),
    'another adjuster': house.as('claims_adjuster', 'usr_another'),
    producer: await house.asProducer(own),
    'another producer': await house.asProducer(other),
  };
}
