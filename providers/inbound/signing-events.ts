// E-signature provider events, from the bytes on the wire to the few facts that are passed on. Each header follows
// its provider's scheme, and all are keyed with one secret. Spec 6.7.
import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { SigningEvent } from '../../contracts/inbound.ts';
import { ID_PREFIXES, isId } from '../../domain/ids.ts';
import { ESIGN_PROVIDERS, type EsignProvider } from '../../domain/signing/provider.ts';
import { isSameSecret } from '../constant-time.ts';
import { verifyAnySignature, verifyHexSignature } from './body-signature.ts';
import { type EventFields, eventFrom, unusable } from './event-fields.ts';
import { badSignature, ensureFresh } from './freshness.ts';
import { verifyOldAndNew } from './timed-signature.ts';

export interface SignedSigningEvent {
  body: Buffer;
  headers: IncomingHttpHeaders;
  /** The configured provider. It decides if a request carries the headers of several. */
  provider: EsignProvider;
  /** Any of these may have signed it. If empty, nothing is accepted. */
  secrets: readonly string[];
  /** Milliseconds since 1970. */
  nowMs: number;
}

/** The headers that carry a provider's signature: its own and the neutral one. */
const HEADERS: Readonly<Record<EsignProvider, RegExp>> = {
  generic: /^x-webhook-signature$/,
  boldsign: /^x-(?:boldsign|provider-a)-signature$/,
  docusign: /^x-(?:docusign|provider-b)-signature-\d{1,3}$/,
  documenso: /^x-documenso-secret$/,
};

const TIMED = /^t=/;
/** Unix times below this are in seconds, above it in milliseconds. */
const MILLISECONDS_FROM = 100_000_000_000;

/**
 * Verifies an event and reduces it.
 * @throws DomainError unauthenticated for a bad signature, validation_failed for a stale or unusable event,
 * malformed_json for signed bytes that are not JSON
 */
export function readSigningEvent(signed: SignedSigningEvent): SigningEvent {
  const { body, headers, nowMs } = signed;
  const { scheme, names } = schemeOf(headers, signed.provider);
  const hasSignedTime = SCHEMES[scheme](valuesOf(headers, names), signed);
  const event = eventFrom(body);
  const sentAtMs = timeIn(event);
  if (scheme === 'documenso' && sentAtMs === null) throw unusable('createdAt');
  if (!hasSignedTime && sentAtMs !== null && !isRetry(event, scheme)) {
    ensureFresh(Math.floor(sentAtMs / 1_000), nowMs, 'createdAt');
  }
  const type = nameOf(event);
  if (type === null) throw unusable('event');
  const externalIds = externalIdsOf(event);
  const eventId = eventIdOf(event, body, [type, ...externalIds]);
  const happenedAt = new Date(sentAtMs ?? nowMs).toISOString();
  return { eventId, type, externalIds, envelopeId: ownIdIn(event), happenedAt };
}

/**
 * The scheme whose header is present. With the headers of several, the configured provider's scheme is used; the
 * plain secret only counts if its provider is the configured one.
 */
function schemeOf(headers: IncomingHttpHeaders, provider: EsignProvider): { scheme: EsignProvider; names: string[] } {
  const present = ESIGN_PROVIDERS.map((scheme) => ({
    scheme,
    names: Object.keys(headers).filter((name) => HEADERS[scheme].test(name)),
  })).filter(({ scheme, names }) => names.length > 0 && (scheme !== 'documenso' || provider === 'documenso'));
  const [only, ...others] = present;
  const chosen = others.length === 0 ? only : present.find(({ scheme }) => scheme === provider);
  if (chosen === undefined) throw badSignature();
  return chosen;
}

const NUMBER = /\d*$/;

