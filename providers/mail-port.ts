// Outgoing e-mail, as the rest of the code sees it.

export interface Mail {
  to: string;
  subject: string;
  /** Plain text; lines end in `\n`. */
  text: string;
  /** Without brackets; the same for every attempt to send an e-mail. By default each has its own. */
  messageId?: string;
}

export interface MailPort {
  /**
   * Sends an e-mail. Gives the id by which the email provider will speak of it, or null where it went another way.
   * @throws Error when that failed
   */
  send(mail: Mail): Promise<string | null>;
  close(): Promise<void>;
}
