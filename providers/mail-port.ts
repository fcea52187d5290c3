// Outgoing e-mail, as the rest of the code sees it.

export interface Mail {
  to: string;
  subject: string;
  /** Plain text; lines end in `\n`. */
  text: string;
  /** Without brackets; the same for every attempt to send an e-mail. By default each has its own. */
  messageId?: string;
}

/** No attempt will ever deliver an e-mail. Repeats nothing of the server's reply, which quotes the recipient. */
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
   * Sends an e-mail. Gives the id by which the email provider will speak of it, or null where it went another way.
   * The message of an error goes far, so it names nobody.
   * @throws MailRefused when no later attempt can succeed
   * @throws Error when one may
   */
  send(mail: Mail): Promise<string | null>;
  close(): Promise<void>;
}
