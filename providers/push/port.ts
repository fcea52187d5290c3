// Push notifications, as the rest of the code sees the service that delivers them.

export interface PushMessage {
  /** The service's token for the device. */
  token: string;
  title: string;
  body: string;
  /** What the app should open. */
  data: Readonly<Record<string, string>>;
  /** The same for every attempt: a device that receives a message twice shows it once. */
  tag: string;
}

/**
 * How a message ended. `gone`: the service no longer knows the device. `refused`: it will never take the message.
 * `later`: the outcome is unknown or the message should be retried, after the given seconds if the service states
 * them.
 */
export type PushOutcome = { kind: 'sent' | 'gone' | 'refused' } | { kind: 'later'; afterSeconds: number | null };

export interface PushService {
  /** Sends a message once. Never throws. */
  send(message: PushMessage): Promise<PushOutcome>;
}
