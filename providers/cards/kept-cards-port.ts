/** Cards that the processor stores for autopay, and charges without the cardholder present. */
import type { KeptCard } from '../../domain/billing/autopay.ts';

/** A card that is being stored, as the processor describes it. */
export interface CardSetup {
  id: string;
  status: string;
  /** The insured, at the processor. */
  customerKey: string;
  /** The secret that the browser needs to give the card; never stored or logged. */
  clientSecret: string;
  /** The card, at the processor; null until it was given. */
  paymentMethodKey: string | null;
  card: KeptCard | null;
  /** The organization and the setup that its metadata names. */
  orgId: string | null;
  setupId: string | null;
}

/** A charge of a kept card, as the processor knows it. */
export interface KeptCardCharge {
  /** Null for a charge that the processor refused to begin. */
  intentId: string | null;
  /** `succeeded`, or the processor's word for what it is instead. */
  status: string;
  chargeId: string | null;
  receivedCents: number;
  /** Unix seconds. */
  createdAt: number;
  /** Why it was refused; null when it was not. */
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
  /** Reads a setup with its card; null for one that it does not know. */
  readSetup(setupIntentKey: string): Promise<CardSetup | null>;
  /** Removes a card. Does nothing if it is already gone. */
  forgetCard(paymentMethodKey: string): Promise<void>;
  /** Charges a kept card. */
  chargeKeptCard(order: {
    idempotencyKey: string;
    amountCents: number;
    customerKey: string;
    paymentMethodKey: string;
    metadata: { orgId: string; invoiceId: string; policyId: string; attemptId: string };
  }): Promise<KeptCardCharge>;
  /** The charge of a customer that was made for this attempt; null when there is none. */
  findKeptCardCharge(customerKey: string, attemptId: string): Promise<KeptCardCharge | null>;
}
