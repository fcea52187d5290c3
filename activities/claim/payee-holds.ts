/**
 * Claim payees are screened for sanctions before each step that leads to payment: an offer, its approval, a payment,
 * and money leaving the fund. A matching payee is held: the claim shows it, and nothing is paid until someone with
 * permission clears the name on that claim. Domain facts 6.4, decision 0150.
 */
import type { EntityManager } from '@mikro-orm/postgresql';
import { ApplicationFailure } from '@temporalio/common';
import type { ClearPayeePayload } from '../../contracts/claim.ts';
import type { Command } from '../../contracts/machinery/command.ts';
import type { Claim } from '../../db/entities/claim/claim.ts';
import { ClaimPayeeHold } from '../../db/entities/claim/claim-payee-hold.ts';
import { newId } from '../../db/ids.ts';
import { addRow } from '../../db/new-rows.ts';
import { payeeOf } from '../../db/queries/claim/claim-words.ts';
import { lockClaim } from '../../db/queries/claim/claims.ts';
import { holdsOf, lockOpenHold } from '../../db/queries/claim/payee-holds.ts';
import { ensureClearable, type HoldStep, standingMatches } from '../../domain/claim/payee-hold.ts';
import { PAYEE_SANCTIONED } from '../../domain/claim/settlement.ts';
import { DomainError } from '../../domain/errors.ts';
import type { SanctionsMatch } from '../../domain/submission/sanctions.ts';
import { nameKey, unclearedMatches } from '../../domain/submission/sanctions-clearance.ts';
import { judgeOf } from '../../plans/authority/own-authority.ts';
import { heldClaimFacts } from '../../plans/authority/resource-facts.ts';
import { businessDay } from '../../plans/platform/business-day.ts';
import { SYSTEM } from '../audit.ts';
import { type Deps, transaction } from '../context.ts';
import { actOf, claimCommand } from './claim-command.ts';
import { type Act, record, shownFacts } from './claim-history.ts';

/** A payee on a claim. */
export interface ClaimPayeeRef {
  claimId: string;
  payeeId: string;
}

/**
 * Screens a payee that the api has stored; returns the matches that must be cleared first, including those of open
 * holds.
 * @throws DomainError not_found
 */
export async function screenedPayee(
  em: EntityManager,
  deps: Deps,
  { claimId, payeeId }: ClaimPayeeRef,
): Promise<SanctionsMatch[]> {
  const name = await payeeOf(em, payeeId);
  if (name === null) throw new DomainError('not_found', 'There is no such payee.');
  const found = await deps.screening.screen(name);
  const ofName = (await holdsOf(em, claimId)).filter((each) => nameKey(each.name) === nameKey(name));
  return standingMatches(
    found,
    ofName.map(({ hold }) => hold),
  );
}

/** Holds a payee of a locked claim for the list entries that match; a new entry holds the payee again. */
export async function holdPayee(em: EntityManager, claim: Claim, held: Held): Promise<void> {
  const { payeeId, step, matches, act } = held;
  const before = shownFacts(claim);
  const open = await lockOpenHold(em, payeeId);
  if (claim.settlement?.id === payeeId) claim.settlement = { ...claim.settlement, blockers: [PAYEE_SANCTIONED] };
  if (open !== null && unclearedMatches(matches, open.matches).length === 0) return;
  const id = open?.id ?? newId('payeeHold');
  if (open !== null) open.matches = [...open.matches, ...unclearedMatches(matches, open.matches)];
  else {
    const cleared = { clearedBy: null, clearedOn: null, clearNoteId: null };
    addRow(em, ClaimPayeeHold, { id, claimId: claim.id, payeeId, step, matches, heldOn: act.on, ...cleared });
  }
  const also = { hold: { before: null, after: id }, step: { before: null, after: step } };
  record(em, claim, { act, action: 'hold_payee', before, also });
}

interface Held {
  payeeId: string;
  step: HoldStep;
  matches: SanctionsMatch[];
  act: Act;
}

