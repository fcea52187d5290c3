/**
 * How a claim is handled: investigated, assigned, denied, closed, reopened. The first handling acknowledges it; a
 * denial or close decides it. Contract 3.3, domain facts 2.4.
 */
import type { EntityManager } from '@mikro-orm/postgresql';
import type { AssignPayload, ClosePayload, DenyPayload, InvestigatePayload, Noted } from '../../contracts/claim.ts';
import type { Claim } from '../../db/entities/claim/claim.ts';
import { findPolicy } from '../../db/queries/policy/policies.ts';
import { closedClaimStatus, isAssignedBy, nextClaimStatus } from '../../domain/claim/claim.ts';
import { type ClaimClockKind, meetClocks, restartedDecision } from '../../domain/claim/clocks.ts';
import { takenDown } from '../../domain/claim/figures.ts';
import { judgeOf } from '../../plans/authority/own-authority.ts';
import { claimFacts } from '../../plans/authority/resource-facts.ts';
import { columnsOf, figuresOf } from '../../plans/claim/claim-figures.ts';
import { coverageOfLoss } from '../../plans/claim/loss-term.ts';
import type { Deps } from '../context.ts';
import { assignTo } from './assignments.ts';
import { actOf, type ClaimStep, claimCommand, lockAfterPolicy, setClocks } from './claim-command.ts';
import { publish, record, shownFacts } from './claim-history.ts';
import { orderDenial } from './claim-letters.ts';

const ACKNOWLEDGED: readonly ClaimClockKind[] = ['claim_ack'];
const DECIDED: readonly ClaimClockKind[] = ['claim_ack', 'claim_decision'];

/** Begins the investigation, and assigns the claim if an adjuster is named. @throws DomainError forbidden */
export const investigateClaim = (deps: Deps) =>
  claimCommand<InvestigatePayload>(deps, 'investigateClaim', async (step) => {
    const { claim, command, em } = step;
    const { adjusterId, noteId } = command.payload;
    await judged(step, 'investigate');
    const before = shownFacts(claim);
    claim.status = nextClaimStatus(claim.status, 'investigate');
    if (adjusterId !== null && isAssignedBy(command.actor.id, adjusterId, claim)) await assigned(step, adjusterId);
    setClocks(claim, meetClocks(claim.clocks, ACKNOWLEDGED, step.day.today));
    record(em, claim, { act: actOf(step), action: 'investigate', before, noteId });
  });

/** Assigns the claim and takes it from the previous adjuster. */
export const assignClaim = (deps: Deps) =>
  claimCommand<AssignPayload>(deps, 'assignClaim', async (step) => {
    const { claim, command, em } = step;
    const before = shownFacts(claim);
    claim.status = nextClaimStatus(claim.status, 'assign');
    await assigned(step, command.payload.adjusterId);
    record(em, claim, { act: actOf(step), action: 'assign', before });
  });

/** Denies coverage: outstanding reserves are taken down to zero. */
export const denyClaim = (deps: Deps) =>
  claimCommand<DenyPayload>(deps, 'denyClaim', async (step) => {
    const { claim, command, em, day } = step;
    const { noteId } = command.payload;
    await judged(step, 'deny');
    const before = shownFacts(claim);
    claim.status = nextClaimStatus(claim.status, 'deny');
    claim.denial = { noteId, on: day.today };
    if (claim.settlement?.status === 'offered') {
      claim.settlement = { ...claim.settlement, status: 'rejected', decidedBy: command.actor, on: day.today };
    }
    Object.assign(claim, columnsOf(takenDown(figuresOf(claim))));
    setClocks(claim, meetClocks(claim.clocks, DECIDED, day.today));
    const also = await orderDenial(em, claim, day.today);
    record(em, claim, { act: actOf(step), action: 'deny', before, noteId, also });
  });

/** Closes the claim: outstanding reserves are taken down to zero, and its workflow ends. */
export const closeClaim = (deps: Deps) =>
  claimCommand<ClosePayload>(deps, 'closeClaim', async (step) => {
    const { claim, command, em, day } = step;
    const { noteId, outcome } = command.payload;
    await judged(step, 'close');
    const before = shownFacts(claim);
    const at = new Date(deps.now());
    claim.status = closedClaimStatus(claim.status, outcome, figuresOf(claim).paid);
    Object.assign(claim, columnsOf(takenDown(figuresOf(claim))), { closure: { outcome, on: day.today }, closedAt: at });
    setClocks(claim, meetClocks(claim.clocks, DECIDED, day.today));
    record(em, claim, {
      ...{ act: actOf(step), action: 'close', before, noteId },
      also: { outcome: { before: null, after: outcome } },
    });
    publish(em, claim, 'claim.closed', at);
  });

/** Reopens a closed claim: its decision clock restarts. */
export const reopenClaim = (deps: Deps) =>
  claimCommand<Noted>(
    deps,
    'reopenClaim',
    async (step) => {
      const { claim, command, em, day } = step;
      await judged(step, 'reopen');
      const before = shownFacts(claim);
      claim.status = nextClaimStatus(claim.status, 'reopen');
      Object.assign(claim, { denial: null, closure: null, closedAt: null }, await presentCoverage(em, claim));
      setClocks(claim, { ...claim.clocks, ...restartedDecision(claim.state, day.today) });
      record(em, claim, { act: actOf(step), action: 'reopen', before, noteId: command.payload.noteId });
    },
    lockAfterPolicy,
  );

/** A closed claim has missed changes to its policy. */
async function presentCoverage(em: EntityManager, claim: Claim): Promise<Partial<Claim>> {
  const term = await findPolicy(em, claim.policyId);
  if (term === null) return {};
  const { coverage, flags } = await coverageOfLoss(em, term, claim);
  return { coverage, coverageFlags: flags };
}

async function judged(
  { em, command, claim }: ClaimStep<unknown>,
  action: 'investigate' | 'assign' | 'deny' | 'close' | 'reopen',
): Promise<void> {
  (await judgeOf(em, command, `claim:${action}`))(claimFacts(claim));
}

async function assigned(step: ClaimStep<unknown>, adjusterId: string): Promise<void> {
  await judged(step, 'assign');
  await assignTo(step.em, step.claim, adjusterId);
}
