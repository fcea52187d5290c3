// A refund that someone else has approved.
import { newId } from '../../../../db/ids.ts';
import { putFlagOverride } from '../../../../db/queries/platform/flags.ts';
import type { InsuredLife } from '../../policy/insured-life.ts';

/** Pays an invoice and refunds 1,500.00 of it after approval. */
export async function refundApproved(life: InsuredLife): Promise<void> {
  const { database, activities, command, orgId } = life.steps;
  await life.pay(1);
  await database.transaction(orgId, (em) => putFlagOverride(em, 'refund_approval', true));
  const [invoice] = await life.invoices();
  const payload = { invoiceId: invoice?.id ?? '', amountCents: 150_000, reason: 'Goodwill' };
  const { refundId } = await activities.reserveRefund(command(newId('refund'), payload));
  const actor = { kind: 'user', id: 'usr_other', role: 'org_admin' } as const;
  await activities.decideRefund({ ...command(refundId, { decision: 'approve', reason: null } as const), actor });
  await life.settle([refundId]);
}
