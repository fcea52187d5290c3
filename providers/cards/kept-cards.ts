/**
 * Stores cards at the processor and charges them off session. Only the brand, the last four digits and the expiry of
 * a card leave this file.
 */
import Stripe from 'stripe';
import type { KeptCard } from '../../domain/billing/autopay.ts';
import type { CardSetup, KeptCardCharge, KeptCards } from './kept-cards-port.ts';

const PAGE = 100;
/** The processor's code for an object that it does not know. */
const MISSING = 'resource_missing';
/** The parameters of a charge that name the card. */
const CARD_PARAMS = ['payment_method', 'customer'];
const WITH_CARD = { expand: ['payment_method'] };

/** Builds the methods; `translated` makes each call and translates its errors. */
export function keptCards(stripe: Stripe, translated: <T>(call: () => Promise<T>) => Promise<T>): KeptCards {
  return {
    createSetup: ({ idempotencyKey, customer, metadata }) =>
      translated(async () => {
        const { orgId, insuredId } = metadata;
        const key =
          customer.key ??
          (
            await stripe.customers.create(
              { metadata: { orgId, insuredId } },
              { idempotencyKey: customer.idempotencyKey },
            )
          ).id;
        const order = { customer: key, usage: 'off_session', payment_method_types: ['card'], metadata } as const;
        return toSetup(await stripe.setupIntents.create(order, { idempotencyKey }));
      }),
    readSetup: (key) =>
      translated(() => unlessMissing(async () => toSetup(await stripe.setupIntents.retrieve(key, WITH_CARD)))),
    forgetCard: (key) => translated(() => detach(stripe, key)),
    chargeKeptCard: ({ idempotencyKey, amountCents, customerKey, paymentMethodKey, metadata }) =>
      translated(async () => {
        const order = {
          ...{ amount: amountCents, currency: 'usd', payment_method_types: ['card'], customer: customerKey },
          ...{ payment_method: paymentMethodKey, off_session: true, confirm: true, metadata },
        };
        try {
          return toCharge(await stripe.paymentIntents.create(order, { idempotencyKey }));
        } catch (error) {
          return refusedCharge(error);
        }
      }),
    findKeptCardCharge: (customer, attemptId) =>
      translated(() =>
        unlessMissing(async () => {
          for await (const intent of stripe.paymentIntents.list({ customer, limit: PAGE })) {
            if (intent.metadata.attemptId === attemptId) return toCharge(intent);
          }
          return null;
        }),
      ),
  };
}

function toSetup(setup: Stripe.SetupIntent): CardSetup {
  const { id, status, customer, client_secret, payment_method, metadata } = setup;
  return {
    ...{ id, status, customerKey: idOf(customer) ?? '', clientSecret: client_secret ?? '' },
    ...{ paymentMethodKey: idOf(payment_method), card: cardOf(payment_method) },
    ...{ orgId: metadata?.orgId ?? null, setupId: metadata?.setupId ?? null },
  };
}

function cardOf(method: Stripe.SetupIntent['payment_method']): KeptCard | null {
  const card = method === null || typeof method === 'string' ? undefined : method.card;
  if (card === undefined) return null;
  return { brand: card.brand, last4: card.last4, expMonth: card.exp_month, expYear: card.exp_year };
}

function toCharge(intent: Stripe.PaymentIntent): KeptCardCharge {
  const { id, status, latest_charge, amount_received, created, last_payment_error } = intent;
  return {
    ...{ intentId: id, status, chargeId: idOf(latest_charge), receivedCents: amount_received, createdAt: created },
    failure: status === 'requires_payment_method' || status === 'canceled' ? failureOf(last_payment_error) : null,
  };
}

/** A refusal by the bank carries its intent; one by the processor itself has none. @throws any other error */
function refusedCharge(error: unknown): KeptCardCharge {
  const isRefusal = error instanceof Stripe.errors.StripeCardError || isAboutCard(error);
  if (!isRefusal) throw error;
  const failure = failureOf(error);
  if (error.payment_intent) return { ...toCharge(error.payment_intent), failure };
  return { ...{ intentId: null, status: 'refused', chargeId: null, receivedCents: 0, createdAt: 0 }, failure };
}

/** A card that is gone. Any other invalid request is our fault, and means nothing to the insured. */
function isAboutCard(error: unknown): error is Stripe.errors.StripeInvalidRequestError {
  return error instanceof Stripe.errors.StripeInvalidRequestError && CARD_PARAMS.includes(error.param ?? '');
}

/** The bank's own code is more specific than the processor's `card_declined`. */
function failureOf(
  error: { code?: string | undefined; decline_code?: string | undefined; message?: string | undefined } | null,
): KeptCardCharge['failure'] {
  const code = error?.decline_code || error?.code || null;
  return { code, message: error?.message || 'The card was declined.' };
}

function idOf(object: string | { id: string } | null | undefined): string | null {
  return typeof object === 'string' ? object : (object?.id ?? null);
}

async function unlessMissing<T>(call: () => Promise<T>): Promise<T | null> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof Stripe.errors.StripeInvalidRequestError && error.code === MISSING) return null;
    throw error;
  }
}

/** Detaching a card that is already detached is refused without a code. */
async function detach(stripe: Stripe, key: string): Promise<void> {
  try {
    await stripe.paymentMethods.detach(key);
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeInvalidRequestError) || error.statusCode === 409) throw error;
  }
}
