// Payloads as Temporal's web interface and CLI send them to a codec server: JSON, with every value in base64.
import type { Payload, PayloadCodec } from '@temporalio/common';

export interface WirePayload {
  metadata?: Readonly<Record<string, string>> | undefined;
  data?: string | null | undefined;
}

/** Runs payloads through the codecs. @throws PayloadKeyError */
export async function recode(
  wire: readonly WirePayload[],
  codecs: readonly PayloadCodec[],
  direction: 'encode' | 'decode',
): Promise<WirePayload[]> {
  let payloads = wire.map(fromWire);
  for (const codec of codecs) payloads = await codec[direction](payloads);
  return payloads.map(toWire);
}

function fromWire({ metadata = {}, data }: WirePayload): Payload {
  const entries = Object.entries(metadata).map(([name, value]) => [name, Buffer.from(value, 'base64')]);
  return { metadata: Object.fromEntries(entries), data: Buffer.from(data ?? '', 'base64') };
}

function toWire({ metadata, data }: Payload): WirePayload {
  const entries = Object.entries(metadata ?? {}).map(([name, value]) => [name, Buffer.from(value).toString('base64')]);
  return { metadata: Object.fromEntries(entries), data: Buffer.from(data ?? []).toString('base64') };
}
