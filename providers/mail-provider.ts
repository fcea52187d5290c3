// Sends mail through the HTTP API of the email provider. Bounded, so that a hanging provider holds nothing up; the same
// e-mail sent twice goes out once.
import { type MailPort, MailRefused } from './mail-port.ts';

const TIMEOUT_MS = 20_000;
/** The provider cannot read the e-mail or its recipient, and never will. */
const UNPROCESSABLE = 422;

export interface MailProviderOptions {
  apiKey: string;
  /** Origin, without a path. */
  baseUrl: string;
  from: string;
}

/** Builds the adapter; nothing connects before the first mail. */
export function sendMailByProvider({ apiKey, baseUrl, from }: MailProviderOptions): MailPort {
  const url = new URL('/emails', baseUrl);
  return {
    send: async ({ to, subject, text, messageId }) => {
      const response = await fetch(url, {
        method: 'POST',
        redirect: 'error',
        signal: AbortSignal.timeout(TIMEOUT_MS),
        headers: {
          authorization: `Bearer ${apiKey}`,
          'content-type': 'application/json',
          ...(messageId === undefined ? {} : { 'idempotency-key': messageId }),
        },
        body: JSON.stringify({
          ...{ from, to: [to], subject, text },
          ...(messageId === undefined ? {} : { headers: { 'Message-ID': `<${messageId}>` } }),
        }),
      });
      // Its text may quote the recipient, and error messages spread widely.
      const { status } = response;
      if (status === UNPROCESSABLE) throw new MailRefused('The email provider answered 422.', { isAddressDead: false });
      if (!response.ok) throw new Error(`The email provider answered ${status}.`);
      return idIn(await response.json());
    },
    close: async () => {},
  };
}

function idIn(answer: unknown): string | null {
  const id = (answer as { id?: unknown } | null)?.id;
  return typeof id === 'string' && /^[\w-]{1,255}$/.test(id) ? id : null;
}
