/**
 * Changes to a submission other than quote and bind: received, corrected, withdrawn, declined, expired. New facts about
 * the risk go through clearance, sanctions screening and triage again.
 */
import type { EntityManager } from '@mikro-orm/postgresql';
import type { DueCommand, EntityRef } from '../../contracts/machinery/command.ts';
import {
  type DeclinePayload,
  type NewSubmission,
  NOTHING_KNOWN,
  type SubmissionChanges,
  type SubmissionOutcome,
  type WithdrawPayload,
} from '../../contracts/submission.ts';
import { Submission } from '../../db/entities/submission/submission.ts';
import { addRows } from '../../db/new-rows.ts';
import { holdProducer } from '../../db/queries/distribution/producers.ts';
import { writeAudit } from '../../db/queries/platform/audit.ts';
import {
  findSubmission,
  latestQuote,
  likelyDuplicate,
  lockSubmission,
} from '../../db/queries/submission/submissions.ts';
import { auditedChanges } from '../../domain/audit.ts';
import { ensureSells } from '../../domain/distribution/producer.ts';
import { DomainError, validationError } from '../../domain/errors.ts';
import type { SubmissionIntake } from '../../domain/submission/acord125.ts';
import { normalizeName } from '../../domain/submission/clearance.ts';
import {
  correctionAction,
  isOpen,
  missingFields,
  nextSubmissionStatus,
  stillAssumed,
} from '../../domain/submission/submission.ts';
import { judgeOf } from '../../plans/authority/own-authority.ts';
import { submissionFacts } from '../../plans/authority/resource-facts.ts';
import { type BusinessDay, businessDay } from '../../plans/platform/business-day.ts';
import { triageOf } from '../../plans/submission/triage.ts';
import { auditOf, type Origin, SYSTEM } from '../audit.ts';
import { withdrawReferral } from '../authority/referral-withdrawals.ts';
import { commandActivity, type Deps, transaction } from '../context.ts';
import { screenInsured } from './screened-insured.ts';
import {
  expiryAfter,
  type SubmissionStep,
  submissionCommand,
  submissionOutcome,
  supersedeOffer,
} from './submission-command.ts';

/**
 * Records a new submission: `triaged`, or `incomplete` with what is missing. A likely duplicate is flagged, not
 * refused.
 */
export const createSubmission = (deps: Deps) =>
  commandActivity<NewSubmission, Submission, SubmissionOutcome>(deps, 'createSubmission', {
    lock: lockSubmission,
    work: async (em, command, existing) => {
      if (existing !== null) throw new DomainError('already_exists', 'This submission already exists.');
      const day = await businessDay(em, command.orgId, deps.now());
      const { intake = null, ...given } = command.payload;
      const fields = { ...NOTHING_KNOWN, ...given };
      const judge = await judgeOf(em, command, 'submission:create');
      judge({ orgId: command.orgId, producerId: fields.producerId });
      await requireProducer(em, fields.producerId);
      const facts = {
        ...fields,
        intake,
        id: command.entityId,
        insuredNameNormalized: normalizedName(fields),
        status: 'received' as const,
        createdBy: command.actor.id,
        expiresOn: expiryAfter(day.today),
      };
      // Not persisted yet: the queries of the assessment would write the row before it is complete.
      const submission = em.create(Submission, facts, { persist: false });
      await assess(deps, em, submission, day);
      addRows(em, [submission]);
      const changes = auditedChanges(null, { ...fields, ...cameAs(intake), status: submission.status });
      writeAudit(em, auditOf(command, 'submission:create', 'submission', changes));
      return submissionOutcome(submission, day);
    },
  });

/**
 * Completes or corrects an open submission. A change that affects rating or authority ends the quote and the referral
 * based on the old risk.
 */
export const correctSubmission = (deps: Deps) =>
  submissionCommand<SubmissionChanges, SubmissionOutcome>(deps, 'correctSubmission', async (step) => {
    const { em, command, submission, day } = step;
    const judge = await judgeOf(em, command, 'submission:update');
    judge(submissionFacts(submission));
    const from = submission.status;
    const payload = { ...command.payload, ...confirmed(submission, command.payload) };
    const fields = changedProperties(submission, payload);
    const before = factsOf(submission, fields);
    const action = correctionAction(fields);
    submission.status = nextSubmissionStatus(from, action);
    if (fields.includes('producerId')) await requireProducer(em, command.payload.producerId ?? null);
    em.assign(submission, { ...payload, expiresOn: expiryAfter(day.today) });
    // No one may move a submission to a producer under which they could not have created it.
    judge(submissionFacts(submission));
    submission.insuredNameNormalized = normalizedName(submission);
    if (action === 'correct') {
      await dropOffers(em, command, submission);
      await assess(deps, em, submission, day);
    }
    await em.flush();
    const changes = auditedChanges(before, factsOf(submission, fields));
    writeAudit(em, auditOf(command, 'submission:update', 'submission', changes));
    return submissionOutcome(submission, day);
  });

/** Ends an open submission at the request of the insured or the producer, who may say why. */
export const withdrawSubmission = (deps: Deps) =>
  submissionCommand<WithdrawPayload, SubmissionOutcome>(deps, 'withdrawSubmission', (step) =>
    end(step, 'withdraw', step.command.payload.reason ?? null),
  );

/** Ends an open submission by the underwriter's decision, with the reason. */
export const declineSubmission = (deps: Deps) =>
  submissionCommand<DeclinePayload, SubmissionOutcome>(deps, 'declineSubmission', (step) =>
    end(step, 'decline', step.command.payload.reason),
  );

