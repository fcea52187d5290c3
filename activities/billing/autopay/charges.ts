/**
 * Charges a bill to a stored card, once: each call first searches the processor for the attempt's charge, and carries
 * its own idempotency key. A payment that a person has begun is cancelled first, so that no bill is paid twice.
 * Decision 0165.
 */
import type { EntityManager } from '@mikro-orm/postgresql';
import type { AutopayAttempt, AutopayOutcome } from '../../../contracts/autopay.ts';
import type { Autopay } from '../../../db/entities/billing/autopay.ts';
import type { PaymentIntent } from '../../../db/entities/billing/payment-intent.ts';
import { autopayBill, findAutopay } from '../../../db/queries/billing/autopay.ts';
import { intentsOf } from '../../../db/queries/billing/payments.ts';
import { isCancellable } from '../../../domain/billing/card-attempts.ts';
import { DomainError } from '../../../domain/errors.ts';
import { type Deps, transaction } from '../../context.ts';
import { lockForMoney } from '../../money-locks.ts';
import { atProcessor } from '../cards/processor-calls.ts';
import { raiseAlert } from '../refunds/refund-rows.ts';
import { keepCharge } from './charge-outcomes.ts';

const KIND = 'chargeAutopay';
const REFUSED_REQUEST = 'The card processor refused the request for an autopay charge. Nothing was charged.';
const NOTHING = { payment: null, applications: [], notice: null };

/** Charges an attempt. Fails, and is retried, while the processor cannot be reached. */
export const chargeAutopay =
  (deps: Deps) =>
  async (attempt: AutopayAttempt): Promise<AutopayOutcome> => {
    const step = { kind: KIND, orgId: attempt.orgId };
    const before = await standingOf(deps, attempt);
    if (before.customerKey === null) return giveUp(deps, attempt);
    const found = await atProcessor(deps, step, deps.card.findKeptCardCharge(before.customerKey, attempt.attemptId));
    if (found !== null) return keepCharge(deps, attempt, found);
    if (before.card === null) return giveUp(deps, attempt);
    for (const intentId of before.others) {
      const { status } = await atProcessor(deps, step, deps.card.cancelIntent(intentId));
      // Someone has just paid, or is about to: the attempt must not stop them from trying again.
      if (status !== 'canceled') return giveUp(deps, attempt);
    }
    // Read again: a check, a void or a switch-off may have arrived during the calls.
    const { card } = await standingOf(deps, attempt);
    if (card === null) return giveUp(deps, attempt);
    return charged(deps, attempt, card);
  };

/** The one call that moves money. An invalid request charges nothing, and a person must look into it. */
async function charged(deps: Deps, attempt: AutopayAttempt, card: ChargedCard): Promise<AutopayOutcome> {
  const { orgId, invoiceId, policyId, attemptId, amountCents } = attempt;
  const metadata = { orgId, invoiceId, policyId, attemptId };
  const idempotencyKey = `ap:${attemptId}:${amountCents}`;
  const charge = await atProcessor(
    deps,
    { kind: KIND, orgId },
    deps.card.chargeKeptCard({ idempotencyKey, amountCents, ...card, metadata }).catch((error: unknown) => {
      if (error instanceof DomainError && error.code === 'payment_declined') return null;
      throw error;
    }),
  );
  return charge === null ? giveUp(deps, attempt, REFUSED_REQUEST) : keepCharge(deps, attempt, charge);
}

interface ChargedCard {
  customerKey: string;
  paymentMethodKey: string;
}

interface Standing {
  /** The key to search the processor by; null where autopay was never set up. */
  customerKey: string | null;
  /** The card; null when the bill should no longer be charged. */
  card: ChargedCard | null;
  /** Other attempts that could still be paid. */
  others: string[];
}

/** The current bill, card and attempts. */
const standingOf = (deps: Deps, { orgId, invoiceId, insuredId, ...of }: AutopayAttempt): Promise<Standing> =>
  transaction(deps, { kind: KIND, orgId }, async (em) => {
    await lockForMoney(em, invoiceId);
    const bill = await autopayBill(em, invoiceId);
    const autopay = await findAutopay(em, insuredId);
    const attempts = await intentsOf(em, invoiceId);
    const own = attempts.find(({ id }) => id === of.attemptId);
    const isOwed = bill?.balanceCents === of.amountCents;
    const others = attempts.filter((each) => each.id !== of.attemptId && isCancellable(each));
    return {
      customerKey: autopay?.customerKey ?? null,
      card: isOwed && own !== undefined ? cardOf(autopay, own) : null,
      others: others.flatMap(({ processorId }) => processorId ?? []),
    };
  });

/** The card that the attempt was opened for, unless it was replaced or switched off. */
function cardOf(autopay: Autopay | null, { autopaySetupId, status }: PaymentIntent): Standing['card'] {
  if (autopay?.status !== 'active' || autopay.setupId !== autopaySetupId || status !== 'creating') return null;
  const { customerKey, paymentMethodKey } = autopay;
  return customerKey === null || paymentMethodKey === null ? null : { customerKey, paymentMethodKey };
}

/** Nothing was charged: another attempt may be opened. With a `fault`, operators are alerted. */
const giveUp = (deps: Deps, attempt: AutopayAttempt, fault?: string): Promise<AutopayOutcome> =>
  transaction(deps, { kind: KIND, orgId: attempt.orgId }, async (em: EntityManager) => {
    const { invoiceId, attemptId: reference, amountCents } = attempt;
    await lockForMoney(em, invoiceId);
    const row = (await intentsOf(em, invoiceId)).find(({ id }) => id === reference);
    if (row?.status === 'creating') {
      row.status = 'cancelled';
      const alert = { operation: 'autopay.charge', paymentId: null, invoiceId, reference, amountCents };
      if (fault !== undefined) raiseAlert(em, deps, { ...alert, message: fault });
    }
    return { outcome: 'given_up', ...NOTHING };
  });
