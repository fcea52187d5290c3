// Encrypts what Temporal stores for us: AES-256-GCM with a key that the payload names. The first key encrypts and all
// keys decrypt, so to replace a key, put a new one before it.
import type { Payload, PayloadCodec } from '@temporalio/common';
import proto from '@temporalio/proto';
import type { PayloadKey } from '../config.ts';
import { decrypt, encrypt } from './aes-gcm.ts';

const { Payload: PayloadMessage } = proto.temporal.api.common.v1;

/** Value of `encoding` in the metadata of an encrypted payload. */
const ENCRYPTED = 'binary/encrypted';
/** The encoding of `undefined`. */
const NOTHING = 'binary/null';
const KEY_ID = 'encryption-key-id';

/** A payload cannot be decrypted; the message names the key and reveals none of the content. */
export class PayloadKeyError extends Error {
  override readonly name = 'PayloadKeyError';
}

export interface PayloadCodecOptions {
  /** At least one; the first encrypts. */
  keys: readonly PayloadKey[];
  /** Payloads left unencrypted: those declared readable. */
  isReadable?: (payload: Payload) => boolean;
}

/**
 * Builds the codec. Unencrypted payloads are decoded unchanged: those of workflows started without a key, and those
 * declared readable.
 * @throws PayloadKeyError if a payload was encrypted with an unknown key, or was altered
 */
export function createPayloadCodec({ keys, isReadable = () => false }: PayloadCodecOptions): PayloadCodec {
  const [first] = keys;
  if (first === undefined) throw new Error('A payload codec needs a key.');
  const byId = new Map(keys.map(({ id, key }) => [id, key]));
  return {
    encode: async (payloads) =>
      payloads.map((payload) => (isReadable(payload) || isEmpty(payload) ? payload : seal(payload, first))),
    decode: async (payloads) => payloads.map((payload) => (isSealed(payload) ? open(payload, byId) : payload)),
  };
}

function isSealed({ metadata }: Payload): boolean {
  return textOf(metadata?.encoding) === ENCRYPTED;
}

/** An empty payload is no secret, and the server must recognize it: it removes a memo that is set to it. */
function isEmpty({ metadata, data }: Payload): boolean {
  return textOf(metadata?.encoding) === NOTHING && (data ?? []).length === 0;
}

/** The encoding and key id are authenticated with the content. */
function seal(payload: Payload, { id, key }: PayloadKey): Payload {
  const data = encrypt(PayloadMessage.encode(payload).finish(), key, boundTo(id));
  return { metadata: { encoding: Buffer.from(ENCRYPTED), [KEY_ID]: Buffer.from(id) }, data };
}

function open({ metadata, data }: Payload, keys: ReadonlyMap<string, Uint8Array>): Payload {
  const id = textOf(metadata?.[KEY_ID]);
  const key = keys.get(id);
  if (key === undefined) throw new PayloadKeyError(`A payload is encrypted under the key "${id}", which is not given.`);
  try {
    return PayloadMessage.decode(decrypt(data ?? new Uint8Array(), key, boundTo(id)));
  } catch {
    throw new PayloadKeyError(`A payload under the key "${id}" was changed, or that key has another value here.`);
  }
}

function boundTo(id: string): string {
  return `${ENCRYPTED}:${id}`;
}

function textOf(bytes: Uint8Array | null | undefined): string {
  return Buffer.from(bytes ?? []).toString();
}
