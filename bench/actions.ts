// Counts what Temporal Cloud would bill as Actions, from the events of a history.
// Rules: https://docs.temporal.io/cloud/actions

/** The part of a history event that the count needs; both `historyFromJSON` and `fetchHistory` return it. */
export interface HistoryEvent {
  eventId?: unknown;
  eventType?: number | null;
  workflowExecutionStartedEventAttributes?: { parentWorkflowExecution?: unknown } | null;
  activityTaskStartedEventAttributes?: { attempt?: number | null } | null;
  markerRecordedEventAttributes?: { markerName?: string | null; workflowTaskCompletedEventId?: unknown } | null;
  workflowExecutionUpdateAcceptedEventAttributes?: {
    acceptedRequest?: { input?: { name?: string | null } | null } | null;
  } | null;
}

export interface ActionCount {
  total: number;
  /** What the actions were spent on, e.g. `{update: 1, timer: 1}`. */
  by: Record<string, number>;
}

/** The values of `temporal.api.enums.v1.EventType` that cost something or reveal a cost. */
export const EVENT_TYPES = {
  workflowExecutionStarted: 1,
  activityTaskScheduled: 10,
  activityTaskStarted: 11,
  timerStarted: 17,
  markerRecorded: 25,
  workflowExecutionSignaled: 26,
  startChildWorkflowExecutionInitiated: 29,
  upsertWorkflowSearchAttributes: 40,
  workflowExecutionUpdateAccepted: 41,
  nexusOperationScheduled: 48,
} as const;

const LOCAL_ACTIVITY = 'core_local_activity';

/** Names and counts the actions in the events, which may be only part of a history. */
export function countActions(events: readonly HistoryEvent[]): ActionCount {
  const by: Record<string, number> = {};
  const tasksWithLocalActivities = new Set<string>();
  for (const event of events) {
    const marker = event.markerRecordedEventAttributes;
    if (marker?.markerName === LOCAL_ACTIVITY) {
      // All local activities of one workflow task are one action.
      const task = String(marker.workflowTaskCompletedEventId);
      if (tasksWithLocalActivities.has(task)) continue;
      tasksWithLocalActivities.add(task);
    }
    const [name, count] = costOf(event);
    if (count > 0) by[name] = (by[name] ?? 0) + count;
  }
  return { total: Object.values(by).reduce((sum, count) => sum + count, 0), by };
}

/** The events from the acceptance of the update `name` on; empty if it was not accepted. */
export function eventsFromUpdate(events: readonly HistoryEvent[], name: string): HistoryEvent[] {
  const first = events.findIndex(
    (event) => event.workflowExecutionUpdateAcceptedEventAttributes?.acceptedRequest?.input?.name === name,
  );
  return first < 0 ? [] : events.slice(first);
}

function costOf(event: HistoryEvent): [name: string, count: number] {
  switch (event.eventType) {
    case EVENT_TYPES.workflowExecutionStarted:
      // A child's start is counted in the workflow that requested it.
      return ['start', event.workflowExecutionStartedEventAttributes?.parentWorkflowExecution ? 0 : 1];
    case EVENT_TYPES.startChildWorkflowExecutionInitiated:
      return ['child workflow', 2];
    case EVENT_TYPES.activityTaskScheduled:
      return ['activity', 1];
    case EVENT_TYPES.activityTaskStarted:
      return ['activity retry', (event.activityTaskStartedEventAttributes?.attempt ?? 1) - 1];
    case EVENT_TYPES.timerStarted:
      return ['timer', 1];
    case EVENT_TYPES.markerRecorded:
      return ['local activities', event.markerRecordedEventAttributes?.markerName === LOCAL_ACTIVITY ? 1 : 0];
    case EVENT_TYPES.workflowExecutionSignaled:
      return ['signal', 1];
    case EVENT_TYPES.upsertWorkflowSearchAttributes:
      return ['search attributes', 1];
    case EVENT_TYPES.workflowExecutionUpdateAccepted:
      return ['update', 1];
    case EVENT_TYPES.nexusOperationScheduled:
      return ['nexus operation', 1];
    default:
      return ['free', 0];
  }
}
