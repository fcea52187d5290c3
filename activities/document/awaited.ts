// Whether a caller is waiting for the document an activity makes, judged by its priority.
import { activityInfo } from '@temporalio/activity';
import { PRIORITY } from '../../contracts/machinery/queues.ts';

export function isAwaited(): boolean {
  return activityInfo().priority?.priorityKey !== PRIORITY.batch;
}
