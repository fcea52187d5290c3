/**
 * One verified event from the e-signature provider: one transaction records it, and the envelope's workflow reads its
 * row. The provider gets 200 once this has ended and 500 if it failed; a redelivery then restarts it.
 */
import { proxyLocalActivities, setCurrentDetails, upsertSearchAttributes } from '@temporalio/workflow';
import type { Activities } from '../../activities/create-activities.ts';
import type { SigningEventInput, SigningOutcome } from '../../contracts/inbound.ts';
import { SEARCH_ATTRIBUTES } from '../../contracts/machinery/search-attributes.ts';
import { signingEnvelopeWorkflowId } from '../../contracts/machinery/start.ts';
import { notifyRowChanged } from '../machinery/children.ts';
import { ONE_TRANSACTION } from '../machinery/options.ts';

const { recordSigningEvent } = proxyLocalActivities<Activities>(ONE_TRANSACTION);

export async function signingEventWorkflow({ event }: SigningEventInput): Promise<SigningOutcome> {
  const { outcome, orgId, envelopeId } = await recordSigningEvent(event);
  setCurrentDetails(`${event.type}: **${outcome}**`);
  if (orgId === null || envelopeId === null) return outcome;
  upsertSearchAttributes([{ key: SEARCH_ATTRIBUTES.orgId, value: orgId }]);
  await notifyRowChanged(signingEnvelopeWorkflowId(orgId, envelopeId));
  return outcome;
}
