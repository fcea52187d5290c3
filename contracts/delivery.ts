// The delivery of events to a subscription: the workflow's input, its signal, and the result of its activity.
import { defineSignal } from '@temporalio/workflow';

/** One workflow for each subscription, as long as deliveries wait. */
export interface EventDeliveryInput {
  orgId: string;
  webhookId: string;
}

/** More events wait for the subscription. */
export const eventsWaitingSignal = defineSignal('eventsWaiting');

/** False when there is more to send: the activity has ended to make room for others. */
export interface DeliveredSome {
  isDone: boolean;
  sent: number;
}
