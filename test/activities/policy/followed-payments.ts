// What follows when money is applied to a policy, and what reconciliation then finds.
import type { PaymentOutcome } from '../../../contracts/billing.ts';
import { checkBooks } from '../../../db/queries/billing/reconciliation/run.ts';
import type { InsuredLife } from './insured-life.ts';

/** Runs the steps of payments that a change has applied. */
export async function followed(life: InsuredLife, payments: readonly PaymentOutcome[] = []): Promise<void> {
  const { orgId } = life.steps;
  for (const { paymentId, completesInvoice } of payments) {
    await life.follow({ orgId, entityId: paymentId }, completesInvoice);
  }
}

/** Reconciles all of the books. */
export async function findingsOf(life: InsuredLife) {
  const { results } = await life.read((em) => checkBooks(em, { since: null, statementFrom: null }));
  return results.flatMap(({ findings }) => findings);
}
