// Outgoing e-mail, as the rest of the code sees it.

export interface Mail {
  to: string;
  subject: string;
  /** Plain text; lines end in `\n`. */
  text: string;
  /** Without brackets; the same for every attempt to send an e-mail. By default each has its own. */
  messageId?: string;
}

/** No attempt will ever deliver an e-mail. Does not repeat the server's reply, which quotes the recipient. */
export class MailRefused extends Error {
  override name = 'MailRefused';
  /** Whether no other e-mail would reach the address either. */
  readonly isAddressDead: boolean;

  constructor(message: string, { isAddressDead }: { isAddressDead: boolean }) {
    super(message);
    this.isAddressDead = isAddressDead;
  }
}

export interface MailPort {
  /**
   * Sends an e-mail. Returns the email provider's id for it, or null if it went another way. Error messages spread
   * widely, so they identify no one.
   * @throws MailRefused if no later attempt can succeed
   * @throws Error if a later attempt may succeed
   */
  send(mail: Mail): Promise<string | null>;
  close(): Promise<void>;
}
