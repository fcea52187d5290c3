// Picks the adapter of the mail port by the configuration.
import { join } from 'node:path';
import { writeMailFiles } from './mail-files.ts';
import type { MailPort } from './mail-port.ts';
import { sendMailBySmtp } from './mail-smtp.ts';

export interface MailSettings {
  smtpUrl: string | null;
  mailFrom: string;
  /** Absolute. */
  dataDir: string;
}

/** Builds the adapter: SMTP where an address is configured, otherwise files in the data folder. */
export function createMail({ smtpUrl, mailFrom, dataDir }: MailSettings): MailPort {
  if (smtpUrl !== null) return sendMailBySmtp({ url: smtpUrl, from: mailFrom });
  return writeMailFiles({ folder: join(dataDir, 'mail'), from: mailFrom });
}
