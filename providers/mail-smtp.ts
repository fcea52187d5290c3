// Sends mail through an SMTP server. Bounded, so that a hanging server holds nothing up.
import { createTransport } from 'nodemailer';
import type { MailPort } from './mail-port.ts';
import { smtpFailure } from './mail-smtp-failure.ts';

const CONNECT_TIMEOUT_MS = 10_000;
const IDLE_TIMEOUT_MS = 20_000;

/** Builds the adapter; nothing connects before the first mail. `url` is smtp:// or smtps:// with credentials. */
export function sendMailBySmtp({ url, from }: { url: string; from: string }): MailPort {
  const transport = createTransport({
    url,
    pool: true,
    maxConnections: 3,
    connectionTimeout: CONNECT_TIMEOUT_MS,
    greetingTimeout: CONNECT_TIMEOUT_MS,
    socketTimeout: IDLE_TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    send: async ({ to, ...mail }) => {
      const message = { from, to: { name: '', address: to }, ...mail };
      await transport.sendMail(message).catch((error: unknown) => Promise.reject(smtpFailure(error)));
      return null;
    },
    close: async () => transport.close(),
  };
}
