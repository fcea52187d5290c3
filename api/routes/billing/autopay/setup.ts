// Sets up autopay and switches it off, for the insured themselves and for staff on their behalf. The card goes from the
// browser to the processor. Decision 0165.
import type { EntityManager } from '@mikro-orm/postgresql';
import { Autopay } from '../../../../db/entities/billing/autopay.ts';
import { AutopaySetup } from '../../../../db/entities/billing/autopay-setup.ts';
import type { Policy } from '../../../../db/entities/policy/policy.ts';
import { newId } from '../../../../db/ids.ts';
import { addRow } from '../../../../db/new-rows.ts';
import { findAutopay, findAutopaySetup, lockAutopay, openSetupsOf } from '../../../../db/queries/billing/autopay.ts';
import { writeAudit } from '../../../../db/queries/platform/audit.ts';
import { writeEvent } from '../../../../db/queries/platform/events.ts';
import { lockInsured } from '../../../../db/queries/portal/profiles.ts';
import { auditedChanges } from '../../../../domain/audit.ts';
import type { ActorRef } from '../../../../domain/permissions.ts';
import type { RuntimeDeps } from '../../../spine/deps.ts';
import type { OrganizationDatabase } from '../../../spine/route.ts';
import { type AutopaySetupWire, type AutopayWire, autopayToWire } from './autopay.wire.ts';

/** A call to set up or switch off autopay: its actor and request, and the policy of the insured. */
export interface AutopayCall {
  policy: Pick<Policy, 'insuredId' | 'orgId'>;
  actor: ActorRef;
  requestId: string;
  db: OrganizationDatabase;
  deps: RuntimeDeps;
}

/** Reads an insured's autopay; one never set up is off. */
export function readAutopay({ policy, db }: Pick<AutopayCall, 'policy' | 'db'>): Promise<AutopayWire> {
  return db.read(async (em) => wireOf(em, policy));
}

async function wireOf(em: EntityManager, { insuredId, orgId }: AutopayCall['policy']): Promise<AutopayWire> {
  const autopay = await findAutopay(em, insuredId);
  const setup = autopay?.setupId ? await findAutopaySetup(em, autopay.setupId) : null;
  return autopayToWire({ insuredId, orgId, autopay, setup });
}

/**
 * Starts to store a card. The insured's agreement is stored before the processor is called; the current card stays in
 * use until the new one is there.
 * @throws DomainError payment_declined, service_unavailable
 */
export async function beginSetup(call: AutopayCall, termsVersion: string): Promise<AutopaySetupWire> {
  const { policy, actor, requestId, db, deps } = call;
  const { insuredId, orgId } = policy;
  const { setup, customerKey } = await db.transaction(async (em) => {
    const autopay = await ownAutopay(em, insuredId);
    if (autopay.status === 'off') autopay.status = 'pending';
    const setup = addRow(em, AutopaySetup, {
      ...{ id: newId('autopaySetup'), insuredId, setupIntentKey: null, status: 'creating', termsVersion },
      ...{ agreedAt: new Date(deps.now()), agreedBy: actor.id },
    });
    const changes = auditedChanges(null, { setupId: setup.id, termsVersion });
    writeAudit(em, {
      action: 'autopay:set_up',
      entityType: 'autopay',
      entityId: autopay.id,
      actor,
      requestId,
      changes,
    });
    return { setup, customerKey: autopay.customerKey };
  });
  const { id: setupId } = setup;
  const created = await deps.card.createSetup({
    idempotencyKey: `setup:${setupId}`,
    customer: { key: customerKey, idempotencyKey: `customer:${insuredId}` },
    metadata: { orgId, insuredId, setupId },
  });
  await db.transaction((em) => keepSetup(em, setupId, { insuredId, ...created }));
  const { id: setupIntentId, clientSecret, status } = created;
  return { id: setupId, insuredId, setupIntentId, clientSecret, status };
}

/** Switches autopay off and removes the card at the processor. Does nothing if it is already off. */
export async function switchOff({ policy, actor, requestId, db, deps }: AutopayCall): Promise<void> {
  const { insuredId } = policy;
  const cardKey = await db.transaction(async (em) => {
    const autopay = await lockAutopay(em, insuredId);
    for (const setup of await openSetupsOf(em, insuredId)) setup.status = 'cancelled';
    if (autopay === null || autopay.status === 'off') return null;
    const { status, paymentMethodKey } = autopay;
    Object.assign(autopay, { status: 'off', suspendedReason: null, paymentMethodKey: null, card: null });
    const changes = auditedChanges({ status }, { status: 'off' });
    writeAudit(em, {
      action: 'autopay:disable',
      entityType: 'autopay',
      entityId: autopay.id,
      actor,
      requestId,
      changes,
    });
    writeEvent(em, 'autopay.disabled', { insuredId, status: 'off' }, new Date(deps.now()));
    await em.flush();
    return paymentMethodKey;
  });
  if (cardKey !== null) deps.inBackground('letting go of a card at the processor', deps.card.forgetCard(cardKey));
}

/** The locked row of an insured. The insured is locked first, so that only one of two simultaneous callers adds it. */
async function ownAutopay(em: EntityManager, insuredId: string): Promise<Autopay> {
  await lockInsured(em, insuredId);
  const found = await lockAutopay(em, insuredId);
  if (found !== null) return found;
  return addRow(em, Autopay, {
    ...{ id: newId('autopay'), insuredId, status: 'off', suspendedReason: null, customerKey: null, setupId: null },
    ...{ paymentMethodKey: null, card: null },
  });
}

/** The event about the card may already have arrived. */
async function keepSetup(
  em: EntityManager,
  setupId: string,
  { insuredId, id, customerKey }: { insuredId: string; id: string; customerKey: string },
): Promise<void> {
  const autopay = await lockAutopay(em, insuredId);
  if (autopay !== null) autopay.customerKey ??= customerKey;
  const setup = await findAutopaySetup(em, setupId);
  if (setup === null) return;
  setup.setupIntentKey ??= id;
  if (setup.status === 'creating') setup.status = 'open';
}
