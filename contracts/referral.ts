// The commands on referrals and their outcomes. The waiting submission's or policy's workflow carries them out, so a
// decision is sequenced with everything else that happens there. Contract 3.7.

import { defineUpdate } from '@temporalio/workflow';
import type { ReferralDecision } from '../domain/authority/referral.ts';
import type { Command } from './machinery/command.ts';
import type { PolicyChangeOutcome, PolicyOutcome } from './policy.ts';
import type { SubmissionOutcome } from './submission.ts';

/** The entity of a command on a referral is its subject; `If-Match` names the version of the referral. */
interface OnReferral {
  referralId: string;
  expectedVersion: number | null;
}

export interface OpenReferralPayload {
  /** The id of the new referral, unless one opened by a quote or a change is awaiting its reason. */
  referralId: string;
  dealRoomId: string | null;
  reason: string;
}

export interface DecideReferralPayload extends OnReferral {
  decision: ReferralDecision;
  notes: string | null;
  conditions: string[];
}

export interface AnswerReferralPayload extends OnReferral {
  answer: string;
}

/** The referral concerned. */
interface OfReferral {
  referralId: string;
}

export type ReferredSubmission = SubmissionOutcome & OfReferral;

export type ReferredPolicy = PolicyOutcome & OfReferral;

/** What an approval carried out, if anything; `renewal` is the next term, whose workflow must start. */
export type DecidedPolicy = ReferredPolicy & Partial<PolicyChangeOutcome> & { renewal?: PolicyOutcome | null };

export const submissionReferral = {
  open: defineUpdate<ReferredSubmission, [Command<OpenReferralPayload>]>('openReferral'),
  decide: defineUpdate<ReferredSubmission, [Command<DecideReferralPayload>]>('decideReferral'),
  answer: defineUpdate<ReferredSubmission, [Command<AnswerReferralPayload>]>('answerReferral'),
};

export const policyReferral = {
  open: defineUpdate<ReferredPolicy, [Command<OpenReferralPayload>]>('openReferral'),
  decide: defineUpdate<DecidedPolicy, [Command<DecideReferralPayload>]>('decideReferral'),
  answer: defineUpdate<ReferredPolicy, [Command<AnswerReferralPayload>]>('answerReferral'),
};
