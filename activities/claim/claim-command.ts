/** A command on a claim: locks the row, checks its version, reads the business date, reports the outcome. */
import type { EntityManager } from '@mikro-orm/postgresql';
import type { ClaimOutcome } from '../../contracts/claim.ts';
import type { Command } from '../../contracts/machinery/command.ts';
import type { Claim } from '../../db/entities/claim/claim.ts';
import { findClaim, lockClaim } from '../../db/queries/claim/claims.ts';
import { waitingPaymentsTo } from '../../db/queries/claim/loss-funds.ts';
import { lockPolicy } from '../../db/queries/policy/policies.ts';
import { type ClaimClocks, missedClocks, nextClaimDate } from '../../domain/claim/clocks.ts';
import { DomainError } from '../../domain/errors.ts';
import { type BusinessDay, businessDay } from '../../plans/platform/business-day.ts';
import { commandActivity, type Deps } from '../context.ts';
import { ensureExpected } from '../expected-version.ts';
import { keepClaimFilings } from './claim-filings.ts';
import type { Act } from './claim-history.ts';

export interface ClaimStep<P> {
  em: EntityManager;
  command: Command<P>;
  /** Locked until the transaction ends. */
  claim: Claim;
  day: BusinessDay;
  /** Payments that the step owes. */
  paymentIds: string[];
  /** Payees that the step clears: payments to them are retried. */
  clearedPayeeIds: string[];
}

/** Builds the activity for a command on an existing claim. @throws DomainError not_found, precondition_failed */
export function claimCommand<P>(
  deps: Deps,
  kind: string,
  work: (step: ClaimStep<P>) => Promise<void>,
  lock: (em: EntityManager, claimId: string) => Promise<Claim | null> = lockClaim,
) {
  return commandActivity<P, Claim, ClaimOutcome>(deps, kind, {
    lock,
    work: async (em, command, claim) => {
      if (claim === null) throw new DomainError('not_found', 'There is no such claim.');
      ensureExpected(command, claim);
      const day = await businessDay(em, command.orgId, deps.now());
      const step: ClaimStep<P> = { em, command, claim, day, paymentIds: [], clearedPayeeIds: [] };
      const { clocks } = claim;
      await work(step);
      if (claim.clocks !== clocks) await keepClaimFilings(em, claim, { ...deps, today: day.today });
      await em.flush();
      const { paymentIds, clearedPayeeIds } = step;
      const retryPaymentIds = await waitingPaymentsTo(em, clearedPayeeIds);
      return {
        ...claimOutcome(claim, day),
        ...(paymentIds.length > 0 && { paymentIds }),
        ...(retryPaymentIds.length > 0 && { retryPaymentIds }),
      };
    },
  });
}

/** A command's actor and business date. */
export function actOf({ command, day }: ClaimStep<unknown>): Act {
  return { actor: command.actor, requestId: command.requestId, on: day.today };
}

/** Sets a claim's clocks, and its next day on the calendar. */
export function setClocks(claim: Claim, clocks: ClaimClocks): void {
  claim.clocks = clocks;
  claim.nextStepOn = claim.status === 'closed' ? null : (nextClaimDate(clocks)?.on ?? null);
}

/** Locks a claim after its policy, as does every transaction that depends on both. */
export async function lockAfterPolicy(em: EntityManager, claimId: string): Promise<Claim | null> {
  const found = await findClaim(em, claimId);
  if (found === null) return null;
  await lockPolicy(em, found.policyId);
  return lockClaim(em, claimId);
}

/** A claim's state, as reported to its workflow; read after the flush, once the version is known. */
export function claimOutcome(claim: Claim, { clockOffsetDays }: BusinessDay): ClaimOutcome {
  const { id: claimId, claimNumber, policyNumber, lineOfBusiness, status, version, clocks } = claim;
  const nextStep = status === 'closed' ? null : nextClaimDate(clocks);
  const missed = missedClocks(clocks);
  return { claimId, claimNumber, policyNumber, lineOfBusiness, status, version, nextStep, missed, clockOffsetDays };
}
