/**
 * One verified event about a card that an insured entered: the card is read from the processor and charged from then
 * on. The processor gets 200 once this is certain to run. Decision 0165.
 */
import { setCurrentDetails } from '@temporalio/workflow';
import type { AutopaySetupInput, AutopaySetupOutcome } from '../../contracts/autopay.ts';
import { CHARGING } from '../machinery/options.ts';
import { activitiesOn } from '../machinery/queues.ts';

const { recordAutopaySetup } = activitiesOn('outside', { ...CHARGING, summary: 'the kept card is read' });

export async function autopaySetupWorkflow(input: AutopaySetupInput): Promise<AutopaySetupOutcome> {
  const outcome = await recordAutopaySetup(input);
  setCurrentDetails(`${input.setupId}: **${outcome.outcome}**`);
  return outcome;
}