/** Holds a payee in its own transaction after a step was refused for it; false if cleared by now. */
export function holdRefused(
  deps: Deps,
  { orgId, ...payee }: ClaimPayeeRef & { orgId: string },
  step: HoldStep,
): Promise<boolean> {
  return transaction(deps, { kind: 'holdPayee', orgId }, async (em) => {
    const claim = await lockClaim(em, payee.claimId);
    const matches = claim === null ? [] : await screenedPayee(em, deps, payee);
    if (claim === null || matches.length === 0) return false;
    const { today: on } = await businessDay(em, orgId, deps.now());
    await holdPayee(em, claim, { payeeId: payee.payeeId, step, matches, act: { actor: SYSTEM, requestId: null, on } });
    await em.flush();
    return true;
  });
}

/** Carries out a command; a refusal because of its payee leaves a hold behind. */
export function holdingPayee<P, R>(
  deps: Deps,
  step: HoldStep,
  { command: carryOut, payeeOf: named }: HoldingCommand<P, R>,
): (command: Command<P>) => Promise<R> {
  return async (command) => {
    try {
      return await carryOut(command);
    } catch (error) {
      if (isForPayee(error)) {
        const { orgId, entityId: claimId } = command;
        const payeeId = await transaction(deps, { kind: 'holdPayee', orgId }, (em) => named(em, command));
        if (payeeId !== null) await holdRefused(deps, { orgId, claimId, payeeId }, step);
      }
      throw error;
    }
  };
}

interface HoldingCommand<P, R> {
  command: (command: Command<P>) => Promise<R>;
  /** The payee that the command would pay; null if none. */
  payeeOf: (em: EntityManager, command: Command<P>) => Promise<string | null>;
}

function isForPayee(error: unknown): boolean {
  if (!(error instanceof ApplicationFailure) || error.type !== 'not_ready') return false;
  const { blockers = [] } = (error.details?.[0] ?? {}) as { blockers?: string[] };
  return blockers.includes(PAYEE_SANCTIONED);
}

/**
 * Clears a held payee who only shares a name with a listed party: for that name on that claim, and for the current
 * list entries.
 * @throws DomainError forbidden, not_found, invalid_state_transition when already cleared
 */
export const clearPayee = (deps: Deps) =>
  claimCommand<ClearPayeePayload>(deps, 'clearPayee', async (step) => {
    const { em, claim, command, day } = step;
    const { holdId, noteId } = command.payload;
    (await judgeOf(em, command, 'sanctions:clear'))(heldClaimFacts(claim));
    const holds = await holdsOf(em, claim.id);
    const chosen = holds.find(({ hold }) => hold.id === holdId);
    if (chosen === undefined) throw new DomainError('not_found', 'There is no such hold.');
    ensureClearable(chosen.hold.clearedOn);
    const before = shownFacts(claim);
    const isCovered = ({ hold, name }: (typeof holds)[number]) =>
      hold.clearedOn === null &&
      nameKey(name) === nameKey(chosen.name) &&
      unclearedMatches(hold.matches, chosen.hold.matches).length === 0;
    const covered = holds.filter(isCovered).map(({ hold }) => hold);
    for (const hold of covered) {
      Object.assign(hold, { clearedBy: command.actor, clearedOn: day.today, clearNoteId: noteId });
    }
    await em.flush();
    await unblockOffer(em, deps, claim);
    step.clearedPayeeIds.push(...covered.map(({ payeeId }) => payeeId));
    const also = { cleared: { before: null, after: covered.map(({ id }) => id) } };
    record(em, claim, { act: actOf(step), action: 'clear_payee', before, noteId, also });
  });

async function unblockOffer(em: EntityManager, deps: Deps, claim: Claim): Promise<void> {
  const { settlement } = claim;
  if (settlement === null || settlement.blockers.length === 0) return;
  const matches = await screenedPayee(em, deps, { claimId: claim.id, payeeId: settlement.id });
  if (matches.length === 0) claim.settlement = { ...settlement, blockers: [] };
}
