/**
 * Charges a bill to a kept card, once: before each call the processor is searched for the charge of the attempt, and
 * the call itself carries a key of its own. What a person has begun to pay is cancelled first, so that no bill is paid
 * twice. Decision 0165.
 */
import type { EntityManager } from '@mikro-orm/postgresql';
import type { AutopayAttempt, AutopayOutcome } from '../../../contracts/autopay.ts';
import type { Autopay } from '../../../db/entities/billing/autopay.ts';
import type { PaymentIntent } from '../../../db/entities/billing/payment-intent.ts';
import { autopayBill, findAutopay } from '../../../db/queries/billing/autopay.ts';
import { intentsOf } from '../../../db/queries/billing/payments.ts';
import { isCancellable } from '../../../domain/billing/card-attempts.ts';
import type { KeptCardCharge } from '../../../providers/cards/kept-cards-port.ts';
import { type Deps, transaction } from '../../context.ts';
import { lockForMoney } from '../../money-locks.ts';
import { atProcessor } from '../cards/processor-calls.ts';
import { keepCharge } from './charge-outcomes.ts';

const KIND = 'chargeAutopay';
const NOTHING = { payment: null, applications: [], notice: null };

/** Charges an attempt. Fails, to be retried, while the processor cannot be reached. */
export const chargeAutopay =
  (deps: Deps) =>
  async (attempt: AutopayAttempt): Promise<AutopayOutcome> => {
    const step = { kind: KIND, orgId: attempt.orgId };
    const standing = await standingOf(deps, attempt);
    if (standing.customerKey === null) return giveUp(deps, attempt);
    const found = await atProcessor(deps, step, deps.card.findKeptCardCharge(standing.customerKey, attempt.attemptId));
    if (found !== null) return keepCharge(deps, attempt, found);
    const { card } = standing;
    if (card === null) return giveUp(deps, attempt);
    for (const intentId of standing.others) {
      const { status } = await atProcessor(deps, step, deps.card.cancelIntent(intentId));
      // Somebody has just paid, or is about to: the attempt must not keep them from trying again.
      if (status !== 'canceled') return giveUp(deps, attempt);
    }
    const { orgId, invoiceId, policyId, attemptId, amountCents } = attempt;
    const charge: Promise<KeptCardCharge> = deps.card.chargeKeptCard({
      idempotencyKey: `ap:${attemptId}:${amountCents}`,
      ...{ amountCents, ...card, metadata: { orgId, invoiceId, policyId, attemptId } },
    });
    return keepCharge(deps, attempt, await atProcessor(deps, step, charge));
  };

interface Standing {
  /** Under which the processor is searched; null where autopay was never set up. */
  customerKey: string | null;
  /** The card; null when the bill is not to be charged any more. */
  card: { customerKey: string; paymentMethodKey: string } | null;
  /** Other attempts that somebody could still pay. */
  others: string[];
}

/** What the rows say just before the call. */
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

/** Nothing was charged: another attempt may be opened. */
const giveUp = (deps: Deps, { orgId, invoiceId, attemptId }: AutopayAttempt): Promise<AutopayOutcome> =>
  transaction(deps, { kind: KIND, orgId }, async (em: EntityManager) => {
    await lockForMoney(em, invoiceId);
    const attempt = (await intentsOf(em, invoiceId)).find(({ id }) => id === attemptId);
    if (attempt?.status === 'creating') attempt.status = 'cancelled';
    return { outcome: 'given_up', ...NOTHING };
  });
