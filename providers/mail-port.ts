// Mail out, as the rest of the house sees it.

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
