// The users who may look beyond a claim to its policy: those with an assigned claim on it. Filing a claim is not
// enough, since any claims user can file one on any policy.

/** SQL for a policy with a claim assigned to the user in the parameter. Both ids are SQL expressions. */
export function assignedOnPolicy({ orgId, policyId }: { orgId: string; policyId: string }): string {
  return `exists (select from claims c where c.org_id = ${orgId} and c.policy_id = ${policyId}
    and c.adjuster_id = ? and c.is_assigned)`;
}
