// Held payees on the wire. Pure.
import type { z } from 'zod';
import type { NamedHold } from '../../../db/queries/claim/payee-holds.ts';
import { clearingRoles } from '../../../domain/claim/payee-hold.ts';
import { PAYEE_SANCTIONED } from '../../../domain/claim/settlement.ts';
import { instantToWire } from '../billing/charges.wire.ts';
import type { HeldPayeeSchema } from './payee-holds.schemas.ts';

/** Returns a hold with the name and what it matches. */
export function holdToWire({ hold, name, isProtected }: NamedHold & { isProtected: boolean }) {
  const { id, orgId, claimId, step, matches, heldOn, clearedBy, clearedOn, createdAt, updatedAt } = hold;
  return {
    ...{ id, orgId, claimId, status: clearedOn === null ? ('held' as const) : ('cleared' as const), step },
    ...{ payee: name, matches: [...matches], heldOn, clearableBy: clearingRoles(isProtected) },
    ...{ clearedBy: clearedBy?.id ?? null, clearedOn },
    ...{ createdAt: instantToWire(createdAt), updatedAt: instantToWire(updatedAt) },
  };
}

/** Returns the currently held payees; their names only with the claim's words. */
export function heldPayeesToWire(
  holds: readonly NamedHold[],
  { containsPhi, isSeen }: { containsPhi: boolean; isSeen: boolean },
): z.output<typeof HeldPayeeSchema>[] {
  const open = holds.filter(({ hold }) => hold.clearedOn === null);
  return open.map(({ hold: { id, step, heldOn }, name }) => ({
    ...{ id, code: PAYEE_SANCTIONED, step, ...(isSeen && { payee: name }), heldOn },
    clearableBy: clearingRoles(containsPhi),
  }));
}
