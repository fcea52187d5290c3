/** Hands an e-mail to the mail server or email provider. A permanent refusal counts as a bounce. */
import type { EntityManager } from '@mikro-orm/postgresql';
import { rememberUndeliverable } from '../../db/queries/delivery/sent-mails.ts';
import { type Mail, MailRefused } from '../../providers/mail-port.ts';
import type { Deps } from '../context.ts';

/** `providerId` is null if the e-mail went another way, or not at all. */
interface HandedOver {
  providerId: string | null;
  refusal: MailRefused | null;
}

export const NOT_SENT: HandedOver = { providerId: null, refusal: null };

/** @throws Error when a later attempt may succeed */
export async function handOver({ mail }: Deps, message: Mail): Promise<HandedOver> {
  try {
    return { providerId: await mail.send(message), refusal: null };
  } catch (error) {
    if (error instanceof MailRefused) return { providerId: null, refusal: error };
    throw error;
  }
}

/** Stops the organization's mail to a nonexistent address, in the caller's transaction. */
export async function rememberRefusal(
  em: EntityManager,
  { to: address, messageId }: { to: string; messageId: string },
  refusal: MailRefused | null,
): Promise<void> {
  if (refusal?.isAddressDead) await rememberUndeliverable(em, { address, reason: 'bounced', messageId });
}
