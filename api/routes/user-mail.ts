// The invitation that a new user is mailed.
import type { ApiConfig } from '../../config.ts';
import type { Mail } from '../../providers/mail.ts';

/** Our choice, the specification leaves it open. */
export const INVITATION_LIFETIME_SECONDS = 7 * 86_400;

/** Writes the invitation. */
export function invitationMail({ authUrl }: Pick<ApiConfig, 'authUrl'>, email: string, token: string): Mail {
  const text = [
    'You were invited to Bindery. Set your password to come in:',
    '',
    `Send this token with the password to ${authUrl}/api/auth/reset-password`,
    'as JSON: {"token": "...", "newPassword": "..."}. It is good once and for seven days.',
    'If your organization signs in with Microsoft, do that instead.',
    '',
    `Token: ${token}`,
    '',
  ];
  return { to: email, subject: 'You were invited to Bindery', text: text.join('\n') };
}
