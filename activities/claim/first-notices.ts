/**
 * FNOL: the claim is filed on the term that contains the loss date, with that day's coverage. It is never refused for
 * lack of coverage. Contract 3.3.
 */
import type { EntityManager } from '@mikro-orm/postgresql';
import type { ClaimOutcome, FilePayload } from '../../contracts/claim.ts';
import type { Command, EntityRef } from '../../contracts/machinery/command.ts';
import { Claim } from '../../db/entities/claim/claim.ts';
import type { Policy } from '../../db/entities/policy/policy.ts';
import { addRows } from '../../db/new-rows.ts';
import { writeRelation } from '../../db/queries/access/relations.ts';
import { findParticulars } from '../../db/queries/claim/claim-words.ts';
import { earlierClaimAlike, findClaim, lockClaim } from '../../db/queries/claim/claims.ts';
import { nextClaimNumber } from '../../db/queries/platform/counters.ts';
import { findPolicy, lockPolicy } from '../../db/queries/policy/policies.ts';
import { shareInsured } from '../../db/queries/portal/own-rows.ts';
import { nextClaimDate, startClaimClocks } from '../../domain/claim/clocks.ts';
import { NOTHING_RESERVED } from '../../domain/claim/figures.ts';
import { yearOf } from '../../domain/dates.ts';
import { DomainError } from '../../domain/errors.ts';
import { judgeOf } from '../../plans/authority/own-authority.ts';
import { columnsOf } from '../../plans/claim/claim-figures.ts';
import { coverageOfLoss, termOfLoss } from '../../plans/claim/loss-term.ts';
import { type BusinessDay, businessDay } from '../../plans/platform/business-day.ts';
import { commandActivity, type Deps, transaction } from '../context.ts';
import { adjusterTuple } from './assignments.ts';
import { claimOutcome } from './claim-command.ts';
import { keepClaimFilings } from './claim-filings.ts';
import { publish, record } from './claim-history.ts';
import { orderAcknowledgement } from './claim-letters.ts';

/** Files a claim whose particulars the api has stored. A likely duplicate is flagged, not refused. */
export const fileClaim = (deps: Deps) =>
  commandActivity<FilePayload, Claim, ClaimOutcome>(deps, 'fileClaim', {
    lock: lockClaim,
    work: async (em, command, existing) => {
      if (existing !== null) throw new DomainError('already_exists', 'This claim already exists.');
      if ((await findParticulars(em, command.entityId)) === null) {
        throw new DomainError('not_found', 'The details of this claim were not found.');
      }
      const day = await businessDay(em, command.orgId, deps.now());
      const term = await lockedTerm(em, command.payload);
      await ensureMayFile(em, command, term);
      const claim = await newClaim(em, command, term, day);
      if (claim.adjusterId !== null) writeRelation(em, adjusterTuple(claim.id, claim.adjusterId));
      // The number is taken last: others wait for it until the commit.
      claim.claimNumber = await nextClaimNumber(em, yearOf(day.today));
      const also = await orderAcknowledgement(em, claim, day.today);
      record(em, claim, { act: { ...command, on: day.today }, action: 'file', before: null, also });
      publish(em, claim, 'claim.filed', new Date(deps.now()));
      addRows(em, [claim]);
      await keepClaimFilings(em, claim, { ...deps, today: day.today });
      return claimOutcome(claim, day);
    },
  });

/** Reads a claim for a workflow that starts without its state; null when there is none. */
export const readClaim =
  (deps: Deps) =>
  ({ orgId, entityId }: EntityRef): Promise<ClaimOutcome | null> =>
    transaction(deps, { kind: 'readClaim', orgId }, async (em) => {
      const claim = await findClaim(em, entityId);
      return claim && claimOutcome(claim, await businessDay(em, orgId, deps.now()));
    });

/** The term that covers the loss, locked: a policy change waits, and then finds the claim. */
async function lockedTerm(em: EntityManager, { policyId, lossDate }: FilePayload): Promise<Policy> {
  const named = await findPolicy(em, policyId);
  const term = named && (await lockPolicy(em, (await termOfLoss(em, named, lossDate)).id));
  if (term === null) throw new DomainError('not_found', 'There is no such policy.');
  return term;
}

/** An insured files on their own terms; anyone else needs the role for it. @throws DomainError forbidden */
async function ensureMayFile(em: EntityManager, command: Command<FilePayload>, term: Policy): Promise<void> {
  const { actor, orgId } = command;
  if (actor.role !== 'policyholder') {
    (await judgeOf(em, command, 'claim:create'))({ orgId });
    return;
  }
  if (await shareInsured(em, actor.id, term.id)) return;
  throw new DomainError('forbidden', 'This policy does not belong to the insured.', { permission: 'portal:use' });
}

async function newClaim(
  em: EntityManager,
  { entityId: id, actor, payload }: Command<FilePayload>,
  term: Policy,
  { today }: BusinessDay,
): Promise<Claim> {
  const { lossDate, containsPhi, estimatedAmountCents } = payload;
  const duplicateOf = await earlierClaimAlike(em, { id, policyId: term.id, lossDate });
  const loss = { lossDate, reportedOn: today, duplicateOf };
  const { coverage, flags } = await coverageOfLoss(em, term, loss);
  const clocks = startClaimClocks(term.state, today);
  const { policyNumber, insuredName, producerId, state, lineOfBusiness } = term;
  const facts = {
    ...{ id, claimNumber: '', status: 'reported' as const, policyId: term.id, policyNumber, insuredName, producerId },
    ...{ state, lineOfBusiness, ...loss, containsPhi, estimatedAmountCents, coverage, coverageFlags: flags, clocks },
    ...{ nextStepOn: nextClaimDate(clocks)?.on ?? null, createdBy: actor.id, entries: 0 },
    ...columnsOf(NOTHING_RESERVED),
    ...{ deductibleTakenCents: 0, settlement: null },
    // Adjusters see only their own claims, so a claim that one files is theirs until it is assigned. They see the
    // policy only once it is assigned: anyone can file on any policy number.
    isAssigned: false,
    adjusterId: actor.kind === 'user' && actor.role === 'claims_adjuster' ? actor.id : null,
  };
  return em.create(Claim, facts, { persist: false });
}
