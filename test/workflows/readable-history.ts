// A history as Temporal stores it, made readable: payloads decrypted, failures with their message in its place. Leaves
// out what identifies the machine: who polled (`123@host`), and the paths in stack traces. Replay reads neither.
import { recode, type WirePayload } from '../../providers/payload-wire.ts';
import { payloadCodecs } from '../../providers/temporal.ts';
import { payloadKeys } from '../support/payload-keys.ts';

const LEFT_OUT = new Set(['identity', 'stackTrace']);

/** Makes a history readable, parsed from the SDK's JSON and recorded under the tests' key. */
export async function readableHistory(value: unknown): Promise<unknown> {
  if (typeof value === 'string') return value.replace(/^\d+@.+$/, 'worker');
  if (Array.isArray(value)) return Promise.all(value.map(readableHistory));
  if (typeof value !== 'object' || value === null) return value;
  if (isPayload(value)) return (await recode([value], payloadCodecs(payloadKeys), 'decode'))[0];
  const { encodedAttributes, ...rest } = value as { encodedAttributes?: WirePayload };
  const restored = encodedAttributes ? { ...rest, ...(await failureText(encodedAttributes)) } : rest;
  const kept = Object.entries(restored).filter(([key]) => !LEFT_OUT.has(key));
  return Object.fromEntries(await Promise.all(kept.map(async ([key, inner]) => [key, await readableHistory(inner)])));
}

function isPayload(value: object): value is WirePayload {
  return 'metadata' in value && typeof value.metadata === 'object' && 'encoding' in (value.metadata ?? {});
}

async function failureText(encodedAttributes: WirePayload): Promise<{ message: string }> {
  const payload = (await readableHistory(encodedAttributes)) as WirePayload;
  const { message } = JSON.parse(Buffer.from(payload.data ?? '', 'base64').toString()) as { message: string };
  return { message };
}
