// Whether a caller waits for the document that an activity makes: its priority says so.
import { activityInfo } from '@temporalio/activity';
import { PRIORITY } from '../../contracts/machinery/queues.ts';

export function isAwaited(): boolean {
  return activityInfo().priority?.priorityKey !== PRIORITY.batch;
}
