/**
 * One verified email provider event, on its own queue: no one waits for it. An event may arrive before its e-mail is
 * recorded, so one that finds no e-mail looks once more.
 */
import { proxyLocalActivities, setCurrentDetails, sleep, upsertSearchAttributes } from '@temporalio/workflow';
import type { Activities } from '../../activities/create-activities.ts';
import type { EmailEvent, EmailOutcome } from '../../contracts/inbound.ts';
import { SEARCH_ATTRIBUTES } from '../../contracts/machinery/search-attributes.ts';
import { ONE_TRANSACTION } from '../machinery/options.ts';

const LOOK_AGAIN_AFTER = '10 seconds';

const { recordEmailEvent } = proxyLocalActivities<Activities>(ONE_TRANSACTION);

export async function emailEventWorkflow(event: EmailEvent): Promise<EmailOutcome> {
  let recorded = await recordEmailEvent(event);
  if (recorded.orgId === null && isAboutMail(event)) {
    setCurrentDetails(`${event.type}: its e-mail is not recorded yet, if it is one of a notice`);
    await sleep(LOOK_AGAIN_AFTER);
    recorded = await recordEmailEvent(event);
  }
  const { outcome, orgId } = recorded;
  setCurrentDetails(`${event.type}: **${outcome}**`);
  if (orgId !== null) upsertSearchAttributes([{ key: SEARCH_ATTRIBUTES.orgId, value: orgId }]);
  return outcome;
}

function isAboutMail({ emailId, headerId }: EmailEvent): boolean {
  return emailId !== null || headerId !== null;
}
