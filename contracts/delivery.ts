// The delivery of events to a subscription: the workflow's input, its signal, and the result of its activity.
import { defineSignal } from '@temporalio/workflow';

/** One workflow per subscription, as long as deliveries are waiting. */
export interface EventDeliveryInput {
  orgId: string;
  webhookId: string;
}

/** More events are waiting for the subscription. */
export const eventsWaitingSignal = defineSignal('eventsWaiting');

/** False if there is more to send: the activity ended early to make room for others. */
export interface DeliveredSome {
  isDone: boolean;
  sent: number;
}
