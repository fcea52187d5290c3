/** Real-time schedules: registered when a worker starts, updated in place if a definition has changed. */
import { Client, ScheduleAlreadyRunning, type ScheduleOptions, ScheduleOverlapPolicy } from '@temporalio/client';
import type { NativeConnection } from '@temporalio/worker';
import { readable } from '../contracts/machinery/data-converter.ts';
import { PRIORITY } from '../contracts/machinery/queues.ts';
import { WORKFLOW_TYPES } from '../contracts/machinery/start.ts';
import { dataConverter, type TemporalSettings } from '../providers/temporal.ts';

export interface SchedulesOptions {
  connection: NativeConnection;
  namespace: string;
  /** Payload encryption keys; with none, payloads are stored as they are. */
  payloadKeys: TemporalSettings['payloadKeys'];
  /** The batch queue. */
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
    daily('trust-reconciliation', [6, 0], '1 day', {
      workflowType: WORKFLOW_TYPES.trustReconciliation,
      summary: 'Daily trust reconciliation',
    }),
    daily('healing', [5, 30], '1 day', {
      workflowType: WORKFLOW_TYPES.healing,
      summary: 'Workflows that were lost are started from their rows',
    }),
    daily('autopay', [9, 0], '12 hours', {
      workflowType: WORKFLOW_TYPES.autopaySweep,
      summary: 'Daily charges to the cards of insureds',
    }),
    daily('auto-renewal', [6, 30], '12 hours', {
      workflowType: WORKFLOW_TYPES.renewalSweep,
      summary: 'Daily renewal of the policies that expire soon',
    }),
    daily('compliance-sweep', [7, 0], '1 day', {
      workflowType: WORKFLOW_TYPES.complianceSweep,
      summary: 'Daily announcement of the filings that fall due',
    }),
    daily('bordereau-sweep', [8, 0], '1 day', {
      workflowType: WORKFLOW_TYPES.bordereauSweep,
      summary: 'Bordereaux of the months that are over, for the carriers',
    }),
  ].map(({ action, ...schedule }) => ({ ...schedule, action: { ...action, taskQueue } }));
}

/** What a schedule starts. */
interface Scheduled {
  workflowType: string;
  summary: string;
}

/** One run a day, UTC. A run missed while the server was down is made up within `catchupWindow`. */
function daily(
  scheduleId: string,
  [hour, minute]: [number, number],
  catchupWindow: '1 day' | '12 hours',
  { workflowType, summary }: Scheduled,
) {
  return {
    scheduleId,
    spec: { calendars: [{ hour, minute, comment: 'daily, UTC' }] },
    policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow },
    action: {
      type: 'startWorkflow' as const,
      workflowType,
      // The server appends the scheduled time.
      workflowId: scheduleId,
      args: [{}],
      priority: { priorityKey: PRIORITY.batch },
      staticSummary: readable(summary),
    },
  };
}
