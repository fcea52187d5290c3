// What a claim's state allows, checked before a note is kept or a workflow woken.
import type { Claim } from '../../../db/entities/claim/claim.ts';
import { hasWaitingPayment } from '../../../db/queries/claim/loss-funds.ts';
import { type ClaimAction, nextClaimStatus } from '../../../domain/claim/claim.ts';
import type { CommandBuilder, OrganizationDatabase } from '../../spine/route.ts';
import { ensureAllowed } from '../rows.ts';

interface Call {
  db: OrganizationDatabase;
  command: CommandBuilder;
}

/** Refuses what the state forbids. @throws DomainError invalid_state_transition */
export async function ensureMoves(claim: Readonly<Claim>, action: ClaimAction, call: Call): Promise<void> {
  const hasWaiting = await isStoppable(claim, call);
  await ensureAllowed(call, () => nextClaimStatus(claim.status, action, hasWaiting));
}

/** Whether a payment of a closed claim still waits: it can be stopped then. */
export async function isStoppable({ id, status }: Readonly<Claim>, { db }: Pick<Call, 'db'>): Promise<boolean> {
  return status === 'closed' && (await db.read((em) => hasWaitingPayment(em, id)));
}
