// The checks that refunds owe in a random sequence: issued, stopped, cashed.
import type { Deps } from '../../../activities/context.ts';
import type { Activities } from '../../../activities/create-activities.ts';
import type { Command } from '../../../contracts/machinery/command.ts';
import { Disbursement } from '../../../db/entities/billing/disbursement.ts';
import type { FreshInvoice } from './money-books.ts';

type Owed = Pick<Disbursement, 'id' | 'refundId' | 'status' | 'amountCents'>;

/** An invoice's disbursements, oldest first. */
export function disbursementsOf({ database }: Deps, { orgId, invoiceId }: FreshInvoice): Promise<Owed[]> {
  return database.forOrg(orgId, (em) => em.find(Disbursement, { invoiceId }, { orderBy: { id: 'asc' } }));
}

/** The next move of a disbursement, and how much it adds to the amount issued. */
export function nextMove(
  { issueDisbursement, clearDisbursement, stopDisbursement }: Activities,
  { id, status, amountCents }: Owed,
  { isStopped, command }: { isStopped: boolean; command: <P>(payload: P) => Command<P> },
): { issuedCents: number; run: () => Promise<unknown> } {
  if (status === 'cleared') return { issuedCents: 0, run: async () => null };
  if (status !== 'issued') {
    const check = command({ method: 'check' as const, reference: `Our check for ${id}`, issuedOn: null });
    return { issuedCents: amountCents, run: () => issueDisbursement(check) };
  }
  if (!isStopped) return { issuedCents: 0, run: () => clearDisbursement(command({})) };
  return { issuedCents: 0 - amountCents, run: () => stopDisbursement(command({ reason: 'Model.' })) };
}
