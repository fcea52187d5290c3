/** A payout in another currency is not posted: the organizations whose money it settles are alerted, once. */
import { commandResult, saveCommand } from '../../../db/queries/platform/commands.ts';
import { writeEvent } from '../../../db/queries/platform/events.ts';
import { type ProcessorPayout, payoutShares } from '../../../domain/billing/card-payout.ts';
import { activityFailure, type Deps, transaction } from '../../context.ts';
import { ownMovements } from './payout-owners.ts';

const KIND = 'raisePayoutCurrency';
const OPERATION = 'card_event.currency';

/** Raises `financial.operation_failed` in every organization whose money the payout settles, and logs it. */
export async function raiseCurrency(deps: Deps, { payoutId, currency, movements }: ProcessorPayout): Promise<void> {
  const message = 'A payout of the card processor is in an unsupported currency.';
  deps.logger.error({ payoutId, currency, operation: OPERATION, priority: 2 }, message);
  const owned = await ownMovements(deps, movements).catch((error: unknown) => {
    throw activityFailure(deps, { kind: KIND, orgId: '' }, error);
  });
  const alertId = `${OPERATION}:${payoutId}`;
  for (const [orgId] of payoutShares(owned)) {
    await transaction(deps, { kind: KIND, orgId }, async (em) => {
      if ((await commandResult(em, alertId)) !== null) return;
      const alert = { severity: 'critical', requiresManualReview: true, operation: OPERATION } as const;
      const facts = { ...alert, message, paymentId: null, invoiceId: null, reference: payoutId, workflowId: null };
      writeEvent(em, 'financial.operation_failed', facts, new Date(deps.now()));
      saveCommand(em, alertId, KIND, {});
    });
  }
}
