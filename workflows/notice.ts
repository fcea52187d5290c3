/**
 * One e-mail to the insured of a policy, retried until it is sent: a mail server that is down holds up neither the
 * policy nor its commands. The activity reads the recipient and the text, so that nothing personal enters a history.
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
