/**
 * Opens the attempt that charges a bill to a stored card: one per charge, under the bill's lock, which payments, voids
 * and payment plan changes also take. Decision 0165.
 */
import type { EntityManager } from '@mikro-orm/postgresql';
import type { AutopayAttempt, AutopayChargeInput } from '../../../contracts/autopay.ts';
import { PaymentIntent } from '../../../db/entities/billing/payment-intent.ts';
import { newId } from '../../../db/ids.ts';
import { addRow } from '../../../db/new-rows.ts';
import { autopayBill } from '../../../db/queries/billing/autopay.ts';
import { intentsOf } from '../../../db/queries/billing/payments.ts';
import { writeAudit } from '../../../db/queries/platform/audit.ts';
import { nextChargeOn, SMALLEST_CHARGE_CENTS } from '../../../domain/billing/autopay.ts';
import { businessDay } from '../../../plans/platform/business-day.ts';
import { auditOf, SYSTEM } from '../../audit.ts';
import { type Deps, transaction } from '../../context.ts';
import { lockForMoney } from '../../money-locks.ts';

/** Opens the attempt for a due bill, or returns the one without an outcome yet; null when there is nothing to do. */
export const openAutopayCharge =
  (deps: Deps) =>
  ({ orgId, invoiceId }: AutopayChargeInput): Promise<AutopayAttempt | null> =>
    transaction(deps, { kind: 'openAutopayCharge', orgId }, async (em) => {
      const locked = await lockForMoney(em, invoiceId);
      if (locked === null) return null;
      const attempts = await intentsOf(em, invoiceId);
      const of = { orgId, invoiceId, policyId: locked.policy.id, insuredId: locked.policy.insuredId };
      // Even if autopay has since ended: the processor may have its money.
      const open = attempts.find((each) => !!each.autopaySetupId && hasNoOutcome(each));
      if (open !== undefined) return { ...of, ...numbered(open) };
      const { today } = await businessDay(em, orgId, deps.now());
      const amounts = await chargeToday(em, invoiceId, today);
      if (amounts === null) return null;
      const attempt = addRow(em, PaymentIntent, {
        ...{ id: newId('paymentIntent'), invoiceId, attempt: (attempts[0]?.attempt ?? 0) + 1, ...amounts },
        ...{ processorId: null, status: 'creating', autopayOn: today, failureCode: null },
      });
      const origin = { actor: SYSTEM, requestId: null, entityId: invoiceId };
      const facts = { attempt: attempt.attempt, amountCents: attempt.amountCents };
      writeAudit(em, auditOf(origin, 'payment:autopay', 'invoice', facts));
      return { ...of, ...numbered(attempt) };
    });

function hasNoOutcome({ status }: PaymentIntent): boolean {
  return status === 'creating' || status === 'open';
}

function numbered({ id: attemptId, attempt, amountCents }: PaymentIntent) {
  return { attemptId, attempt, amountCents };
}

/** The amount to charge today and the card's setup; null when the bill is not charged today. */
async function chargeToday(em: EntityManager, invoiceId: string, today: string) {
  const bill = await autopayBill(em, invoiceId);
  if (bill === null || bill.balanceCents < SMALLEST_CHARGE_CENTS) return null;
  const on = nextChargeOn(bill);
  if (on === null || on > today) return null;
  return { amountCents: bill.balanceCents, autopaySetupId: bill.setupId };
}
