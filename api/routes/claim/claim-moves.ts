// What a claim's state allows: checked before a note is stored or a workflow woken, and named in every refusal of a
// move.
import type { Claim } from '../../../db/entities/claim/claim.ts';
import { findClaim } from '../../../db/queries/claim/claims.ts';
import { type ClaimAction, nextClaimStatus } from '../../../domain/claim/claim.ts';
import { DomainError } from '../../../domain/errors.ts';
import { movesOf } from '../../../plans/claim/claim-standing.ts';
import type { CommandBuilder, OrganizationDatabase, Route } from '../../spine/route.ts';
import { ensureBeforeCommand } from '../rows.ts';

interface Call {
  db: OrganizationDatabase;
  command: CommandBuilder;
}

/** Rejects what the state does not allow. @throws DomainError invalid_state_transition */
export function ensureMoves(claim: Readonly<Claim>, action: ClaimAction, call: Call): Promise<void> {
  return ensureBeforeCommand(call, () => nextClaimStatus(claim.status, action));
}

/**
 * A step on a claim whose refusals name what would succeed now. The state that refused it, here or in the claim's
 * workflow, does not know the payments and limits. Contract 1 `invalid_state_transition`.
 */
export function namingMoves(step: Route): Route {
  return {
    ...step,
    handler: async (context) => {
      try {
        return await step.handler(context);
      } catch (error) {
        throw await withMoves(error, context as { row: Claim; db: OrganizationDatabase });
      }
    },
  };
}

async function withMoves(error: unknown, { row, db }: { row: Claim; db: OrganizationDatabase }): Promise<unknown> {
  const isOfClaim = error instanceof DomainError && error.code === 'invalid_state_transition';
  if (!isOfClaim || error.details.resource !== 'claim') return error;
  const allowed = await db.read(async (em) => movesOf(em, (await findClaim(em, row.id)) ?? row));
  return new DomainError(error.code, error.message, { ...error.details, allowed });
}
