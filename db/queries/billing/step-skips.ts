// Money steps that an operator skipped.
import type { EntityManager } from '@mikro-orm/postgresql';
import { StepSkip } from '../../entities/billing/step-skip.ts';
import { organizationOf } from '../../scope.ts';

/** Records once that an operator skipped a step of a payment or refund. */
export async function recordStepSkip(
  em: EntityManager,
  { paymentId, step, operator, at }: { paymentId: string; step: string; operator: string; at: Date },
): Promise<void> {
  await em.execute(
    `insert into step_skips (org_id, payment_id, invoice_id, step, skipped_by, skipped_at)
     select org_id, id, invoice_id, ?, ?, ? from payments where org_id = ? and id = ? on conflict do nothing`,
    [step, operator, at, organizationOf(em), paymentId],
  );
}

/** Whether a step was skipped and not mended: for one payment or refund, or for any payment of an invoice. */
export async function isSkipped(
  em: EntityManager,
  where: { step: string } & ({ paymentId: string } | { invoiceId: string }),
): Promise<boolean> {
  return (await em.count(StepSkip, { ...where, mendedBy: null })) > 0;
}

/** Whether a step of a payment or refund was skipped and a journal has posted what it would have. */
export async function isMended(em: EntityManager, where: { step: string; paymentId: string }): Promise<boolean> {
  return (await em.count(StepSkip, { ...where, mendedBy: { $ne: null } })) > 0;
}
