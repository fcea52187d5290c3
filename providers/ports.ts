/** The interfaces of the services that the platform calls. Each adapter is a file beside this one. */
import type { Readable } from 'node:stream';
import type { ProcessorPayout } from '../domain/billing/card-payout.ts';
import type { CardStatementLineKind } from '../domain/billing/card-statement.ts';
import type { BusinessDate } from '../domain/dates.ts';
import type { MailContent, PdfContent } from '../domain/document/content.ts';
import type { FieldMap } from '../domain/document/field-map.ts';
import type { ReadDocument, Understood } from '../domain/document/read-document.ts';
import type { EnvelopeEnd } from '../domain/signing/envelope.ts';
import type { SanctionsMatch } from '../domain/submission/sanctions.ts';
import type { KeptCards } from './cards/kept-cards-port.ts';

/** Checks names against a list of persons and entities that must not be insured. */
export interface SanctionsScreening {
  /**
   * The entries that a name resembles; none means that it is clear. Called within an open transaction, so it must be
   * quick.
   */
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

/** What collected or returned money, as the processor lists it. */
export interface CardStatementLine {
  processorId: string;
  kind: CardStatementLineKind;
  intentId: string;
  amountCents: number;
  occurredAt: Date;
  /** The organization that its metadata names; null where it names none. */
  orgId: string | null;
}

/**
 * Collects and refunds by card. Every call that moves money has an idempotency key, so that repeating it is harmless.
 * All methods throw `DomainError` payment_declined when the processor says no, and `service_unavailable` when it cannot
 * be reached.
 */
/** The part of a refund that one payment gives back: an intent may have several, when its money was applied twice. */
export interface RefundPart {
  refundId: string;
  paymentId: string;
}

export interface CardProcessor extends KeptCards {
  createIntent(order: {
    idempotencyKey: string;
    amountCents: number;
    metadata: { orgId: string; invoiceId: string; policyId: string };
  }): Promise<CardIntent>;
  readIntent(intentId: string): Promise<CardIntent>;
  /** Cancels an intent unless it has been paid or cancelled; answers what it is then. */
  cancelIntent(intentId: string): Promise<CardIntent>;
  refund(order: {
    idempotencyKey: string;
    intentId: string;
    amountCents: number;
    metadata: { orgId: string; invoiceId: string } & RefundPart;
  }): Promise<CardRefund>;
  /**
   * The refund of an intent that was made for this part; null when there is none. Called before an uncertain call is
   * repeated.
   */
  findRefund(intentId: string, part: RefundPart): Promise<CardRefund | null>;
  /**
   * Everything taken and given back from the first instant up to but excluding the second, of all organizations; null
   * where no processor is set up.
   */
  statement(from: Date, to: Date): Promise<CardStatementLine[] | null>;
  /** A payout to the bank account, and the movements that it settles; null for one that it does not know. */
  readPayout(payoutId: string): Promise<ProcessorPayout | null>;
  /** The ids of the payouts made from the first instant up to but excluding the second. */
  payouts(from: Date, to: Date): Promise<string[]>;
}

/** Objects by path: a folder of the machine, or a bucket. Paths begin with `docs/{orgId}/`. */
export interface ObjectStorage {
  /** Writes an object; one that is there already is replaced. */
  put(path: string, content: string | Uint8Array, contentType: string): Promise<void>;
  /** Reads an object, or null. */
  get(path: string): Promise<Uint8Array | null>;
  /** Writes an object as its bytes arrive. @throws DomainError service_unavailable when the store cannot be reached */
  putStream(path: string, content: Readable, facts: { contentType: string; size: number }): Promise<void>;
  /**
   * Reads an object as its bytes are consumed; null when there is none.
   * @throws DomainError service_unavailable when the store cannot be reached
   */
  getStream(path: string): Promise<Readable | null>;
}

/** Prints pages. The same page gives the same bytes. */
export interface PrintOptions {
  /** Left out, a page has the time of our documents. */
  maxSeconds?: number;
  /** Whether no caller waits for it: on a busy machine it gives way to other work, and has more time. */
  canWait?: boolean;
}

export interface PdfEngine {
  /**
   * Prints a page, which can reach nothing outside of itself and runs no script.
   * @throws DomainError unreadable_document for a page that does not come to its end, payload_too_large for one that is
   * too large; BrowserFault where another attempt may succeed
   */
  render(html: string, options?: PrintOptions): Promise<{ bytes: Uint8Array; pages: number }>;
  /** Whether it can print now. */
  readonly isReady: boolean;
  /** Counts requests by pages for anything outside themselves. */
  readonly refusedRequests: number;
  close(): Promise<void>;
}

/** A document to be signed. */
export interface SigningOrder {
  /** Our id; the provider gives it back with its events. */
  envelopeId: string;
  fileName: string;
  contentType: string;
  file: Uint8Array;
  signers: readonly { name: string; email: string }[];
  expiresInDays: number;
}

/**
 * Has documents signed. All methods throw `DomainError` service_unavailable when the provider cannot be reached, and
 * validation_failed when it refuses.
 */
export interface SigningService {
  /** Whether documents can be sent at all; otherwise no later attempt helps. */
  readonly isSetUp: boolean;
  /** Sends a document to its signers. An order that was carried out before is found and not repeated. */
  create(order: SigningOrder): Promise<{ externalId: string }>;
  /** Reminds the signers who have not signed. Returns how the document ended; null while it is open. */
  remind(externalId: string): Promise<EnvelopeEnd | null>;
  /** Voids a document: `voided`. One that has ended otherwise in the meantime is left alone; returns that end. */
  callBack(externalId: string, reason: string): Promise<EnvelopeEnd>;
  /** The PDF with the signatures. */
  signedFile(externalId: string): Promise<Uint8Array>;
}

/** Verifies who someone is. Throws like SigningService. */
/** `url`: where the producer shows who they are; null when the verifier has not named it. */
export interface StartedInquiry {
  inquiryId: string;
  url: string | null;
}

export interface IdentityVerifier {
  /**
   * Starts an inquiry about a producer. The same key answers the same inquiry.
   * @throws DomainError service_unavailable, also when the verifier refuses: the order holds nothing of the caller
   */
  startInquiry(order: { idempotencyKey: string; producerId: string }): Promise<StartedInquiry>;
  /**
   * Requests a new link to an open inquiry; null if the verifier no longer continues it.
   * @throws DomainError service_unavailable
   */
  continueInquiry(order: { idempotencyKey: string; inquiryId: string }): Promise<StartedInquiry | null>;
}

export interface AttemptCount {
  count: number;
  /** Until the window ends and counting restarts. */
  secondsLeft: number;
}

/** How often something may happen in a window that begins with the first count. */
export interface Limit {
  key: string;
  most: number;
  windowSeconds: number;
}

/** The counts of the limits in their order, or how long the one that was reached still lasts. */
export type Counted = { isWithin: true; counts: AttemptCount[] } | { isWithin: false; secondsLeft: number };

/**
 * The result of a claim: the caller's, or what the key already holds; null when that has just changed.
 */
export type Claim<T> = { claimed: true } | { claimed: false; held: T | null };

/**
 * Values that expire at a known time, and windowed counters, shared by all processes. Values are plain JSON. Every
 * method is atomic: each of several simultaneous callers learns the result of their own call. While the store is down
 * every method fails, in bounded time, with an error that is answered with 503; whether the call was carried out is
 * then unknown.
 */
export interface KvStore {
  /** Sets a value, replacing whatever the key held. */
  put(key: string, value: unknown, lifetimeSeconds: number): Promise<void>;
  /** Returns the value of a key, or null if there is none or it has expired. */
  read<T>(key: string): Promise<T | null>;
  /** Returns the value of a key and removes it: exactly one of several simultaneous callers gets it. */
  take<T>(key: string): Promise<T | null>;
  /** Takes a value whose field `hash` is this one, and leaves any other. */
  takeWithHash<T>(key: string, hash: string): Promise<T | null>;
  /** Removes a key. */
  forget(key: string): Promise<void>;
  /** Counts one more for a key. The window begins with the first count and is not prolonged by later ones. */
  countAttempt(key: string, windowSeconds: number): Promise<AttemptCount>;
  /**
   * Counts one more for every limit, or for none when one of them is reached. Callers name shared limits in one order.
   */
  countWithin(limits: readonly Limit[]): Promise<Counted>;
  /** Sets a value if there is none: exactly one of several simultaneous claims succeeds. */
  claim<T>(key: string, value: T, lifetimeSeconds: number): Promise<Claim<T>>;
  /** Removes a key that still holds the value that was put or claimed. */
  giveBack(key: string, value: unknown): Promise<void>;
  close(): Promise<void>;
}

/** Reads files that strangers send, within bounds of time and memory. The file is loaded when its turn comes. */
export interface DocumentReader {
  /** @throws DomainError unreadable_document with `reason`, service_unavailable when too many wait */
  readPdf(load: () => Promise<Uint8Array>): Promise<PdfContent>;
  /** @throws DomainError unreadable_document with `reason`, service_unavailable when too many wait */
  readMail(load: () => Promise<Uint8Array>): Promise<MailContent>;
  close(): Promise<void>;
}

/**
 * Fills the templates of organizations and callers, within bounds of time and memory. Whatever it does may end as a
 * ThreadFault: another attempt may succeed, for a busy machine is slow as well.
 */
export interface Typesetter {
  /**
   * Makes a page of a Liquid template. `field` names the template in a refusal; default: `html`.
   * @throws DomainError validation_failed for a template that cannot be read or does not come to its end,
   * service_unavailable when too many wait, or its caller does not any more
   */
  page(template: string, facts: Record<string, unknown>, field?: string): Promise<string>;
  /**
   * Tries a template on sample facts with every value in place. Throws as `page` does, and for a value that the sample
   * has not.
   */
  tryPage(template: string, sample: Record<string, unknown>, field?: string): Promise<void>;
  /**
   * Looks at a fillable PDF, and tries the Liquid texts of its fields as `tryPage` does.
   * @throws DomainError unreadable_document with `reason`; validation_failed for a field that the form has not
   */
  tryForm(load: () => Promise<Uint8Array>, fields: FieldMap, sample: Record<string, unknown>): Promise<void>;
  /**
   * Fills such a form. The same values give the same bytes.
   * @throws DomainError document_not_applicable with `field` and `reason` where a field cannot hold its value
   */
  fillForm(load: () => Promise<Uint8Array>, fields: FieldMap, facts: Record<string, unknown>): Promise<Uint8Array>;
  close(): Promise<void>;
}

/** The organization and the day for which a document is read. */
export interface AnalysisContext {
  orgId: string;
  today: BusinessDate;
  /** Whether it must not be sent outside. */
  isConfidential: boolean;
  /** Called each time before the document is sent outside; if this throws, it is not sent. */
  noteLeaving: (recipient: { host: string; model: string }) => Promise<void>;
}

/**
 * Identifies a document and extracts its content. What it sees was written by strangers and is never an instruction.
 */
export interface DocumentAnalyst {
  understand(document: ReadDocument, context: AnalysisContext): Promise<Understood>;
}
