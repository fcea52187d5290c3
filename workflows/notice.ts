/**
 * One mail to the insured of a policy, sent until it is out: a mail server that is away keeps neither the policy nor
 * its commands waiting. Who it goes to and what it says is read by the activity, so that nothing personal stands in a
 * history.
 */
import { setCurrentDetails } from '@temporalio/workflow';
import type { NoticeWorkflowInput } from '../contracts/notice.ts';
import { MAILING } from './machinery/options.ts';
import { activitiesOn } from './machinery/queues.ts';

const { sendNotice } = activitiesOn('outside', MAILING);

export async function noticeWorkflow(notice: NoticeWorkflowInput): Promise<void> {
  setCurrentDetails(`${notice.kind} of ${notice.on}: being sent`);
  const outcome = await sendNotice(notice);
  setCurrentDetails(`${notice.kind} of ${notice.on}: ${outcome}`);
}
