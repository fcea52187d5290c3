// Actors and rows of every kind, for property tests of the permission check.

import { type Actor, type ResourceFacts, ROLES, SCOPES } from '../../domain/permissions.ts';
import { fc } from '../support/fixed/chance.ts';

const org = fc.constantFrom('org_1', 'org_2');
const person = fc.constantFrom('usr_1', 'usr_2');
const producerId = fc.constantFrom('prd_1', 'prd_2', 'prd_3');
const amount = fc.constantFrom(0, 100, 200);

/** Any actor of any kind and role. */
export const anyActor: fc.Arbitrary<Actor> = fc.record({
  kind: fc.constantFrom('user', 'user', 'user', 'api_key', 'machine'),
  id: person,
  role: fc.constantFrom(...ROLES),
  orgId: org,
  homeOrgId: fc.constantFrom('org_1', 'org_1', 'org_2'),
  scopes: fc.uniqueArray(fc.constantFrom(...SCOPES), { maxLength: 6 }),
  producerIds: fc.uniqueArray(producerId, { maxLength: 2 }),
  authority: fc.option(
    fc.record({
      ...{ maxLimitCents: amount, maxPremiumCents: amount, linesOfBusiness: fc.option(fc.constant(['GL'])) },
      ...{ maxReserveCents: fc.option(amount), maxSettlementCents: fc.option(amount) },
    }),
  ),
  operatorOf: fc.uniqueArray(org, { maxLength: 2 }),
});

/** Any facts about a row. */
export const anyRow: fc.Arbitrary<ResourceFacts> = fc.record(
  {
    orgId: org,
    producerId: fc.option(producerId),
    triageBand: fc.constantFrom('auto_quote', 'standard', 'refer', 'decline_recommended', null),
    adjusterId: fc.option(person),
    claimAdjusterIds: fc.uniqueArray(person, { maxLength: 2 }),
    participantIds: fc.uniqueArray(person, { maxLength: 2 }),
    observerIds: fc.uniqueArray(person, { maxLength: 1 }),
    requestedBy: fc.option(fc.oneof(person, fc.uniqueArray(person, { maxLength: 2 }))),
    containsPhi: fc.boolean(),
    alsoNeeds: fc.constantFrom('policy:read', 'claim:read', 'bordereau:read', 'unfiled_document:read'),
    limitCents: fc.option(amount),
    premiumCents: fc.option(amount),
    lineOfBusiness: fc.option(fc.constantFrom('GL', 'CA')),
    reserveCents: fc.option(amount),
    settlementCents: fc.option(amount),
  },
  { requiredKeys: ['orgId'] },
);
