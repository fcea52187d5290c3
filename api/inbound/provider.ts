// What the inbound pipeline needs to know about a provider. Another provider is one more value of this type in
// routes.ts.
import type { IncomingHttpHeaders } from 'node:http';
import type { ApiConfig } from '../../config.ts';
import type { QueueName } from '../../contracts/machinery/queues.ts';
import type { EntityFacts } from '../../contracts/machinery/start.ts';

/** The organization that an event counts for before its own is known. */
export const NOBODY = 'platform';

/** A request as it came, unverified. */
export interface Delivery {
  /** The bytes that the signature covers. */
  raw: Buffer;
  headers: IncomingHttpHeaders;
  /** The client for rate limits. */
  client: string;
  /** When it arrived, in milliseconds since 1970. */
  nowMs: number;
}

/** The workflow that takes an event, and what an operator sees of it. */
export interface EventWorkflow {
  type: string;
  /** Plain JSON; what of the event is passed on. */
  input: object;
  facts: EntityFacts;
  summary: string;
  /** Set for an event that is queued: its sender is answered as soon as the workflow is sure to run. */
  queued?: { workflowId: string; queue: QueueName };
}

/** An event that is proven to come from its provider, not longer than five minutes ago. */
export interface VerifiedEvent {
  /** The provider's id of the event, the same in every repetition. */
  id: string;
  /** Null for an event without effect here: it is acknowledged and never reaches the engine. */
  workflow: EventWorkflow | null;
  /** Set where the same request may not be sent again, under any circumstances, once it has succeeded. */
  once?: { hash: string; forSeconds: number };
  /** Whether an event without effect is answered 202. */
  isIgnored?: boolean;
}

/** The value of a header that comes once; undefined for one that does not. */
export function headerOf(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value : undefined;
}

/**
 * The value of the provider's own header or of the neutral one; undefined where none of them is there, or two that
 * differ.
 */
export function oneOfHeaders(headers: IncomingHttpHeaders, ...names: readonly string[]): string | undefined {
  const [value, ...others] = new Set(names.flatMap((name) => headerOf(headers, name) ?? []));
  return others.length === 0 ? value : undefined;
}

/** Where an operation of the provider is found below `/v1`, and its unique name. */
export interface InboundPath {
  path: string;
  operationId: string;
}

export interface InboundProvider {
  /** Part of the names of claims and workflows: never changed. */
  name: string;
  /** The provider as the reference calls it. */
  title: string;
  /** The provider's own path and the neutral one. */
  paths: readonly InboundPath[];
  /** Headers that carry the signature, for the reference. */
  signatureHeaders: readonly string[];
  /** What a repeated event is answered; by default also that it was received. */
  duplicateAnswer?: { deduplicated: true };
  /** Which events are answered 202, where any are. */
  ignored?: string;
  /** Whether a request may come once only, so that its repetition is answered 409. */
  refusesReplays?: boolean;
  /** Sections it comes from, as in the route table. */
  spec: string;
  /**
   * Proves the signature over the raw bytes in constant time, then its age, and only then reads the event.
   * @throws DomainError unauthenticated for a signature that is missing or wrong, validation_failed or malformed_json
   * for a signed request that is stale or no event
   */
  read(delivery: Delivery, config: ApiConfig): VerifiedEvent;
}
