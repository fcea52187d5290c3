// What the inbound pipeline needs to know about a provider. Another provider is one more value of this type in
// providers.ts.
import type { IncomingHttpHeaders } from 'node:http';
import type { ApiConfig } from '../../config.ts';
import type { EntityFacts } from '../../contracts/start.ts';

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
}

/** An event that is proven to come from its provider, not longer than five minutes ago. */
export interface VerifiedEvent {
  /** The provider's id of the event, the same in every repetition. */
  id: string;
  /** Null for an event without effect here: it is acknowledged and never reaches the engine. */
  workflow: EventWorkflow | null;
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
  /** Header that carries the signature, for the reference. */
  signatureHeader: string;
  /** Sections it comes from, as in the route table. */
  spec: string;
  /**
   * Proves the signature over the raw bytes in constant time, then its age, and only then reads the event.
   * @throws DomainError unauthenticated for a signature that is missing or wrong, validation_failed or malformed_json
   * for a signed request that is stale or no event
   */
  read(delivery: Delivery, config: ApiConfig): VerifiedEvent;
}