/** The values of a scheme's headers. Its own and the neutral one, if both are present, must be the same. */
function valuesOf(headers: IncomingHttpHeaders, names: readonly string[]): string[] {
  const byNumber = new Map<string | undefined, string>();
  for (const name of names) {
    const number = NUMBER.exec(name)?.[0];
    const value = headers[name];
    const text = typeof value === 'string' ? value : '';
    if ((byNumber.get(number) ?? text) !== text) throw badSignature();
    byNumber.set(number, text);
  }
  return [...byNumber.values()];
}

/** Verifies a scheme's header values; returns whether the signature covers a time of its own, which is fresh. */
type Scheme = (values: readonly string[], signed: SignedSigningEvent) => boolean;

const SCHEMES: Readonly<Record<EsignProvider, Scheme>> = {
  generic: ([signature], { body, secrets }) => {
    verifyHexSignature({ body, signature, secrets });
    return false;
  },
  boldsign: ([signature = ''], { body, secrets, nowMs }) => {
    if (!TIMED.test(signature)) {
      verifyHexSignature({ body, signature, secrets });
      return false;
    }
    verifyOldAndNew({ body, signature, secrets, nowMs, field: 'x-provider-a-signature' });
    return true;
  },
  docusign: (values, { body, secrets }) => {
    verifyAnySignature(body, values, secrets);
    return false;
  },
  documenso: ([secret = ''], { secrets }) => {
    if (!isSameSecret(secret, ...secrets)) throw badSignature();
    return false;
  },
};

/** This provider redelivers an event with its original time. Redeliveries are recognized by their id. */
function isRetry(event: EventFields, scheme: EsignProvider): boolean {
  return scheme === 'docusign' && Number(event.raw('retryCount')) > 0;
}

/** When the event was created, in milliseconds since 1970, if it says so. */
function timeIn(event: EventFields): number | null {
  const inner = event.objectOrNull('event');
  const times = [event.raw('createdAt'), event.raw('timestamp'), event.raw('generatedDateTime'), inner?.raw('created')];
  const time = times.find((each) => each !== undefined && each !== null);
  if (time === undefined) return null;
  const ms = typeof time === 'number' ? (time < MILLISECONDS_FROM ? time * 1_000 : time) : Date.parse(String(time));
  if (Number.isNaN(new Date(ms).getTime()) || ms < 0) throw unusable('createdAt');
  return ms;
}

function nameOf(event: EventFields): string | null {
  const names = [event.raw('event'), event.objectOrNull('event')?.raw('eventType'), event.raw('type')];
  const name = names.find((each) => typeof each === 'string');
  if (typeof name === 'string' && name.length > 100) throw unusable('event');
  return typeof name === 'string' ? name : null;
}

/** Where providers put the id of the document or envelope. */
const PLACES = ['data', 'payload', 'document'] as const;

function externalIdsOf(event: EventFields): string[] {
  const objects = [event, ...PLACES.map((place) => event.objectOrNull(place) ?? [])].flat();
  const payloadId = event.objectOrNull('payload')?.raw('id');
  const named = objects.flatMap((each) => [each.raw('documentId'), each.raw('envelopeId')]);
  const ids = [...named, payloadId]
    .filter((each) => typeof each === 'string' || Number.isSafeInteger(each))
    .map(String);
  if (ids.some((id) => !/^[\w-]{1,255}$/.test(id))) throw unusable('documentId');
  return [...new Set(ids)];
}

/** Our own id, if the provider echoes it. */
function ownIdIn(event: EventFields): string | null {
  const id = event.objectOrNull('data')?.objectOrNull('metaData')?.raw('envelopeId');
  return isId(id, ID_PREFIXES.envelope) ? id : null;
}

/** The provider's id of the event; if it has none, a hash of the facts that every redelivery shares. */
function eventIdOf(event: EventFields, body: Buffer, facts: readonly string[]): string {
  const given = event.objectOrNull('event')?.id('id');
  if (given) return given;
  const generatedAt = event.raw('generatedDateTime');
  const same = typeof generatedAt === 'string' ? [...facts, generatedAt].join('\n') : body;
  return createHash('sha256').update(same).digest('hex');
}
