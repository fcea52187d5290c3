// One attempt to deliver an event whose header carries the time and an HMAC-SHA256 of `<time>.<body>`.
import { createHmac } from 'node:crypto';

const ANSWER_TIMEOUT_MS = 20_000;

export interface SignedEvent {
  endpoint: string;
  secret: string;
  event: object;
  /** Where and how the provider writes the Unix time in seconds and the signature in hex. */
  header: { name: string; value: (sentAt: number, signature: string) => string };
}

/** Posts the event. Returns the response status, or null if there was no response. */
export async function deliverSigned({ endpoint, secret, event, header }: SignedEvent): Promise<number | null> {
  const body = JSON.stringify(event);
  const sentAt = Math.floor(Date.now() / 1_000);
  const signature = createHmac('sha256', secret).update(`${sentAt}.${body}`).digest('hex');
  const response = await fetch(endpoint, {
    method: 'POST',
    headers: { 'content-type': 'application/json', [header.name]: header.value(sentAt, signature) },
    ...{ body, signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS) },
  }).catch(() => null);
  await response?.arrayBuffer();
  return response?.status ?? null;
}
