/**
 * Schedules by real time: registered when a worker starts, updated in place when a definition has changed.
 */
import { Client, ScheduleAlreadyRunning, type ScheduleOptions, ScheduleOverlapPolicy } from '@temporalio/client';
import type { NativeConnection } from '@temporalio/worker';
import { readable } from '../contracts/data-converter.ts';
import { WORKFLOW_TYPES } from '../contracts/start.ts';
import { dataConverter, type TemporalSettings } from '../providers/temporal.ts';

export interface SchedulesOptions {
  connection: NativeConnection;
  namespace: string;
  /** Keys of the payloads; with none they are stored as they are. */
  payloadKeys: TemporalSettings['payloadKeys'];
  /** The queue of batches. */
  taskQueue: string;
  /** Separates the schedules of installations and tests that share a namespace. */
  prefix?: string;
}

/** Creates or updates every schedule as defined here. Safe to run from several workers at the same time. */
export async function ensureSchedules({
  connection,
  namespace,
  payloadKeys,
  taskQueue,
  prefix = '',
}: SchedulesOptions): Promise<void> {
  const { schedule } = new Client({ connection, namespace, dataConverter: dataConverter({ payloadKeys }) });
  for (const definition of definitions(taskQueue)) {
    const options = {
      ...definition,
      scheduleId: prefix === '' ? definition.scheduleId : `${prefix}-${definition.scheduleId}`,
    };
    try {
      await schedule.create(options);
    } catch (error) {
      if (!(error instanceof ScheduleAlreadyRunning)) throw error;
      const { spec, policies, action } = options;
      await schedule.getHandle(options.scheduleId).update((current) => ({ ...current, spec, policies, action }));
    }
  }
}

function definitions(taskQueue: string): (ScheduleOptions & { policies: object })[] {
  return [
    {
      scheduleId: 'trust-reconciliation',
      spec: { calendars: [{ hour: 6, minute: 0, comment: 'daily, UTC' }] },
      policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: '1 day' },
      action: {
        type: 'startWorkflow',
        workflowType: WORKFLOW_TYPES.trustReconciliation,
        // The server appends the scheduled time.
        workflowId: 'trust-reconciliation',
        taskQueue,
        args: [{}],
        staticSummary: readable('Daily trust reconciliation'),
      },
    },
    {
      scheduleId: 'healing',
      spec: { calendars: [{ hour: 5, minute: 30, comment: 'daily, UTC' }] },
      policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: '1 day' },
      action: {
        type: 'startWorkflow',
        workflowType: WORKFLOW_TYPES.healing,
        workflowId: 'healing',
        taskQueue,
        args: [{}],
        staticSummary: 'Workflows that were lost are started from their rows',
      },
    },
    {
      scheduleId: 'auto-renewal',
      spec: { calendars: [{ hour: 6, minute: 30, comment: 'daily, UTC' }] },
      policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: '12 hours' },
      action: {
        type: 'startWorkflow',
        workflowType: WORKFLOW_TYPES.renewalSweep,
        workflowId: 'auto-renewal',
        taskQueue,
        args: [{}],
        staticSummary: readable('Daily renewal of the policies that expire soon'),
      },
    },
  ];
}
