/**
 * Delivers one subscription's waiting events, in commit order, until none is left. One activity delivers many events:
 * what was sent, and the outcome, is stored in rows, not in a history.
 */
import { continueAsNew, setCurrentDetails, setHandler, workflowInfo } from '@temporalio/workflow';
import { type EventDeliveryInput, eventsWaitingSignal } from '../contracts/delivery.ts';
import { DELIVERING } from './machinery/options.ts';
import { activitiesOn } from './machinery/queues.ts';

const { deliverEvents } = activitiesOn('events', { ...DELIVERING, summary: 'deliveries to one receiver' });

/** Some 9 events each, so that histories stay short. */
const ROUNDS_OF_A_RUN = 200;

export async function eventDeliveryWorkflow(input: EventDeliveryInput): Promise<void> {
  let isWaiting = true;
  let sent = 0;
  setHandler(
    eventsWaitingSignal,
    () => {
      isWaiting = true;
    },
    { description: 'More events wait for this subscription.' },
  );
  for (let rounds = 0; isWaiting; rounds += 1) {
    if (rounds >= ROUNDS_OF_A_RUN || workflowInfo().continueAsNewSuggested) {
      await continueAsNew<typeof eventDeliveryWorkflow>(input);
    }
    isWaiting = false;
    const round = await deliverEvents(input);
    if (!round.isDone) isWaiting = true;
    sent += round.sent;
    setCurrentDetails(`${sent} sent`);
  }
}
