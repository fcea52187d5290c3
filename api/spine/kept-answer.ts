// How a response is stored for its Idempotency-Key, and how it is replayed: the same bytes, and only the headers that
// belong to the response. Contract 1.
import type { PayloadKey } from '../../config.ts';
import type { StoredAnswer } from '../../db/queries/platform/idempotency.ts';
import type { DomainError, ErrorCode, ErrorDetails } from '../../domain/errors.ts';
import { decrypt, encrypt } from '../../providers/aes-gcm.ts';
import type { RouteAnswer } from './answer.ts';
import { RefusalWithHeaders } from './middleware/errors.ts';

/** The type Koa uses for an object; for JSON text it would guess. */
const JSON_TYPE = 'application/json; charset=utf-8';

export interface AnswerKeeping {
  /** Scope and hash of the key: an encrypted response can be decrypted only in its own row. */
  place: string;
  /** The first encrypts, all decrypt. */
  keys: readonly PayloadKey[];
  /** Top-level fields that are not stored at all. */
  shownOnce: readonly string[];
  /** Top-level secret fields: a response with them is stored encrypted, or without them if there is no key. */
  secretFields: readonly string[];
}

interface KeptRefusal {
  error: ErrorCode;
  message: string;
  details: ErrorDetails;
}

/** Makes the stored form of a response. */
export function keptAnswer({ status, headers, body }: RouteAnswer, keeping: AnswerKeeping): StoredAnswer {
  if (body === null || body === undefined) return { status, headers, body: null, sealedWith: null };
  if (typeof body === 'string') return { status, headers, body, sealedWith: null };
  const [key] = keeping.keys;
  const isSecret = keeping.secretFields.length > 0;
  const left = isSecret && !key ? [...keeping.shownOnce, ...keeping.secretFields] : keeping.shownOnce;
  const isFile = Buffer.isBuffer(body);
  const text = isFile ? body.toString('base64') : JSON.stringify(left.length === 0 ? body : without(body, left));
  const typed = { status, headers: { ...(isFile ? BYTES_IN_TEXT : { 'Content-Type': JSON_TYPE }), ...headers } };
  if (!isSecret || !key) return { ...typed, body: text, sealedWith: null };
  const sealed = encrypt(Buffer.from(text), key.key, keeping.place).toString('base64');
  return { ...typed, body: sealed, sealedWith: key.id };
}

/** Makes the stored form of a refusal: all but the request id, since a repeat has its own. */
export function keptRefusal(error: DomainError): StoredAnswer {
  const { status, code, message, details } = error;
  const headers = error instanceof RefusalWithHeaders ? error.headers : {};
  const body = JSON.stringify({ error: code, message, details } satisfies KeptRefusal);
  return { status, headers: { ...headers }, body, sealedWith: null };
}

const REPLAYED = { 'Idempotent-Replayed': 'true' };

/** Marks the answer of a call that another one has carried out already. */
export function asRepeat(answer: RouteAnswer): RouteAnswer {
  return { ...answer, headers: { ...answer.headers, ...REPLAYED } };
}

/**
 * Returns the stored response, marked as a repeat. @throws DomainError the stored refusal
 * @throws Error if its encryption key is no longer configured
 */
export function replayOf(
  { status, headers, body, sealedWith }: StoredAnswer,
  { place, keys }: AnswerKeeping,
): RouteAnswer {
  const marked = { ...headers, ...REPLAYED };
  const text = body !== null && sealedWith !== null ? opened(body, sealedWith, place, keys) : body;
  if (status < 400) return { status, ...withoutEncoding(marked, text) };
  const { error, message, details } = JSON.parse(text ?? '{}') as KeptRefusal;
  throw new RefusalWithHeaders({ code: error, message, details }, marked);
}

/** A row holds text: file bytes are stored as text, and an extra header says so. */
const KEPT_ENCODING = 'X-Kept-Encoding';
const BYTES_IN_TEXT = { [KEPT_ENCODING]: 'base64' };

function withoutEncoding(
  { [KEPT_ENCODING]: encoding, ...headers }: Record<string, string>,
  text: string | null,
): Pick<RouteAnswer, 'headers' | 'body'> {
  return { headers, body: encoding === undefined || text === null ? text : Buffer.from(text, 'base64') };
}

function opened(sealed: string, keyId: string, place: string, keys: readonly PayloadKey[]): string {
  const key = keys.find(({ id }) => id === keyId);
  if (key === undefined) throw new Error(`A kept answer is encrypted under the key "${keyId}", which is not given.`);
  return decrypt(Buffer.from(sealed, 'base64'), key.key, place).toString();
}

function without(body: object, names: readonly string[]): object {
  return Object.fromEntries(Object.entries(body).filter(([name]) => !names.includes(name)));
}
