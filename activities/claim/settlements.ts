/**
 * A claim's settlement: an offer, its approval by someone else, its rejection. The policy is locked before the claim,
 * so that claims on the same aggregate limit wait for each other. Contract 3.3.
 */
import type { ApprovePayload, Noted, SettlePayload } from '../../contracts/claim.ts';
import type { Claim } from '../../db/entities/claim/claim.ts';
import { findClaim } from '../../db/queries/claim/claims.ts';
import { nextClaimStatus } from '../../domain/claim/claim.ts';
import { meetClocks } from '../../domain/claim/clocks.ts';
import { borne, paid } from '../../domain/claim/figures.ts';
import { ensureUnheld } from '../../domain/claim/payee-hold.ts';
import { offerersOf, PAYEE_SANCTIONED, type Settlement, settled } from '../../domain/claim/settlement.ts';
import { DomainError } from '../../domain/errors.ts';
import { judgeOf } from '../../plans/authority/own-authority.ts';
import { requesterIds } from '../../plans/authority/requesters.ts';
import { claimFacts } from '../../plans/authority/resource-facts.ts';
import { columnsOf, figuresOf, settledInAll } from '../../plans/claim/claim-figures.ts';
import { boundsOf } from '../../plans/claim/settlement-bounds.ts';
import type { Deps } from '../context.ts';
import { actOf, type ClaimStep, claimCommand, lockAfterPolicy, setClocks } from './claim-command.ts';
import { publishSettlement, record, shownFacts } from './claim-history.ts';
import { orderSettlementLetter } from './claim-letters.ts';
import { owePayment } from './claim-payments.ts';
import { holdingPayee, holdPayee, screenedPayee } from './payee-holds.ts';

/**
 * Makes an offer, and approves it immediately if the command says so and nothing blocks it.
 * @throws DomainError forbidden, invalid_state_transition, reserve_too_low, limit_exhausted
 */
export const settleClaim = (deps: Deps) =>
  claimCommand<SettlePayload>(
    deps,
    'settleClaim',
    async (step) => {
      const { em, claim, command, day } = step;
      const { settlementId, amountCents, isApproved, noteId } = command.payload;
      const facts = claimFacts(claim);
      (await judgeOf(em, command, 'claim:settle'))(facts);
      const settlementCents = settledInAll(claim, amountCents);
      if (isApproved) (await judgeOf(em, command, 'claim:approve'))({ ...facts, settlementCents });
      const before = shownFacts(claim);
      claim.status = nextClaimStatus(claim.status, 'settle');
      const divided = settled(amountCents, await boundsOf(em, claim));
      const matches = await screenedPayee(em, deps, { claimId: claim.id, payeeId: settlementId });
      const blockers = matches.length === 0 ? [] : [PAYEE_SANCTIONED];
      const [, onBehalfOf = null] = await requesterIds(em, command.actor);
      claim.settlement = {
        ...{ id: settlementId, status: 'offered', amountCents, ...divided, blockers, noteId },
        ...{ offeredBy: command.actor, onBehalfOf, decidedBy: null, on: day.today },
      };
      record(em, claim, { act: actOf(step), action: 'settle', before, noteId });
      if (matches.length > 0)
        await holdPayee(em, claim, { payeeId: settlementId, step: 'offer', matches, act: actOf(step) });
      else if (isApproved) await approve(deps, step, claim.settlement);
    },
    lockAfterPolicy,
  );

/**
 * Approves the offer. An administrator may do so alone, and the record says so.
 * @throws DomainError forbidden for the person who made the offer, not_ready with `{blockers}`, reserve_too_low,
 * limit_exhausted
 */
export const approveSettlement = (deps: Deps) =>
  holdingPayee(deps, 'approval', {
    command: claimCommand<ApprovePayload>(
      deps,
      'approveSettlement',
      (step) => approveOffer(deps, step),
      lockAfterPolicy,
    ),
    payeeOf: async (em, { entityId }) => (await findClaim(em, entityId))?.settlement?.id ?? null,
  });

/** The sanctions list may have changed since the offer. */
async function approveOffer(deps: Deps, step: ClaimStep<ApprovePayload>): Promise<void> {
  const { em, claim, command } = step;
  nextClaimStatus(claim.status, 'approve');
  const offer = offerOf(claim);
  const settlementCents = settledInAll(claim, offer.amountCents);
  const facts = { settlementCents, requestedBy: offerersOf(offer) };
  (await judgeOf(em, command, 'claim:approve'))({ ...claimFacts(claim), ...facts });
  ensureUnheld(await screenedPayee(em, deps, { claimId: claim.id, payeeId: offer.id }));
  await approve(deps, step, { ...offer, blockers: [] });
}

/** Rejects the offer: the investigation goes on. */
export const rejectSettlement = (deps: Deps) =>
  claimCommand<Noted>(deps, 'rejectSettlement', async (step) => {
    const { em, claim, command, day } = step;
    (await judgeOf(em, command, 'claim:approve'))(claimFacts(claim));
    const before = shownFacts(claim);
    claim.status = nextClaimStatus(claim.status, 'reject');
    claim.settlement = { ...offerOf(claim), status: 'rejected', decidedBy: command.actor, on: day.today };
    record(em, claim, { act: actOf(step), action: 'reject', before, noteId: command.payload.noteId });
  });

/** The limits and the reserve may have moved since the offer. */
async function approve(deps: Deps, step: ClaimStep<unknown>, offer: Settlement): Promise<void> {
  const { em, claim, command, day } = step;
  const before = shownFacts(claim);
  const divided = settled(offer.amountCents, await boundsOf(em, claim));
  claim.status = nextClaimStatus(claim.status, 'approve');
  claim.settlement = { ...offer, ...divided, status: 'approved', decidedBy: command.actor, on: day.today };
  claim.deductibleTakenCents += divided.deductibleCents;
  const net = borne(figuresOf(claim), divided.deductibleCents);
  Object.assign(claim, columnsOf(paid(net, { indemnityCents: divided.payableCents, expenseCents: 0 })));
  if (divided.payableCents > 0) {
    const { payableCents: cents, deductibleCents } = divided;
    const owed = { kind: 'indemnity', cents, deductibleCents, payeeId: offer.id } as const;
    step.paymentIds.push(await owePayment(em, claim, owed));
  }
  setClocks(claim, meetClocks(claim.clocks, ['claim_ack', 'claim_decision'], day.today));
  const letter = await orderSettlementLetter(em, claim, day.today);
  const isAlone = offerersOf(offer).includes(command.actor.id);
  record(em, claim, {
    ...{ act: actOf(step), action: 'approve', before },
    also: { ...letter, ...(isAlone && { alone: { before: null, after: true } }) },
  });
  publishSettlement(em, claim, claim.settlement, new Date(deps.now()));
}

function offerOf({ settlement }: Claim): Settlement {
  if (settlement === null) throw new DomainError('not_found', 'There is no such offer.');
  return settlement;
}
