// Picks the mail adapter by configuration.
import { join } from 'node:path';
import { writeMailFiles } from './mail-files.ts';
import type { MailPort } from './mail-port.ts';
import { sendMailByProvider } from './mail-provider.ts';
import { sendMailBySmtp } from './mail-smtp.ts';

export interface MailSettings {
  smtpUrl: string | null;
  /** The email provider's HTTP API, used if no mail server is configured. */
  emailProvider: { apiKey: string | null; baseUrl: string };
  mailFrom: string;
  /** Absolute. */
  dataDir: string;
}

/** Builds the adapter: SMTP if an address is set, the email provider if a key is, otherwise files. */
export function createMail({ smtpUrl, emailProvider, mailFrom, dataDir }: MailSettings): MailPort {
  if (smtpUrl !== null) return sendMailBySmtp({ url: smtpUrl, from: mailFrom });
  const { apiKey, baseUrl } = emailProvider;
  if (apiKey !== null) return sendMailByProvider({ apiKey, baseUrl, from: mailFrom });
  return writeMailFiles({ folder: join(dataDir, 'mail'), from: mailFrom });
}
