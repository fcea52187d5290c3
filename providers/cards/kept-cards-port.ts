/** Cards that the processor stores for autopay, and charges without the cardholder present. */
import type { KeptCard } from '../../domain/billing/autopay.ts';

/** A card that is being stored, as the processor describes it. */
export interface CardSetup {
  id: string;
  status: string;
  /** The insured, at the processor. */
  customerKey: string;
  /** The secret that the browser needs to enter the card; never stored or logged. */
  clientSecret: string;
  /** The card, at the processor; null until it has been entered. */
  paymentMethodKey: string | null;
  card: KeptCard | null;
  /** The organization and the setup named in its metadata. */
  orgId: string | null;
  setupId: string | null;
}

/** A charge to a stored card, as the processor reports it. */
export interface KeptCardCharge {
  /** Null if the processor refused to start the charge. */
  intentId: string | null;
  /** `succeeded`, or the processor's word for any other status. */
  status: string;
  chargeId: string | null;
  receivedCents: number;
  /** Unix seconds. */
  createdAt: number;
  /** Why it was refused; null if it was not. */
  failure: { code: string | null; message: string } | null;
}

/** Throws like `CardProcessor`, but returns a refused charge instead of throwing it. */
export interface KeptCards {
  /** Starts storing a card. Without a customer, one is created under its own key. */
  createSetup(order: {
    idempotencyKey: string;
    customer: { key: string | null; idempotencyKey: string };
    metadata: { orgId: string; insuredId: string; setupId: string };
  }): Promise<CardSetup>;
  /** Reads a setup with its card; null if the processor does not know it. */
  readSetup(setupIntentKey: string): Promise<CardSetup | null>;
  /** Removes a card. Does nothing if it is already gone. */
  forgetCard(paymentMethodKey: string): Promise<void>;
  /** Charges a stored card. */
  chargeKeptCard(order: {
    idempotencyKey: string;
    amountCents: number;
    customerKey: string;
    paymentMethodKey: string;
    metadata: { orgId: string; invoiceId: string; policyId: string; attemptId: string };
  }): Promise<KeptCardCharge>;
  /** The customer's charge made for this attempt; null if there is none. */
  findKeptCardCharge(customerKey: string, attemptId: string): Promise<KeptCardCharge | null>;
}
