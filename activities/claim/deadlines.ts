/**
 * What the calendar does to a claim: its deadlines are announced, and noted when they pass unmet. Each step looks at
 * the row first, so a second run changes nothing. Contract 3.6, domain facts 6.3.
 */
import type { ClaimOutcome } from '../../contracts/claim.ts';
import type { DueCommand } from '../../contracts/command.ts';
import { lockClaim } from '../../db/queries/claim/claims.ts';
import { writeEvent } from '../../db/queries/platform/events.ts';
import { turnClocks } from '../../domain/claim/clocks.ts';
import { DomainError } from '../../domain/errors.ts';
import { SYSTEM } from '../audit.ts';
import { businessDay } from '../business-day.ts';
import { type Deps, transaction } from '../context.ts';
import { claimOutcome, setClocks } from './claim-command.ts';
import { record, shownFacts } from './claim-history.ts';

/** Turns the clocks of a claim to a business date. */
export const turnClaimClocks =
  (deps: Deps) =>
  ({ orgId, entityId, today }: DueCommand): Promise<ClaimOutcome> =>
    transaction(deps, { kind: 'turnClaimClocks', orgId }, async (em) => {
      const claim = await lockClaim(em, entityId);
      if (claim === null) throw new DomainError('not_found', 'There is no such claim.');
      const day = await businessDay(em, orgId, deps.now());
      if (claim.status === 'closed') return claimOutcome(claim, day);
      const { id: claimId, state } = claim;
      const { clocks, announced, missed } = turnClocks(claim.clocks, today);
      setClocks(claim, clocks);
      for (const deadline of announced) {
        const data = { filingId: null, claimId, state, ...deadline };
        writeEvent(em, 'compliance.deadline_approaching', data, new Date(deps.now()));
      }
      for (const kind of missed) {
        const { dueDate } = clocks[kind];
        record(em, claim, {
          ...{ act: { actor: SYSTEM, requestId: null, on: today }, action: 'deadline', before: shownFacts(claim) },
          also: { missed: { before: null, after: kind }, dueDate: { before: null, after: dueDate } },
        });
      }
      await em.flush();
      return claimOutcome(claim, day);
    });
