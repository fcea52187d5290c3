// Resolves a number or id given by an operator to the entities whose workflows and audit entries concern it.
import type { Database } from '../../db/orm.ts';

/** A policy number leads to its terms, a claim to its payments, an invoice to its policy and its payments. */
const ENTITIES = `
  select id from policies where id = ? or policy_number = ?
  union select id from claims where id = ? or claim_number = ?
  union select p.id from claim_payments p join claims c on c.org_id = p.org_id and c.id = p.claim_id
    where c.id = ? or c.claim_number = ?
  union select policy_id from invoices where id = ? or invoice_number = ?
  union select p.id from payments p join invoices i on i.org_id = p.org_id and i.id = p.invoice_id
    where i.id = ? or i.invoice_number = ?
  union select submission_id from quotes where id = ?`;

/** Returns the ids of the entities that a text refers to, the text itself first, across all organizations. */
export async function entitiesNamed(database: Database, text: string): Promise<string[]> {
  const rows = await database.acrossOrgs('finding what an operator names', (em) =>
    em.execute<{ id: string }[]>(
      ENTITIES,
      Array.from(ENTITIES.matchAll(/\?/g), () => text),
    ),
  );
  return [...new Set([text, ...rows.map(({ id }) => id)])];
}
