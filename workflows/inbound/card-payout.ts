/**
 * One verified event about a payout of the card processor: what it settles is read from the processor, and posted in
 * every organization that it settles money of. The processor is answered 200 when this is sure to run; a payout that it
 * cannot record is found by the next reconciliation.
 */
import { setCurrentDetails, upsertSearchAttributes } from '@temporalio/workflow';
import type { CardPayoutInput, CardPayoutOutcome } from '../../contracts/inbound.ts';
import { SEARCH_ATTRIBUTES } from '../../contracts/machinery/search-attributes.ts';
import { RECORDING_PAYOUT } from '../machinery/options.ts';
import { activitiesOn } from '../machinery/queues.ts';

const { recordCardPayout } = activitiesOn('outside', { ...RECORDING_PAYOUT, summary: 'a payout is read and posted' });

export async function cardPayoutWorkflow({ payoutId }: CardPayoutInput): Promise<CardPayoutOutcome[]> {
  const outcomes = await recordCardPayout({ payoutId });
  const shown = outcomes.map(({ cardPayoutId, outcome }) => `${cardPayoutId}: **${outcome}**`).join(', ');
  setCurrentDetails(`${payoutId}: ${shown || 'of nobody here'}`);
  const [only, ...others] = outcomes;
  if (only !== undefined && others.length === 0) {
    upsertSearchAttributes([{ key: SEARCH_ATTRIBUTES.orgId, value: only.orgId }]);
  }
  return outcomes;
}
