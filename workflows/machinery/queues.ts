/** Activities that run on a different queue from the workflow that calls them. */
import { type ActivityInterfaceFor, type ActivityOptions, proxyActivities, workflowInfo } from '@temporalio/workflow';
import type { Activities } from '../../activities/create-activities.ts';
import { type QueueName, queueBeside } from '../../contracts/machinery/queues.ts';

/** The activities, called on the queue for that purpose in this workflow's installation. */
export function activitiesOn(queue: QueueName, options: ActivityOptions): ActivityInterfaceFor<Activities> {
  // The queue's name is known only while a workflow runs, so each call makes its own proxy.
  const call = (name: keyof Activities, args: unknown[]) => {
    const taskQueue = queueBeside(workflowInfo().taskQueue, queue);
    const activities = proxyActivities<Activities>({ ...options, taskQueue });
    return (activities[name] as (...args: unknown[]) => Promise<unknown>)(...args);
  };
  const get =
    (_: object, name: string) =>
    (...args: unknown[]) =>
      call(name as keyof Activities, args);
  return new Proxy({}, { get }) as ActivityInterfaceFor<Activities>;
}
