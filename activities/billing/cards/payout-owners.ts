/**
 * Who owns a payout's movements: the organization in their metadata, else the owner of the intent that took the money,
 * as for events. Money back from an earlier payout belongs to those who were paid it.
 */
import type { EntityManager } from '@mikro-orm/postgresql';
import { ownersOfPayout } from '../../../db/queries/billing/card-payouts/card-payouts.ts';
import { invoiceOfIntent } from '../../../db/queries/billing/payments.ts';
import { ownerOfCardPayment } from '../../../db/queries/inbound/inbound-events.ts';
import { knownOrganizations } from '../../../db/queries/platform/organizations.ts';
import { FOREIGN, type OwnedMovement, type PayoutMovement } from '../../../domain/billing/card-payout.ts';
import type { Deps } from '../../context.ts';

/** Assigns every movement its owner. */
export function ownMovements({ database }: Deps, movements: readonly PayoutMovement[]): Promise<OwnedMovement[]> {
  return database.acrossOrgs('whose money a payout settles', async (em) => {
    const named = new Set(movements.flatMap(({ orgId }) => orgId ?? []));
    const known = await knownOrganizations(em, [...named]);
    const owned: OwnedMovement[] = [];
    for (const movement of movements) owned.push(...(await owning(em, movement, known)));
    return owned;
  });
}

async function owning(
  em: EntityManager,
  movement: PayoutMovement,
  known: ReadonlySet<string>,
): Promise<OwnedMovement[]> {
  const { orgId, intentId, failedPayoutId } = movement;
  if (failedPayoutId !== null) return returned(em, movement, failedPayoutId);
  if (orgId !== null) return [{ ...movement, owner: known.has(orgId) ? orgId : FOREIGN }];
  if (intentId === null) return [{ ...movement, owner: null }];
  return [{ ...movement, owner: (await ownerOfIntent(em, intentId)) ?? FOREIGN }];
}

/** The organization that created an intent or has its payment; null if none here does. */
export async function ownerOfIntent(em: EntityManager, intentId: string): Promise<string | null> {
  const owner = (await invoiceOfIntent(em, intentId)) ?? (await ownerOfCardPayment(em, intentId));
  return owner?.orgId ?? null;
}

/** If no one here had a share of the returned payout, it goes to the owner of the rest. */
async function returned(em: EntityManager, movement: PayoutMovement, payoutId: string): Promise<OwnedMovement[]> {
  const owners = await ownersOfPayout(em, payoutId);
  if (owners.length === 0) return [{ ...movement, owner: null }];
  return owners.map(({ orgId, netCents }) => ({ ...movement, amountCents: netCents, owner: orgId }));
}
