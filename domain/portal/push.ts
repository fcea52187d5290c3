// Notifications on the devices of insureds: their kinds, their texts, and when a failed one is retried. Contract 3.7
// "Portal".

/** The platforms of devices. */
export const PUSH_PLATFORMS = ['ios', 'android', 'web'] as const;
export type PushPlatform = (typeof PUSH_PLATFORMS)[number];

/** The maximum length of a device token; push services use a few hundred characters. */
export const PUSH_TOKEN_MAX_CHARACTERS = 2_000;

/** The events that devices are notified of. */
export type PushKind = 'payment_due' | 'payment_failed' | 'claim_moved' | 'document_ready';

/** `dropped`: not wanted or too old; `refused`: the push service will not accept it. */
export type PushNoticeStatus = 'pending' | 'sent' | 'dropped' | 'refused';

/** A bill is announced this many days before it is due. */
export const PAYMENT_DUE_DAYS = 3;

/** A notification a day old is no longer news. */
export const PUSH_NOTICE_HOURS = 24;

const TEXTS: Readonly<Record<PushKind, { title: string; body: string }>> = {
  payment_due: { title: 'Payment due soon', body: 'You have a payment due in the next few days.' },
  payment_failed: {
    title: 'Payment failed',
    body: 'One of your payments did not go through. Open the app for details.',
  },
  claim_moved: { title: 'Claim update', body: 'The status of one of your claims has changed.' },
  document_ready: { title: 'New document', body: 'A document is ready for you.' },
};

/** The text that a device shows. Others may see the screen, so it names no person, amount or policy. */
export function pushText(kind: PushKind): { title: string; body: string } {
  return TEXTS[kind];
}

const FIRST_PAUSE_SECONDS = 30;
const LONGEST_PAUSE_SECONDS = 3_600;

/**
 * Seconds until the next attempt after a number of attempts. The push service may request a longer pause; no pause
 * exceeds an hour.
 */
export function pushPauseSeconds(attempts: number, wantedSeconds: number | null = null): number {
  const ours = FIRST_PAUSE_SECONDS * 2 ** Math.min(attempts - 1, 10);
  return Math.min(Math.max(ours, wantedSeconds ?? 0), LONGEST_PAUSE_SECONDS);
}
