// What the permission check needs to know about a document: the facts of the row it belongs to. Contract 3.5.
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Document } from '../../db/entities/document/document.ts';
import { findInvoice } from '../../db/queries/billing/invoices.ts';
import { adjustersOfPolicy, findClaim } from '../../db/queries/claim/claims.ts';
import { findProducer } from '../../db/queries/distribution/producers.ts';
import { findBordereau } from '../../db/queries/insight/bordereaux.ts';
import { findPolicy } from '../../db/queries/policy/policies.ts';
import { findSubmission } from '../../db/queries/submission/submissions.ts';
import { organizationOf } from '../../db/scope.ts';
import { type DocumentEntity, readPermission } from '../../domain/document/document.ts';
import type { ResourceFacts } from '../../domain/permissions.ts';
import { claimFacts, policyFacts, submissionFacts } from './resource-facts.ts';

type Belonging = Pick<Document, 'orgId' | 'entityType' | 'entityId' | 'containsPhi'>;

/** Reads the facts about a document. */
export async function documentFacts(em: EntityManager, document: Readonly<Belonging>): Promise<ResourceFacts> {
  return { ...(await orderFacts(em, document)), containsPhi: document.containsPhi };
}

/** Reads the facts about a document that was ordered: protected if what it is about is. */
export async function orderFacts(
  em: EntityManager,
  { orgId, entityType, entityId }: Readonly<Omit<Belonging, 'containsPhi'>>,
): Promise<ResourceFacts> {
  const ofEntity = entityType === null || entityId === null ? null : await entityFacts(em, entityType, entityId);
  return { ...ofEntity, orgId, alsoNeeds: readPermission(entityType) };
}

/** The facts of a row that has documents; null when there is none. */
export async function entityFacts(
  em: EntityManager,
  entityType: DocumentEntity,
  id: string,
): Promise<ResourceFacts | null> {
  switch (entityType) {
    case 'policy': {
      const policy = await findPolicy(em, id);
      return policy && { ...policyFacts(policy), claimAdjusterIds: await adjustersOfPolicy(em, id) };
    }
    case 'claim': {
      const claim = await findClaim(em, id);
      return claim && claimFacts(claim);
    }
    case 'invoice': {
      const invoice = await findInvoice(em, id);
      return invoice && { orgId: invoice.orgId, producerId: invoice.producerId };
    }
    case 'submission': {
      const submission = await findSubmission(em, id);
      return submission && submissionFacts(submission);
    }
    case 'bordereau': {
      const bordereau = await findBordereau(em, id);
      return bordereau && { orgId: bordereau.orgId };
    }
    case 'organization':
      return id === organizationOf(em) ? { orgId: id } : null;
    case 'producer': {
      const producer = await findProducer(em, id);
      return producer && { orgId: producer.orgId, producerId: id };
    }
  }
}
