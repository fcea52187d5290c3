// Recorded money whose sagas have not ended.
import type { EntityManager } from '@mikro-orm/postgresql';
import type { PaymentOutcome } from '../../contracts/billing.ts';
import { Payment } from '../../db/entities/billing/payment.ts';
import { findInvoice } from '../../db/queries/billing/invoices.ts';
import { findPolicy } from '../../db/queries/policy/policies.ts';
import { termsThrough } from '../renewal/term-chain.ts';
import { attemptsLeft, paymentOutcome } from './payment-outcome.ts';

const RECEIVING = ['card', 'manual', 'application'] as const;

/**
 * Reads the payments of a policy and its earlier terms whose sagas have not ended: an attempt whose answer was lost
 * may have recorded them without starting a saga. Starting one that already runs does nothing.
 */
export async function unfinishedPayments(em: EntityManager, policyId: string): Promise<PaymentOutcome[]> {
  const policyIds = (await termsThrough(em, policyId)).map(({ id }) => id);
  const rows = await em.find(
    Payment,
    { policyId: { $in: policyIds }, kind: { $in: [...RECEIVING] }, sagaEndedAt: null },
    { orderBy: { id: 'asc' } },
  );
  const outcomes: PaymentOutcome[] = [];
  for (const row of rows) {
    const invoice = row.invoiceId === null ? null : await findInvoice(em, row.invoiceId);
    const policy = invoice && (await findPolicy(em, invoice.policyId));
    const bill = invoice && policy && { policy, invoice };
    outcomes.push({ ...paymentOutcome(row, bill), ...(await attemptsLeft(em, row)) });
  }
  return outcomes;
}
