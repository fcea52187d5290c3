// Requests documents again that could not be made, once the cause is fixed. docs/operations.md "Twelve questions".
import type { SupervisorConfig } from '../../config.ts';
import type { Database } from '../../db/orm.ts';
import { sendAgainForRefused } from '../../db/queries/document/document-orders.ts';
import { organizationIdFrom } from '../../domain/ids.ts';
import { connectForOperator } from './database.ts';

/** Requests those of one organization, or of each in turn. @throws Error for anything but an organization id */
export async function printAgain(config: SupervisorConfig, org: string | undefined): Promise<void> {
  const orgId = org === undefined ? null : organizationIdFrom(org);
  if (org !== undefined && orgId === null) throw new Error(`"${org}" is no organization: write org_…`);
  const database = await connectForOperator(config);
  try {
    let count = 0;
    for (const id of orgId === null ? await organizationsRefused(database) : [orgId]) {
      count += await database.transaction(id, (em) => sendAgainForRefused(em));
    }
    const documents = count === 1 ? '1 document is' : `${count} documents are`;
    console.log(`${documents} sent for again. "npm run ops -- documents" shows what is refused again.`);
  } finally {
    await database.close();
  }
}

async function organizationsRefused(database: Database): Promise<string[]> {
  const rows = await database.acrossOrgs('printing documents again', (em) =>
    em.execute<{ orgId: string }[]>(
      'select distinct org_id as "orgId" from document_orders where made_at is null and failure is not null',
    ),
  );
  return rows.map(({ orgId }) => orgId);
}
