/**
 * What a step does to a referral while it holds the lock of the submission or policy: that lock orders everything that
 * happens to the referral. Contract 3.7.
 */
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Command } from '../../contracts/machinery/command.ts';
import type { AnswerReferralPayload, DecideReferralPayload, OpenReferralPayload } from '../../contracts/referral.ts';
import { Referral } from '../../db/entities/authority/referral.ts';
import { addRow } from '../../db/new-rows.ts';
import { holdLendersTo } from '../../db/queries/authority/delegations.ts';
import { findReferral, openReferralOf } from '../../db/queries/authority/referrals.ts';
import { writeAudit } from '../../db/queries/platform/audit.ts';
import { auditedChanges } from '../../domain/audit.ts';
import type { DaFlag } from '../../domain/authority/authority.ts';
import {
  type Clearance,
  clearedFlags,
  ensureAnsweredByOthers,
  nextReferralStatus,
  type ReferredFigures,
} from '../../domain/authority/referral.ts';
import { newReferralCalendar } from '../../domain/authority/referral-calendar.ts';
import type { JudgedRisk } from '../../domain/authority/standing-approval.ts';
import type { BusinessDate } from '../../domain/dates.ts';
import { DomainError } from '../../domain/errors.ts';
import { type Lender, mayBeLent } from '../../domain/permissions.ts';
import { judgeOf } from '../../plans/authority/own-authority.ts';
import { requesterIds } from '../../plans/authority/requesters.ts';
import { referralFacts } from '../../plans/authority/resource-facts.ts';
import { auditOf } from '../audit.ts';
import { ensureExpected } from '../expected-version.ts';
import { addRequester } from './requesters.ts';

/** The default question, if the approver enters none. */
const INFORMATION_NEEDED = 'More information is needed.';

/** The submission or policy of a referral, by id. */
export type ReferralSubject = { submissionId: string } | { policyId: string };

/** What is referred: the figures to decide on and, for a submission, its quote with the flags that need a decision. */
export interface Referred {
  today: BusinessDate;
  figures: ReferredFigures;
  quoteId?: string | null;
  flags?: DaFlag[];
  /** A submission's risk, if it can be priced. */
  judged?: JudgedRisk | null;
  /** Others whose request it is, besides the person presenting it. */
  requesters?: string[];
}

/**
 * Opens a referral for a person. One already opened automatically by a quote or change takes the person's reason;
 * there is never a second one.
 * @throws DomainError forbidden; already_exists with `{referralId}` when a person has already presented one
 */
export async function presentReferral(
  em: EntityManager,
  command: Command<OpenReferralPayload>,
  subject: ReferralSubject,
  referred: Referred,
): Promise<string> {
  const { payload, actor, orgId } = command;
  const judge = await judgeOf(em, command, 'referral:create');
  judge({ orgId });
  const open = await openReferralOf(em, subject);
  if (open?.isPresented) {
    const message = 'A referral of this submission or policy is already waiting for a decision.';
    throw new DomainError('already_exists', message, { referralId: open.id });
  }
  const presented = { reason: payload.reason, dealRoomId: payload.dealRoomId, isPresented: true };
  const referral = open ?? newReferral(em, command, subject, referred);
  Object.assign(referral, presented);
  await addRequester(em, referral, actor);
  const before = open && { isPresented: false };
  const { status } = referral;
  const changes = auditedChanges(before, open ? { isPresented: true } : { ...subject, status, isPresented: true });
  const action = open ? 'referral:present' : 'referral:create';
  writeAudit(em, auditOf({ ...command, entityId: referral.id }, action, 'referral', changes));
  return referral.id;
}

function newReferral(
  em: EntityManager,
  { payload, actor }: Command<OpenReferralPayload>,
  subject: ReferralSubject,
  { today, figures, quoteId = null, flags = [], judged = null, requesters = [] }: Referred,
): Referral {
  const { referralId: id, reason } = payload;
  const facts = {
    ...subject,
    ...figures,
    ...newReferralCalendar(today),
    id,
    quoteId,
    flags,
    judged,
    requesters,
    reason,
  };
  return addRow(em, Referral, { ...facts, status: 'pending', requestedBy: actor.id });
}

