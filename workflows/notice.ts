/**
 * One e-mail to the insured of a policy, retried until it is sent: a mail server that is down holds up neither the
 * policy nor its commands. After a week an alert is raised, and an operator retries it or posts the notice. The
 * activity reads the recipient and the text, so that nothing personal enters a history.
 */
import type { NoticeWorkflowInput } from '../contracts/notice.ts';
import { MAILING } from './machinery/options.ts';
import { activitiesOn } from './machinery/queues.ts';
import { Saga } from './machinery/saga.ts';

const { sendNotice } = activitiesOn('outside', MAILING);

export async function noticeWorkflow(notice: NoticeWorkflowInput): Promise<void> {
  const { orgId, policyId, kind, on } = notice;
  const saga = new Saga({ orgId, entityId: policyId }, 'policy');
  saga.entitle(`${kind} of ${on}`);
  let outcome: string | null = null;
  await saga.step('notice', async () => {
    outcome = await sendNotice(notice);
  });
  await saga.close();
  if (outcome !== null) saga.show(outcome);
}
