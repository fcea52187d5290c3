// Finds a policy by its number before its organization is known.
import type { EntityManager } from '@mikro-orm/postgresql';

export interface NumberedPolicy {
  policyId: string;
  orgId: string;
  policyNumber: string;
  insuredName: string;
  insuredEmail: string | null;
}

/** Finds any organization's policy by its number, or null; any scope will do. */
export async function policyByNumber(em: EntityManager, number: string): Promise<NumberedPolicy | null> {
  const rows = await em.execute<NumberedPolicy[]>(
    `select policy_id as "policyId", org_id as "orgId", policy_number as "policyNumber", insured_name as "insuredName",
      insured_email as "insuredEmail" from find_policy_by_number(?)`,
    [number],
  );
  return rows[0] ?? null;
}
