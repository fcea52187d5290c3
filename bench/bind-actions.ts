// What one bind costs in Actions, counted from the histories of the submission's and the policy's workflows.

import { policyWorkflowId, submissionWorkflowId } from '../contracts/machinery/start.ts';
import { eventually } from '../test/support/eventually.ts';
import { countActions, EVENT_TYPES, eventsFromUpdate, type HistoryEvent } from './actions.ts';
import type { Setting } from './setting.ts';
import { bind, quotedSubmissions } from './submissions.ts';
import type { Comparison } from './table.ts';

const WORKFLOW_COMPLETED = 2;
const MOST = 4;

/**
 * Binds one policy and counts from the acceptance of the bind; by then the policy's workflow has started and is
 * asleep.
 */
export async function countBindActions(setting: Setting): Promise<Comparison> {
  const organization = await setting.createOrganization('One Bind');
  const [quoted] = await quotedSubmissions(setting, organization, 1);
  const submissionId = quoted?.submissionId ?? '';
  const { policyId } = await bind(setting, await organization.authorization(), submissionId);
  const policyWorkflow = policyWorkflowId(organization.id, policyId);
  const policy = await historyWith(setting, policyWorkflow, EVENT_TYPES.workflowExecutionStarted);
  const submission = await historyWith(
    setting,
    submissionWorkflowId(organization.id, submissionId),
    WORKFLOW_COMPLETED,
  );
  const counts = [countActions(eventsFromUpdate(submission, 'bind')), countActions(policy)];
  const parts = counts.map(({ by }) =>
    Object.entries(by)
      .map(([name, count]) => `${name} ${count}`)
      .join(', '),
  );
  return {
    title: `Actions of one bind (submission: ${parts[0]}; policy: ${parts[1]})`,
    lines: [],
    verdicts: [{ what: 'actions', value: counts.reduce((sum, { total }) => sum + total, 0), aim: { most: MOST } }],
  };
}

/** A workflow's history, as soon as it has an event of this type. */
function historyWith({ temporal }: Setting, workflowId: string, eventType: number): Promise<HistoryEvent[]> {
  return eventually(
    async () => {
      const history = temporal.workflow.getHandle(workflowId).fetchHistory();
      const { events } = await history.catch(() => ({ events: [] }));
      return events?.some((event) => event.eventType === eventType) ? (events as HistoryEvent[]) : null;
    },
    { what: `${workflowId} to come to rest` },
  );
}
