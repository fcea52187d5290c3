/** The interfaces of the services that the platform calls. Each adapter is a file beside this one. */
import type { Readable } from 'node:stream';
import type { ProcessorPayout } from '../domain/billing/card-payout.ts';
import type { CardStatementLineKind } from '../domain/billing/card-statement.ts';
import type { BusinessDate } from '../domain/dates.ts';
import type { MailContent, PdfContent } from '../domain/document/content.ts';
import type { FieldMap } from '../domain/document/field-map.ts';
import type { ReadDocument, Understood } from '../domain/document/read-document.ts';
import type { AttemptCount, ClaimedKey, Counted, Limit } from '../domain/platform/kv.ts';
import type { EnvelopeEnd } from '../domain/signing/envelope.ts';
import type { SanctionsMatch } from '../domain/submission/sanctions.ts';
import type { KeptCards } from './cards/kept-cards-port.ts';

/** Checks names against a list of persons and entities that must not be insured. */
export interface SanctionsScreening {
  /**
   * The entries that a name resembles; none means it is clear. Called within an open transaction, so it must be
   * quick.
   */
  screen(name: string): Promise<SanctionsMatch[]>;
}

/** An attempt to collect by card, as the processor reports it. */
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

/** A collection or return of money, as the processor lists it. */
export interface ListedMovement {
  processorId: string;
  kind: CardStatementLineKind;
  intentId: string;
  amountCents: number;
  occurredAt: Date;
  /** The organization named in its metadata; null if none is. */
  orgId: string | null;
}

/**
 * Collects and refunds by card. Every call that moves money has an idempotency key, so that repeating it is harmless.
 * All methods throw `DomainError` payment_declined if the processor declines, and `service_unavailable` if it cannot
 * be reached.
 */
/** The part of a refund that one payment returns: an intent may have several, if its money was applied twice. */
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
  /** Cancels an intent unless it has been paid or cancelled; returns its resulting state. */
  cancelIntent(intentId: string): Promise<CardIntent>;
  refund(order: {
    idempotencyKey: string;
    intentId: string;
    amountCents: number;
    metadata: { orgId: string; invoiceId: string } & RefundPart;
  }): Promise<CardRefund>;
  /** The intent's refund for this part; null if there is none. Called before an uncertain call is repeated. */
  findRefund(intentId: string, part: RefundPart): Promise<CardRefund | null>;
  /**
   * Everything collected and returned from the first instant up to but excluding the second, for all organizations;
   * null if no processor is configured.
   */
  statement(from: Date, to: Date): Promise<ListedMovement[] | null>;
  /** A payout to the bank account, and the movements it settles; null if the processor does not know it. */
  readPayout(payoutId: string): Promise<ProcessorPayout | null>;
  /** The ids of the payouts made from the first instant up to but excluding the second. */
  payouts(from: Date, to: Date): Promise<string[]>;
}

/** Objects by path, in a local folder or a bucket. Paths begin with `docs/{orgId}/`. */
export interface ObjectStorage {
  /** Writes an object, replacing any existing one. */
  put(path: string, content: string | Uint8Array, contentType: string): Promise<void>;
  /** Reads an object, or null. */
  get(path: string): Promise<Uint8Array | null>;
  /** Writes an object as its bytes arrive. @throws DomainError service_unavailable if the store cannot be reached */
  putStream(path: string, content: Readable, facts: { contentType: string; size: number }): Promise<void>;
  /**
   * Reads an object as its bytes are consumed; null if there is none.
   * @throws DomainError service_unavailable when the store cannot be reached
   */
  getStream(path: string): Promise<Readable | null>;
}

/** Prints pages. The same page gives the same bytes. */
export interface PrintOptions {
  /** By default a page has the time limit of our own documents. */
  maxSeconds?: number;
  /** Whether no caller waits for it: on a busy machine it yields to other work, and has more time. */
  canWait?: boolean;
}

export interface PdfEngine {
  /**
   * Prints a page, which can reach nothing outside itself and runs no scripts.
   * @throws DomainError unreadable_document for a page that does not finish, payload_too_large for one that is too
   * large; BrowserFault if another attempt may succeed
   */
  render(html: string, options?: PrintOptions): Promise<{ bytes: Uint8Array; pages: number }>;
  /** Whether it can print now. */
  readonly isReady: boolean;
  /** Counts the requests that pages made for anything outside themselves. */
  readonly refusedRequests: number;
  close(): Promise<void>;
}

/** A document to be signed. */
export interface SigningOrder {
  /** Our id, which the provider includes in its events. */
  envelopeId: string;
  fileName: string;
  contentType: string;
  file: Uint8Array;
  signers: readonly { name: string; email: string }[];
  expiresInDays: number;
}

/**
 * Sends documents for signature. All methods throw `DomainError` service_unavailable if the provider cannot be
 * reached, and validation_failed if it refuses.
 */
