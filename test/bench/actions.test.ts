// The rules for counting actions, on small hand-made histories.
import test from 'ava';
import { countActions, EVENT_TYPES, eventsFromUpdate, type HistoryEvent } from '../../bench/actions.ts';

const WORKFLOW_TASK_COMPLETED = 7;

const event = (eventType: number, attributes: Partial<HistoryEvent> = {}): HistoryEvent => ({
  eventType,
  ...attributes,
});
const update = (name: string) =>
  event(EVENT_TYPES.workflowExecutionUpdateAccepted, {
    workflowExecutionUpdateAcceptedEventAttributes: { acceptedRequest: { input: { name } } },
  });
const marker = (markerName: string, workflowTaskCompletedEventId: number) =>
  event(EVENT_TYPES.markerRecorded, { markerRecordedEventAttributes: { markerName, workflowTaskCompletedEventId } });

test('all local activities of one workflow task are one action, those of another task one more', (t) => {
  const { total, by } = countActions([
    marker('core_local_activity', 4),
    marker('core_local_activity', 4),
    marker('core_local_activity', 9),
    marker('core_patch', 9),
  ]);
  t.deepEqual(by, { 'local activities': 2 });
  t.is(total, 2);
});

test('a child workflow is two actions, counted where it was requested', (t) => {
  const parent = countActions([event(EVENT_TYPES.startChildWorkflowExecutionInitiated)]);
  const child = countActions([
    event(EVENT_TYPES.workflowExecutionStarted, {
      workflowExecutionStartedEventAttributes: { parentWorkflowExecution: { workflowId: 'submission/o/s' } },
    }),
  ]);
  t.is(parent.total, 2);
  t.is(child.total, 0);
});

test('a start, an update, a timer, a signal, an activity with two retries and an upsert cost one each, and the retries too', (t) => {
  const { total, by } = countActions([
    event(EVENT_TYPES.workflowExecutionStarted, { workflowExecutionStartedEventAttributes: {} }),
    update('bind'),
    event(EVENT_TYPES.timerStarted),
    event(EVENT_TYPES.workflowExecutionSignaled),
    event(EVENT_TYPES.activityTaskScheduled),
    event(EVENT_TYPES.activityTaskStarted, { activityTaskStartedEventAttributes: { attempt: 3 } }),
    event(EVENT_TYPES.upsertWorkflowSearchAttributes),
    event(WORKFLOW_TASK_COMPLETED),
  ]);
  t.deepEqual(by, {
    start: 1,
    update: 1,
    timer: 1,
    signal: 1,
    activity: 1,
    'activity retry': 2,
    'search attributes': 1,
  });
  t.is(total, 8);
});

test('actions before the named update are not part of its count', (t) => {
  const events = [event(EVENT_TYPES.timerStarted), update('quote'), update('bind'), event(EVENT_TYPES.timerStarted)];
  t.is(countActions(eventsFromUpdate(events, 'bind')).total, 2);
  t.deepEqual(eventsFromUpdate(events, 'withdraw'), []);
});
