// Reconciles the trust repeatedly while insureds live on, instead of once a day: at any time, some money is between
// two of its steps.
import { setTimeout as delay } from 'node:timers/promises';
import { connectTemporal } from '../../api/engine/temporal.ts';
import { type Parts, TASK_QUEUE_PREFIX } from './parts.ts';

const SCHEDULE = `${TASK_QUEUE_PREFIX}-trust-reconciliation`;
const LOOK_EVERY_MS = 1_000;
const PATIENCE_MS = 5_000;

/** Triggers the daily reconciliation until the run is over; the account checks that there were some. */
export async function keepReconciling({ config }: Pick<Parts, 'config'>, isOver: () => boolean): Promise<void> {
  const { client, close } = await connectTemporal(config);
  const trust = client.schedule.getHandle(SCHEDULE);
  try {
    while (!isOver()) {
      // The server itself may be having its accident.
      await client.withDeadline(Date.now() + PATIENCE_MS, () => trust.trigger()).catch(() => {});
      await delay(LOOK_EVERY_MS);
    }
  } finally {
    await close();
  }
}
