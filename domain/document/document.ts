// What documents belong to, and which permission on that their reader needs. Contract 3.5.
import { type Action, type Role, roleMay } from '../permission-table.ts';

/** Kind of row that a document may belong to → what its reader may do with that. */
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

/** Names the permission that the reader of a document needs beside `document:read`. */
export function readPermission(entityType: DocumentEntity | null): Action {
  return entityType === null ? 'unfiled_document:read' : READ_BY[entityType];
}

/** Lists the kinds of rows whose documents a role may read at all; null stands for those that belong to none. */
export function readableEntities(role: Role): (DocumentEntity | null)[] {
  return [...DOCUMENT_ENTITIES, null].filter((each) => roleMay(role, readPermission(each)));
}

/** Gives the place of a document's bytes in the storage. */
export function documentPath(orgId: string, id: string): string {
  return `docs/${orgId}/documents/${id}`;
}
