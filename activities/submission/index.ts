// The activities of this slice, by name.
import type { Deps } from '../context.ts';
import { bindPolicy } from './binds.ts';
import { quoteSubmission } from './quotes.ts';
import { answerSubmissionReferral, decideSubmissionReferral, openSubmissionReferral } from './submission-referrals.ts';
import {
  correctSubmission,
  createSubmission,
  declineSubmission,
  expireSubmission,
  readSubmission,
  withdrawSubmission,
} from './submissions.ts';

export const submissionActivities = (deps: Deps) => ({
  createSubmission: createSubmission(deps),
  correctSubmission: correctSubmission(deps),
  quoteSubmission: quoteSubmission(deps),
  bindPolicy: bindPolicy(deps),
  withdrawSubmission: withdrawSubmission(deps),
  declineSubmission: declineSubmission(deps),
  expireSubmission: expireSubmission(deps),
  readSubmission: readSubmission(deps),
  openSubmissionReferral: openSubmissionReferral(deps),
  decideSubmissionReferral: decideSubmissionReferral(deps),
  answerSubmissionReferral: answerSubmissionReferral(deps),
});
