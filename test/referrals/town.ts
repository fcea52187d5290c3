// The referral trial's organization: its people with their authority, and their deputies.
import { writeRelation } from '../../db/queries/access/relations.ts';
import type { PatientClient } from '../chaos/patient-client.ts';
import type { Surroundings } from '../faults/dying-workers.ts';
import { copyExpiring } from '../support/expiring.ts';
import { testToday } from '../support/fixed/today.ts';
import { bodyOf } from '../support/house.ts';
import { signToken } from '../support/tokens.ts';
import { LENT, PEOPLE, type Person } from './people.ts';
import { bind } from './questions.ts';

export interface Town extends Surroundings {
  orgId: string;
  as: (person: Person) => PatientClient;
}

/** Creates it; the authorities are tuples, as `PUT /users/:id/authority` writes them. */
export async function foundTown(around: Surroundings): Promise<Town> {
  const { platform, machine, orm } = around;
  const named = { name: 'Referrals', tier: 'enterprise' };
  const { id: orgId } = bodyOf(await platform.machine.post('/v1/organizations', named), 201);
  const as = ({ name: sub, role }: Person) =>
    machine.within(() => signToken(platform.config, { role, org: orgId, sub }));
  await orm.transaction(orgId, async (em) => {
    for (const { name: subjectId, limits } of PEOPLE) {
      if (limits === null) continue;
      const { limit, premium, lines: linesOfBusiness } = limits;
      const authority = { maxLimitCents: limit * 100, maxPremiumCents: premium * 100, linesOfBusiness };
      const tuple = { objectType: 'organization', objectId: orgId, relation: 'authority', subjectType: 'user' };
      writeRelation(em, { ...tuple, subjectId, limits: authority });
    }
  });
  const from = testToday();
  for (const [toUserId, lender] of LENT) {
    await as(personOf(lender)).command('/v1/delegations', { toUserId, from, to: from });
  }
  return { ...around, orgId, as };
}

/** Policies in force that can be renewed today. */
export async function expiringPolicies({ as, database: { ownerUrl } }: Town, count: number): Promise<string[]> {
  const { policyId: sourceId } = await bind(as(personOf('head')));
  return copyExpiring({ ownerUrl, sourceId, today: testToday(), count });
}

export function personOf(name: string): Person {
  const person = PEOPLE.find((each) => each.name === name);
  if (person === undefined) throw new Error(`There is no ${name}`);
  return person;
}
