// What the inbound pipeline needs to know about a provider. Another provider is one more value of this type in
// routes.ts.
import type { IncomingHttpHeaders } from 'node:http';
import type { ApiConfig } from '../../config.ts';
import type { QueueName } from '../../contracts/machinery/queues.ts';
import type { EntityFacts } from '../../contracts/machinery/start.ts';

/** The organization an event counts for before its own is known. */
export const NOBODY = 'platform';

/** A request as received, unverified. */
export interface Delivery {
  /** The bytes that the signature covers. */
  raw: Buffer;
  headers: IncomingHttpHeaders;
  /** The client for rate limits. */
  client: string;
  /** When it arrived, in milliseconds since 1970. */
  nowMs: number;
}

/** The workflow that processes an event, and what an operator sees of it. */
export interface EventWorkflow {
  type: string;
  /** Plain JSON: the part of the event that is passed on. */
  input: object;
  facts: EntityFacts;
  summary: string;
  /** Set for a queued event: its sender gets a response as soon as the workflow is certain to run. */
  queued?: { workflowId: string; queue: QueueName };
}

/** An event proven to come from its provider, no more than five minutes ago. */
export interface VerifiedEvent {
  /** The provider's id of the event, the same in every retry. */
  id: string;
  /** Null for an event without effect here: it is acknowledged and never reaches the engine. */
  workflow: EventWorkflow | null;
  /** Set if the same request must never be sent again once it has succeeded. */
  once?: { hash: string; forSeconds: number };
  /** Whether an event without effect is answered 202. */
  isIgnored?: boolean;
}

/** The value of a header sent exactly once; otherwise undefined. */
export function headerOf(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value : undefined;
}

/** The value of the provider's own header or the neutral one; undefined if neither is present or they differ. */
export function oneOfHeaders(headers: IncomingHttpHeaders, ...names: readonly string[]): string | undefined {
  const [value, ...others] = new Set(names.flatMap((name) => headerOf(headers, name) ?? []));
  return others.length === 0 ? value : undefined;
}

/** The header that a refusal names: the provider's own if it was sent, otherwise the neutral one. */
export function sentHeader(headers: IncomingHttpHeaders, own: string, neutral: string): string {
  return headerOf(headers, own.toLowerCase()) === undefined ? neutral : own;
}

/** The path of a provider operation below `/v1`, and its unique name. */
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
  /** The response to a repeated event; by default, that it was received. */
  duplicateAnswer?: { deduplicated: true };
  /** Which events are answered 202, if any. */
  ignored?: string;
  /** Whether a request may be sent only once, so that a repeat gets a 409. */
  refusesReplays?: boolean;
  /** Its source sections, as in the route table. */
  spec: string;
  /**
   * Proves the signature over the raw bytes in constant time, then its age, and only then reads the event.
   * @throws DomainError unauthenticated for a missing or wrong signature, validation_failed or malformed_json for a
   * signed request that is stale or not an event
   */
  read(delivery: Delivery, config: ApiConfig): VerifiedEvent;
}