export interface SigningService {
  /** Whether documents can be sent at all; otherwise no later attempt helps. */
  readonly isSetUp: boolean;
  /** Sends a document to its signers. An order that was already carried out is found and not repeated. */
  create(order: SigningOrder): Promise<{ externalId: string }>;
  /** Reminds the signers who have not signed. Returns how the document ended; null while it is open. */
  remind(externalId: string): Promise<EnvelopeEnd | null>;
  /** Voids a document and returns `voided`. One that has ended otherwise in the meantime is left alone; returns how. */
  callBack(externalId: string, reason: string): Promise<EnvelopeEnd>;
  /** The PDF with the signatures. */
  signedFile(externalId: string): Promise<Uint8Array>;
}

/** Verifies who someone is. Throws like SigningService. */
/** `url`: where the producer verifies their identity; null if the verifier did not provide it. */
export interface StartedInquiry {
  inquiryId: string;
  url: string | null;
}

export interface IdentityVerifier {
  /**
   * Starts an inquiry about a producer. The same key returns the same inquiry.
   * @throws DomainError service_unavailable, even if the verifier refuses: the order contains nothing from the caller
   */
  startInquiry(order: { idempotencyKey: string; producerId: string }): Promise<StartedInquiry>;
  /**
   * Requests a new link to an open inquiry; null if the verifier no longer continues it.
   * @throws DomainError service_unavailable
   */
  continueInquiry(order: { idempotencyKey: string; inquiryId: string }): Promise<StartedInquiry | null>;
}

/**
 * Values that expire at a known time, and windowed counters, shared by all processes. Values are plain JSON. Every
 * method is atomic: each of several simultaneous callers learns the result of their own call. While the store is
 * down, every method fails within bounded time with an error that becomes a 503; whether the call was carried out is
 * then unknown.
 */
export interface KvStore {
  /** Sets a value, replacing whatever the key held. */
  put(key: string, value: unknown, lifetimeSeconds: number): Promise<void>;
  /** Returns the value of a key, or null if there is none or it has expired. */
  read<T>(key: string): Promise<T | null>;
  /** Returns the value of a key and removes it: exactly one of several simultaneous callers gets it. */
  take<T>(key: string): Promise<T | null>;
  /** Takes a value whose field `hash` matches, and leaves any other. */
  takeWithHash<T>(key: string, hash: string): Promise<T | null>;
  /** Removes a key. */
  forget(key: string): Promise<void>;
  /** Adds one to a key's count. The window begins with the first count and is not extended by later ones. */
  countAttempt(key: string, windowSeconds: number): Promise<AttemptCount>;
  /**
   * Adds one to every limit's count, or to none if one of them is reached. Callers name shared limits in the same
   * order.
   */
  countWithin(limits: readonly Limit[]): Promise<Counted>;
  /** Sets a value if there is none: exactly one of several simultaneous claims succeeds. */
  claim<T>(key: string, value: T, lifetimeSeconds: number): Promise<ClaimedKey<T>>;
  /** Removes a key if it still holds the value that was put or claimed. */
  giveBack(key: string, value: unknown): Promise<void>;
  close(): Promise<void>;
}

/** Reads files from strangers, within limits on time and memory. The file is loaded when its turn comes. */
export interface DocumentReader {
  /** @throws DomainError unreadable_document with `reason`, service_unavailable when too many wait */
  readPdf(load: () => Promise<Uint8Array>): Promise<PdfContent>;
  /** @throws DomainError unreadable_document with `reason`, service_unavailable when too many wait */
  readMail(load: () => Promise<Uint8Array>): Promise<MailContent>;
  close(): Promise<void>;
}

/**
 * Fills organizations' and callers' templates, within limits on time and memory. Any method may throw a ThreadFault:
 * another attempt may succeed, since the cause may be a busy machine.
 */
export interface Typesetter {
  /**
   * Renders a Liquid template into a page. `field` names the template in a refusal; default: `html`.
   * @throws DomainError validation_failed for a template that cannot be parsed or does not finish,
   * service_unavailable if too many wait, or its caller no longer does
   */
  page(template: string, facts: Record<string, unknown>, field?: string): Promise<string>;
  /**
   * Tries a template on sample facts that have every value, and returns the page. Throws like `page`, and for a value
   * missing from the sample.
   */
  tryPage(template: string, sample: Record<string, unknown>, field?: string): Promise<string>;
  /**
   * Checks a fillable PDF, and tries the Liquid texts of its fields like `tryPage`.
   * @throws DomainError unreadable_document with `reason`; validation_failed for a field that the form does not have
   */
  tryForm(load: () => Promise<Uint8Array>, fields: FieldMap, sample: Record<string, unknown>): Promise<void>;
  /**
   * Fills such a form. The same values give the same bytes.
   * @throws DomainError document_not_applicable with `field` and `reason` if a field cannot hold its value
   */
  fillForm(load: () => Promise<Uint8Array>, fields: FieldMap, facts: Record<string, unknown>): Promise<Uint8Array>;
  /** Writes a word across every page of a PDF. The same file gives the same bytes. */
  mark(pdf: Uint8Array, word: string): Promise<Uint8Array>;
  close(): Promise<void>;
}

/** The organization and the date that a document is read for. */
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
