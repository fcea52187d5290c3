/**
 * A card that an insured has entered and the processor has reported; its brand and last digits are read there. From
 * then on, bills are charged to it. Decision 0165.
 */
import type { EntityManager } from '@mikro-orm/postgresql';
import type { AutopaySetupInput, AutopaySetupOutcome } from '../../../contracts/autopay.ts';
import type { AutopaySetup } from '../../../db/entities/billing/autopay-setup.ts';
import { findAutopaySetup, lockAutopay } from '../../../db/queries/billing/autopay.ts';
import { writeAudit } from '../../../db/queries/platform/audit.ts';
import { writeEvent } from '../../../db/queries/platform/events.ts';
import { auditedChanges } from '../../../domain/audit.ts';
import type { CardSetup } from '../../../providers/cards/kept-cards-port.ts';
import { auditOf } from '../../audit.ts';
import { type Deps, transaction } from '../../context.ts';
import { CARD_PROCESSOR } from '../cards/card-receipts.ts';
import { atProcessor } from '../cards/processor-calls.ts';

const KIND = 'recordAutopaySetup';

/** Puts a setup's card into use, once. A setup that is not ours, or was cancelled, changes nothing. */
export const recordAutopaySetup =
  (deps: Deps) =>
  async (of: AutopaySetupInput): Promise<AutopaySetupOutcome> => {
    const step = { kind: KIND, orgId: of.orgId };
    const setup: CardSetup | null = await atProcessor(deps, step, deps.card.readSetup(of.setupIntentKey));
    const isOurs = setup?.setupId === of.setupId && setup.orgId === of.orgId;
    if (setup === null || !isOurs || setup.status !== 'succeeded') return { outcome: 'unmatched' };
    const { outcome, unused } = await transaction(deps, step, (em) => take(em, deps, of, setup));
    if (unused !== null) await atProcessor(deps, step, deps.card.forgetCard(unused));
    return { outcome };
  };

/** `unused`: the card that is no longer charged, or never was. */
type Taken = AutopaySetupOutcome & { unused: string | null };

async function take(
  em: EntityManager,
  deps: Deps,
  { setupId }: AutopaySetupInput,
  { id, customerKey, paymentMethodKey, card }: CardSetup,
): Promise<Taken> {
  const unmatched = { outcome: 'unmatched', unused: null } as const;
  const found = await findAutopaySetup(em, setupId);
  const autopay = found === null ? null : await lockAutopay(em, found.insuredId);
  if (found === null || autopay === null || paymentMethodKey === null || card === null) return unmatched;
  await em.refresh(found);
  if (found.setupIntentKey !== null && found.setupIntentKey !== id) return unmatched;
  if (found.status === 'succeeded') return { outcome: 'known', unused: null };
  if (found.status === 'cancelled' || isOlder(found, autopay.setupId)) {
    return { outcome: 'ignored', unused: autopay.paymentMethodKey === paymentMethodKey ? null : paymentMethodKey };
  }
  Object.assign(found, { setupIntentKey: id, status: 'succeeded' });
  // The insured may have entered the same card again.
  const unused = autopay.paymentMethodKey === paymentMethodKey ? null : autopay.paymentMethodKey;
  const before = { status: autopay.status, setupId: autopay.setupId };
  const inForce = { status: 'active', suspendedReason: null, setupId } as const;
  Object.assign(autopay, { ...inForce, customerKey, paymentMethodKey, card });
  const { insuredId } = autopay;
  writeEvent(em, 'autopay.enabled', { insuredId, status: 'active' }, new Date(deps.now()));
  const origin = { actor: CARD_PROCESSOR, requestId: null, entityId: autopay.id };
  writeAudit(em, auditOf(origin, 'autopay:enable', 'autopay', auditedChanges(before, { status: 'active', setupId })));
  await em.flush();
  return { outcome: 'enabled', unused };
}

/** Events may arrive out of order: the card entered last stays. Ids sort by creation time. */
function isOlder({ id }: AutopaySetup, inForce: string | null): boolean {
  return inForce !== null && id < inForce;
}
