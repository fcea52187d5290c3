// Mail out: the port, and which adapter the configuration asks for.
import { join } from 'node:path';
import { writeMailFiles } from './mail-files.ts';
import { sendMailBySmtp } from './mail-smtp.ts';

export interface Mail {
  to: string;
  subject: string;
  /** Plain text; lines end in `\n`. */
  text: string;
  /** Without brackets; the same for every attempt at a mail. By default each has another. */
  messageId?: string;
}

export interface MailPort {
  /** Hands a mail over. @throws Error when it could not be */
  send(mail: Mail): Promise<void>;
  close(): Promise<void>;
}

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
