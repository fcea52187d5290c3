// What documents belong to, and which permission on it their reader needs. Contract 3.5.
import { ID_PREFIXES } from '../ids.ts';
import { type Action, type Actor, mayCoarse } from '../permissions.ts';
import type { TransactionFacts } from '../policy/transaction.ts';

/** Kind of row that a document may belong to → the permission on that row its reader needs. */
const READ_BY = {
  policy: 'policy:read',
  claim: 'claim:read',
  invoice: 'invoice:read',
  submission: 'submission:read',
  producer: 'producer:read',
  bordereau: 'bordereau:read',
  organization: 'analytics:read',
} as const satisfies Record<string, Action>;

export type DocumentEntity = keyof typeof READ_BY;

/** Every kind of row that a document may belong to. */
export const DOCUMENT_ENTITIES = Object.keys(READ_BY) as [DocumentEntity, ...DocumentEntity[]];

/** Names the permission that a document's reader needs in addition to `document:read`. */
export function readPermission(entityType: DocumentEntity | null): Action {
  return entityType === null ? 'unfiled_document:read' : READ_BY[entityType];
}

/** Lists the kinds of rows whose documents an actor may read at all; null stands for documents without a row. */
export function readableEntities(actor: Actor): (DocumentEntity | null)[] {
  return [...DOCUMENT_ENTITIES, null].filter((each) => mayCoarse(actor, readPermission(each)));
}

/** Returns where a document's bytes are stored. */
export function documentPath(orgId: string, id: string): string {
  return `docs/${orgId}/documents/${id}`;
}

/** Transactions that order a document automatically (db/migrations/0061). */
const WITH_DOCUMENT: readonly TransactionFacts['type'][] = [
  ...(['new_business', 'renewal', 'endorsement', 'cancellation', 'reinstatement', 'non_renewal'] as const),
];

/** Names the document of a policy transaction, null if its type has none. Both share one id under two prefixes. */
export function documentOfTransaction({ id, type }: { id: string; type: TransactionFacts['type'] }): string | null {
  return WITH_DOCUMENT.includes(type) ? id.replace(ID_PREFIXES.policyTransaction, ID_PREFIXES.document) : null;
}
