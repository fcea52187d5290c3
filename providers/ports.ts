/** Whom the platform calls, as interfaces. An adapter is a file of its own beside this one. */
import type { SanctionsMatch } from '../domain/sanctions.ts';

/** Holds names against a list of persons and entities that must not be insured. */
export interface SanctionsScreening {
  /** The entries that a name resembles; none means that it is clear. Asked while a transaction is open, so it must be quick. */
  screen(name: string): Promise<SanctionsMatch[]>;
}

/** An attempt to collect by card, as the processor knows it. */
export interface CardIntent {
  id: string;
  amountCents: number;
  status: string;
  /** What a browser needs to confirm the payment; never stored or logged. */
  clientSecret: string;
}

export interface CardRefund {
  id: string;
  amountCents: number;
  status: string;
}

/**
 * Collects by card and gives back. Every call that moves money has an idempotency key, so that repeating it is harmless.
 * All methods throw `DomainError` payment_declined when the processor says no, and `service_unavailable` when it cannot be reached.
 */
export interface CardProcessor {
  createIntent(order: {
    idempotencyKey: string;
    amountCents: number;
    metadata: { orgId: string; invoiceId: string; policyId: string };
  }): Promise<CardIntent>;
  readIntent(intentId: string): Promise<CardIntent>;
  refund(order: {
    idempotencyKey: string;
    intentId: string;
    amountCents: number;
    metadata: { orgId: string; invoiceId: string; refundId: string };
  }): Promise<CardRefund>;
  /** The refund of an intent that carries this refund id; null when there is none. Asked before an uncertain call is repeated. */
  findRefund(intentId: string, refundId: string): Promise<CardRefund | null>;
}

/** Objects by path: a folder of the machine, or a bucket. Paths begin with `docs/{orgId}/`. */
export interface ObjectStorage {
  /** Writes an object; one that is there already is replaced. */
  put(path: string, content: string | Uint8Array, contentType: string): Promise<void>;
  /** Reads an object, or null. */
  get(path: string): Promise<Uint8Array | null>;
}
