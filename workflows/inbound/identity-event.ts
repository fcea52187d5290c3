/**
 * One verified event from the identity verifier: one transaction records it. The verifier gets 200 once this has ended
 * and 500 if it failed; a redelivery then restarts it.
 */
import { proxyLocalActivities, setCurrentDetails, upsertSearchAttributes } from '@temporalio/workflow';
import type { Activities } from '../../activities/create-activities.ts';
import type { IdentityEventInput, IdentityOutcome } from '../../contracts/inbound.ts';
import { SEARCH_ATTRIBUTES } from '../../contracts/machinery/search-attributes.ts';
import { ONE_TRANSACTION } from '../machinery/options.ts';

const { recordIdentityEvent } = proxyLocalActivities<Activities>(ONE_TRANSACTION);

export async function identityEventWorkflow({ event }: IdentityEventInput): Promise<IdentityOutcome> {
  const { outcome, orgId } = await recordIdentityEvent(event);
  setCurrentDetails(`${event.type}: **${outcome}**`);
  if (orgId !== null) upsertSearchAttributes([{ key: SEARCH_ATTRIBUTES.orgId, value: orgId }]);
  return outcome;
}
