// Who may look beyond a claim to its policy: those to whom it was assigned. Who has merely filed it may not, since anybody
// who handles claims can file one on any policy.

/** SQL that is true where a claim on the policy with this id, an expression, is assigned to the user of the parameter. */
export function assignedOnPolicy({ orgId, policyId }: { orgId: string; policyId: string }): string {
  return `exists (select from claims c where c.org_id = ${orgId} and c.policy_id = ${policyId}
    and c.adjuster_id = ? and c.is_assigned)`;
}
