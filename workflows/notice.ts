/**
 * One e-mail to the insured of a policy, retried until it is sent: a mail server that is down holds up neither the
 * policy nor its commands. After a week an alert is raised, and an operator retries it or posts the notice. The
 * activity reads the recipient and the text, so that nothing personal enters a history.
 */
import { proxyLocalActivities } from '@temporalio/workflow';
import type { Activities } from '../activities/create-activities.ts';
import type { NoticeWorkflowInput } from '../contracts/notice.ts';
import { MAILING, ONE_TRANSACTION } from './machinery/options.ts';
import { activitiesOn } from './machinery/queues.ts';
import { Saga } from './machinery/saga.ts';

const { leaveNoticeOut } = proxyLocalActivities<Activities>(ONE_TRANSACTION);
const { sendNotice } = activitiesOn('outside', MAILING);

export async function noticeWorkflow(notice: NoticeWorkflowInput): Promise<void> {
  const { orgId, policyId, kind, on } = notice;
  const saga = new Saga({ orgId, entityId: policyId }, 'policy');
  saga.entitle(`${kind} of ${on}`);
  let outcome: string | null = null;
  const isDone = await saga.step('notice', async () => {
    outcome = await sendNotice(notice);
  });
  if (!isDone) await saga.step('end of the notice', () => leaveNoticeOut(notice));
  await saga.close();
  if (outcome !== null) saga.show(outcome);
}
