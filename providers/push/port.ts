// Notifications on devices, as the rest of the code sees the service that carries them.

export interface PushMessage {
  /** What the service knows the device by. */
  token: string;
  title: string;
  body: string;
  /** For the app: what to open. */
  data: Readonly<Record<string, string>>;
  /** The same for every attempt: a device that gets a message twice shows it once. */
  tag: string;
}

/**
 * How a message ended. `gone`: the service does not know the device any more. `refused`: it will never take the
 * message. `later`: nobody knows, or it is to be tried again, after so many seconds where the service says so.
 */
export type PushOutcome = { kind: 'sent' | 'gone' | 'refused' } | { kind: 'later'; afterSeconds: number | null };

export interface PushService {
  /** Sends a message once. Never throws. */
  send(message: PushMessage): Promise<PushOutcome>;
}
