// The invitation e-mail to a new user, and whether it went out.
import { setTimeout as delay } from 'node:timers/promises';
import type { ApiConfig } from '../../../config.ts';
import type { Mail } from '../../../providers/mail-port.ts';

/** Our choice; the specification leaves it open. */
export const INVITATION_LIFETIME_SECONDS = 7 * 86_400;

/** Our choice: a healthy mail server accepts an e-mail within a second. */
const WAIT_MS = 3_000;

/** Returns whether an e-mail was accepted within the wait; one accepted later counts as not sent. */
export async function wasSent(sending: Promise<unknown>): Promise<boolean> {
  const giveUp = new AbortController();
  const sent = sending.then(
    () => true,
    () => false,
  );
  const late = delay(WAIT_MS, false, { signal: giveUp.signal }).catch(() => false);
  return Promise.race([sent, late]).finally(() => giveUp.abort());
}

/** An invitation to write; `inviter` is null if the inviter has no name on file. */
export interface Invitation {
  email: string;
  organization: string;
  inviter: string | null;
  token: string;
}

/** Writes the invitation. */
export function invitationMail({ authUrl }: Pick<ApiConfig, 'authUrl'>, invitation: Invitation): Mail {
  const { email, organization, inviter, token } = invitation;
  const subject = `You have been invited to ${organization} on Bindery`;
  const text = [
    inviter === null ? `${subject}.` : `${inviter} has invited you to ${organization} on Bindery.`,
    'To accept, use the token below. It works once, within seven days. To decline, ignore this message.',
    '',
    `To accept by setting a password (your first or a new one), send {"token": "...", "newPassword": "..."} as JSON to`,
    `${authUrl}/api/auth/reset-password`,
    `To accept while signed in with this address, send {"token": "..."} to ${authUrl}/api/auth/accept-invitation`,
    `To accept with Microsoft, add invitation=<token> to ${authUrl}/api/auth/sign-in/microsoft?callbackURL=<your portal>`,
    '',
    `Token: ${token}`,
    '',
  ];
  return { to: email, subject, text: text.join('\n') };
}
