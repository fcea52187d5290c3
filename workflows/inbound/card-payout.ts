/**
 * One verified event about a card processor payout: the settled movements are read from the processor, and posted in
 * every organization whose money they are. The processor gets 200 once this is certain to run; the next reconciliation
 * finds a payout that could not be recorded.
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
