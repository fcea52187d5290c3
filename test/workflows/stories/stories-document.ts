// A document that already exists, one that cannot be printed, and one that no caller waits for. Their histories are in
// test/histories.
import { documentWorkflowId } from '../../../contracts/machinery/start.ts';
import { documentTarget, startRequest } from '../../../contracts/machinery/targets.ts';
import { newId } from '../../../db/ids.ts';
import { placeOrder } from '../../../db/queries/document/document-orders.ts';
import { keepDocument } from '../../../db/queries/document/documents.ts';
import type { Tenant } from '../run-engine.ts';
import type { Story } from './story.ts';

const FILE = { fileName: 'page.pdf', contentType: 'application/pdf', sizeBytes: 1, sha256: '0'.repeat(64) };

async function ordered({ orgId, database }: Tenant, isThere: boolean): Promise<string> {
  const id = newId('document');
  const order = { id, kind: 'rendered', createdBy: 'test-admin' } as const;
  await database.transaction(orgId, async (em) => {
    await placeOrder(em, { ...order, entityType: null, entityId: null, input: { html: '<p>Page</p>' } });
    if (isThere) await keepDocument(em, { ...order, ...FILE });
  });
  return id;
}

const document: Story = async (tenant, { temporal, queue }) => {
  const [made, refused, later] = [
    await ordered(tenant, true),
    await ordered(tenant, false),
    await ordered(tenant, true),
  ];
  await tenant.lifecycle.makeDocument(tenant.command(made, {}));
  await tenant.lifecycle.makeDocument(tenant.command(refused, {})).catch(() => null);
  const target = documentTarget(tenant.orgId, later, 'batch');
  await temporal.client.workflow.start(target.type, startRequest(target, queue));
  const names = Object.entries({ made, refused, later }).map(([suffix, id]) => {
    return { workflowId: documentWorkflowId(tenant.orgId, id), suffix };
  });
  for (const { workflowId } of names) await temporal.client.workflow.getHandle(workflowId).result();
  return names;
};

export const DOCUMENT_STORIES: Record<string, Story> = { document };
