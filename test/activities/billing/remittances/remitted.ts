// Remittances in the tests' books: prepared by one user, approved by another.
import { newId } from '../../../../db/ids.ts';
import type { RemittanceKind } from '../../../../domain/billing/remittance.ts';
import type { Steps } from '../../steps.ts';

/** Later than any date in a test. */
const THROUGH = '2099-12-31';
const APPROVER = { kind: 'user', id: 'test-approver', role: 'billing_admin' } as const;

/** Prepares what is owed to a payee and returns the remittance's id. */
export async function prepared({ activities, command }: Steps, kind: RemittanceKind, payee: string): Promise<string> {
  const payload = { kind, payee, through: THROUGH, filingId: null, policyId: null };
  const { remittanceId } = await activities.prepareRemittance(command(newId('remittance'), payload));
  return remittanceId;
}

/** Prepares and approves. The approval comes twice, as after a worker's death: the second one changes nothing. */
export async function remit(steps: Steps, kind: RemittanceKind, payee: string): Promise<string> {
  const { activities, command } = steps;
  const remittanceId = await prepared(steps, kind, payee);
  const approval = { ...command(remittanceId, { decision: 'approve' as const, reason: null }), actor: APPROVER };
  await activities.decideRemittance(approval);
  const again = await activities.decideRemittance(approval);
  if (!again.repeated) throw new Error('A command that comes twice is carried out once');
  return remittanceId;
}
