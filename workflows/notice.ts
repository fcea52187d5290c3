/**
 * One mail to the insured of a policy, sent until it is out: a mail server that is away keeps neither the policy nor its commands waiting. Who
 * it goes to and what it says is read by the activity, so that nothing personal stands in a history.
 */
import { proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import type { Activities } from '../activities/create-activities.ts';
import type { NoticeWorkflowInput } from './contracts.ts';
import { MAILING } from './options.ts';

const { sendNotice } = proxyActivities<Activities>(MAILING);

export async function noticeWorkflow(notice: NoticeWorkflowInput): Promise<void> {
  setCurrentDetails(`${notice.kind} of ${notice.on}: being sent`);
  const outcome = await sendNotice(notice);
  setCurrentDetails(`${notice.kind} of ${notice.on}: ${outcome}`);
}