/** A decision, and how it is shown on the flags it clears. */
export interface Decided {
  referral: Referral;
  clearance: Clearance;
  /** The lender, if the authority was lent. */
  lender: Lender | null;
}

/** When it is decided: the business date, and the instant. */
export interface DecidedOn {
  today: BusinessDate;
  at: Date;
}

/**
 * Decides on the referral of a locked subject, or asks for more information.
 * @throws DomainError not_found, precondition_failed, forbidden with `{limit, actual}` or `{reason}`,
 * invalid_state_transition
 */
export async function decideOn(
  em: EntityManager,
  command: Command<DecideReferralPayload>,
  subject: ReferralSubject,
  { today, at }: DecidedOn,
): Promise<Decided> {
  const { decision, notes, conditions } = command.payload;
  const { id: by } = command.actor;
  const referral = await currentReferral(em, command, subject);
  const lenders = mayBeLent(command.actor, 'referral:decide') ? await holdLendersTo(em, by, today) : [];
  const judge = await judgeOf(em, command, 'referral:decide', lenders);
  const lender = judge(referralFacts(referral));
  const decidedFor = lender?.id ?? null;
  const before = { status: referral.status };
  referral.status = nextReferralStatus(referral.status, decision);
  const clearance = { referralId: referral.id, clearedBy: by, clearedAt: at.toISOString() };
  if (decision === 'request_info') {
    const question = { kind: 'question', by, at: at.toISOString(), text: notes ?? INFORMATION_NEEDED } as const;
    referral.remarks = [...referral.remarks, question];
  } else {
    Object.assign(referral, { decidedBy: by, decidedFor, decidedAt: at, notes, conditions });
  }
  if (decision === 'approve') referral.flags = clearedFlags(referral.flags, clearance);
  await em.flush();
  const after = { status: referral.status, ...(decidedFor === null ? {} : { decidedFor }) };
  const changes = auditedChanges(before, after);
  writeAudit(em, auditOf({ ...command, entityId: referral.id }, `referral:${decision}`, 'referral', changes));
  return { referral, clearance, lender };
}

/**
 * Answers the decider's question: the referral waits for the decision again.
 * @throws DomainError not_found, precondition_failed, forbidden, invalid_state_transition
 */
export async function answerQuestion(
  em: EntityManager,
  command: Command<AnswerReferralPayload>,
  subject: ReferralSubject,
  at: Date,
): Promise<void> {
  const { actor, orgId, payload } = command;
  const referral = await currentReferral(em, command, subject);
  const judge = await judgeOf(em, command, 'referral:create');
  judge({ orgId });
  const before = { status: referral.status };
  referral.status = nextReferralStatus(referral.status, 'answer');
  ensureAnsweredByOthers(referral.remarks, await requesterIds(em, actor));
  const answer = { kind: 'answer' as const, by: actor.id, at: at.toISOString(), text: payload.answer };
  referral.remarks = [...referral.remarks, answer];
  await em.flush();
  const changes = auditedChanges(before, { status: referral.status });
  writeAudit(em, auditOf({ ...command, entityId: referral.id }, 'referral:answer', 'referral', changes));
}

async function currentReferral(
  em: EntityManager,
  command: Command<{ referralId: string; expectedVersion: number | null }>,
  subject: ReferralSubject,
): Promise<Referral> {
  const { referralId, expectedVersion } = command.payload;
  const referral = await findReferral(em, referralId);
  const isOfSubject = Object.entries(subject).every(([name, id]) => referral?.[name as keyof ReferralSubject] === id);
  if (referral === null || !isOfSubject) throw new DomainError('not_found', 'There is no such referral.');
  if (expectedVersion !== null) ensureExpected({ ...command, expectedVersion }, referral);
  return referral;
}