/** Ends an untouched submission on its day. One touched meanwhile stays open and returns its new day. */
export const expireSubmission =
  (deps: Deps) =>
  ({ orgId, entityId, today }: DueCommand): Promise<SubmissionOutcome> =>
    transaction(deps, { kind: 'expireSubmission', orgId }, async (em) => {
      const submission = await lockSubmission(em, entityId);
      if (submission === null) throw new DomainError('not_found', 'There is no such submission.');
      const day = await businessDay(em, orgId, deps.now());
      if (isOpen(submission.status) && submission.expiresOn !== null && submission.expiresOn <= today) {
        const from = submission.status;
        submission.status = nextSubmissionStatus(from, 'expire');
        const origin = { actor: SYSTEM, requestId: null, entityId };
        await withdrawReferral(em, origin);
        const changes = auditedChanges({ status: from }, { status: submission.status });
        writeAudit(em, auditOf(origin, 'submission:expire', 'submission', changes));
        await em.flush();
      }
      return submissionOutcome(submission, day);
    });

/** Reads a submission for a workflow that starts without its state; null when there is none. */
export const readSubmission =
  (deps: Deps) =>
  ({ orgId, entityId }: EntityRef): Promise<SubmissionOutcome | null> =>
    transaction(deps, { kind: 'readSubmission', orgId }, async (em) => {
      const submission = await findSubmission(em, entityId);
      return submission && submissionOutcome(submission, await businessDay(em, orgId, deps.now()));
    });

async function end(
  { em, command, submission, day }: SubmissionStep<unknown>,
  action: 'withdraw' | 'decline',
  reason: string | null,
): Promise<SubmissionOutcome> {
  const judge = await judgeOf(em, command, `submission:${action}`);
  judge(submissionFacts(submission));
  const from = submission.status;
  submission.status = nextSubmissionStatus(from, action);
  if (action === 'decline') submission.declineReason = reason;
  await dropOffers(em, command, submission);
  await em.flush();
  const changes = auditedChanges({ status: from }, { status: submission.status, [`${action}Reason`]: reason });
  writeAudit(em, auditOf(command, `submission:${action}`, 'submission', changes));
  return submissionOutcome(submission, day);
}

/** Clearance, sanctions screen, triage, and the status that follows from what is missing. */
async function assess(deps: Deps, em: EntityManager, submission: Submission, day: BusinessDay): Promise<void> {
  submission.missingFields = missingFields(submission);
  submission.clearance = {
    duplicateOf: await duplicateOf(em, submission),
    sanctionsMatches: await screenInsured(em, deps, submission.insuredName),
  };
  submission.triage = await triageOf(em, submission, day.today);
  const [missing] = submission.missingFields;
  if (missing === undefined) {
    if (submission.status !== 'triaged') submission.status = nextSubmissionStatus(submission.status, 'complete');
  } else if (submission.status === 'received' || submission.status === 'incomplete') {
    submission.status = 'incomplete';
  } else {
    throw validationError(missing, 'required', `${missing} is required and cannot be removed.`);
  }
}

async function duplicateOf(em: EntityManager, submission: Submission): Promise<string | null> {
  const { id, insuredName, insuredNameNormalized, state, lineOfBusiness, effectiveDate } = submission;
  if (
    insuredName === null ||
    !insuredNameNormalized ||
    state === null ||
    lineOfBusiness === null ||
    effectiveDate === null
  ) {
    return null;
  }
  return likelyDuplicate(em, { id, insuredName, insuredNameNormalized, state, lineOfBusiness, effectiveDate });
}

/** Drops the offers and the referral based on the old facts. */
async function dropOffers(em: EntityManager, origin: Origin, submission: Submission): Promise<void> {
  const latest = submission.quoteId === null ? null : await latestQuote(em, submission.id);
  const superseded = await supersedeOffer(em, origin, latest);
  if (superseded) writeAudit(em, superseded);
  await withdrawReferral(em, origin);
}

/**
 * The producer cannot be suspended before the commit.
 * @throws DomainError validation_failed; not_ready for one who is suspended or terminated
 */
async function requireProducer(em: EntityManager, producerId: string | null): Promise<void> {
  if (producerId === null) return;
  const status = await holdProducer(em, producerId);
  if (status === null) throw validationError('producerId', 'unknown_reference', 'There is no such producer.');
  ensureSells(status);
}

const normalizedName = ({ insuredName }: { insuredName: string | null }): string | null =>
  insuredName === null ? null : normalizeName(insuredName);

/** The form that a submission came in on; the data read from it is already among its facts. */
function cameAs(intake: SubmissionIntake | null): Record<string, unknown> {
  return intake === null ? {} : { documentId: intake.documentId };
}

/** Drops a submission's assumptions that the changes confirm. */
function confirmed({ intake }: Submission, changes: SubmissionChanges): Pick<NewSubmission, 'intake'> {
  if (!intake?.assumed.length) return {};
  return { intake: { ...intake, assumed: stillAssumed(intake.assumed, changes) } };
}

/** A submission's changed facts, and its status. */
function factsOf(submission: Submission, changed: readonly string[]): Record<string, unknown> {
  const fields = changed.filter((name) => name !== 'intake');
  return Object.fromEntries([...fields, 'status'].map((name) => [name, submission[name as keyof Submission]]));
}

function changedProperties(submission: Submission, changes: Partial<NewSubmission>): string[] {
  return Object.entries(changes)
    .filter(
      ([name, value]) => JSON.stringify(submission[name as keyof Submission] ?? null) !== JSON.stringify(value ?? null),
    )
    .map(([name]) => name);
}
