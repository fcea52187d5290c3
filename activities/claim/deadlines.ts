/**
 * What the calendar does to a claim: announces its deadlines and status letters, and notes those that pass unmet. Also
 * records that a status letter was sent. Each step checks the row first, so a second run changes nothing. Contract
 * 3.6, domain facts 6.3.
 */
import type { ClaimOutcome, LetterPayload } from '../../contracts/claim.ts';
import type { DueCommand } from '../../contracts/machinery/command.ts';
import { lockClaim } from '../../db/queries/claim/claims.ts';
import { writeEvent } from '../../db/queries/platform/events.ts';
import { noteLetter, turnClocks } from '../../domain/claim/clocks.ts';
import { type BusinessDate, daysBetween } from '../../domain/dates.ts';
import { DomainError } from '../../domain/errors.ts';
import { judgeOf } from '../../plans/authority/own-authority.ts';
import { claimFacts } from '../../plans/authority/resource-facts.ts';
import { businessDay } from '../../plans/platform/business-day.ts';
import { SYSTEM } from '../audit.ts';
import { type Deps, transaction } from '../context.ts';
import { actOf, claimCommand, claimOutcome, setClocks } from './claim-command.ts';
import { keepClaimFilings } from './claim-filings.ts';
import { record, shownFacts } from './claim-history.ts';
import { orderStatusLetter } from './claim-letters.ts';

/**
 * Records that a status letter was sent; the next one's clock starts that day.
 * @throws DomainError forbidden, invalid_state_transition if none is owed, validation_failed for `sentOn`
 */
export const recordStatusLetter = (deps: Deps) =>
  claimCommand<LetterPayload>(deps, 'recordStatusLetter', async (step) => {
    const { em, claim, command, day } = step;
    const { noteId, sentOn } = command.payload;
    (await judgeOf(em, command, 'claim:investigate'))(claimFacts(claim));
    const before = shownFacts(claim);
    const { status, reportedOn: earliest } = claim;
    const on = sentOn ?? day.today;
    setClocks(claim, noteLetter(claim.clocks, on, { earliest, today: day.today, status }));
    const also = { sentOn: { before: null, after: on } };
    record(em, claim, { act: actOf(step), action: 'status_letter', before, noteId, also });
  });

/** A status letter is made automatically this many days before it is due. */
const LETTER_DAYS = 1;

/** Advances a claim's clocks to a business date. */
export const turnClaimClocks =
  (deps: Deps) =>
  ({ orgId, entityId, today }: DueCommand): Promise<ClaimOutcome> =>
    transaction(deps, { kind: 'turnClaimClocks', orgId }, async (em) => {
      const claim = await lockClaim(em, entityId);
      if (claim === null) throw new DomainError('not_found', 'There is no such claim.');
      const day = await businessDay(em, orgId, deps.now());
      if (claim.status === 'closed') return claimOutcome(claim, day);
      const { id: claimId, state } = claim;
      const { clocks, announced, missed, lettersMissed } = turnClocks(claim.clocks, today);
      setClocks(claim, clocks);
      const filings = await keepClaimFilings(em, claim, { ...deps, today });
      const at = new Date(deps.now());
      for (const deadline of announced) {
        const data = { filingId: filings[deadline.kind] ?? null, claimId, state, ...deadline };
        writeEvent(em, 'compliance.deadline_approaching', data, at);
        if (deadline.kind === 'claim_status' && deadline.daysLeft <= LETTER_DAYS) {
          const also = await orderStatusLetter(em, claim, { on: today, dueDate: deadline.dueDate });
          record(em, claim, { ...ofCalendar(today), before: shownFacts(claim), also });
        }
      }
      const passed = [
        ...missed.map((kind) => ({ kind, dueDate: clocks[kind].dueDate })),
        ...lettersMissed.map((dueDate) => ({ kind: 'claim_status', dueDate })),
      ];
      for (const { kind, dueDate } of passed) {
        const filingId = filings[kind] ?? null;
        const data = { filingId, claimId, state, kind, dueDate, daysLeft: daysBetween(today, dueDate) };
        writeEvent(em, 'compliance.deadline_missed', data, at);
        record(em, claim, {
          ...{ ...ofCalendar(today), before: shownFacts(claim) },
          also: { missed: { before: null, after: kind }, dueDate: { before: null, after: dueDate } },
        });
      }
      await em.flush();
      return claimOutcome(claim, day);
    });

function ofCalendar(on: BusinessDate) {
  return { act: { actor: SYSTEM, requestId: null, on }, action: 'deadline' } as const;
}
