/**
 * A submission from its receipt to its end: bound, declined, withdrawn or expired. Has one writer, refuses what its
 * state forbids, and expires it when nothing happens. The rows are the truth; activities write them.
 */
import { continueAsNew, proxyLocalActivities } from '@temporalio/workflow';
import type { Activities } from '../activities/create-activities.ts';
import { submissionReferral } from '../contracts/referral.ts';
import {
  bindUpdate,
  type CarriedSubmission,
  correctUpdate,
  createUpdate,
  declineUpdate,
  quoteUpdate,
  type SubmissionWorkflowInput,
  withdrawUpdate,
} from '../contracts/submission.ts';
import { isOpen, nextSubmissionStatus, type SubmissionAction } from '../domain/submission/submission.ts';
import { Entity } from './machinery/entity.ts';
import { DUE_STEP, ONE_TRANSACTION } from './machinery/options.ts';

type SubmissionState = CarriedSubmission;

const activities = proxyLocalActivities<Activities>(ONE_TRANSACTION);
const { readSubmission, expireSubmission } = proxyLocalActivities<Activities>(DUE_STEP);

export async function submissionWorkflow(input: SubmissionWorkflowInput): Promise<void> {
  const { orgId, submissionId } = input;
  const submission: Entity<SubmissionState> = new Entity<SubmissionState>(
    {
      ...{ orgId, entityType: 'submission', entityId: submissionId },
      load: () => readSubmission({ orgId, entityId: submissionId }),
      dueSteps: ({ expiresOn }) => [
        {
          on: expiresOn,
          what: 'expires',
          run: () => expireSubmission({ orgId, entityId: submissionId, today: submission.clock.today() }),
        },
      ],
      isOver: ({ status }) => !isOpen(status),
      isChangedByOthers: false,
    },
    input,
  );
  acceptCommands(submission);
  if ((await submission.serve()) !== 'continue') return;
  const { state, standing } = submission;
  const carried = state && { status: state.status, expiresOn: state.expiresOn, clockOffsetDays: state.clockOffsetDays };
  await continueAsNew<typeof submissionWorkflow>({ ...input, ...(carried ? { carried } : {}), standing });
}

function acceptCommands(submission: Entity<SubmissionState>): void {
  // What an open submission allows depends on more than its status (quote, flags, dates), so the activity decides it.
  // An expired submission may have expired with its quote, which a bind must report.
  const unlessEnded = (action: SubmissionAction) => () => {
    const status = submission.state?.status;
    if (status && !isOpen(status) && !(status === 'expired' && action === 'bind')) nextSubmissionStatus(status, action);
  };
  submission.accept(createUpdate, {
    description: 'Records a new submission: clearance, sanctions screen, triage.',
    // The activity decides: a command resent after its row was written finds its own outcome.
    validate: () => {},
    step: activities.createSubmission,
  });
  submission.accept(correctUpdate, {
    description: 'Completes or corrects the submission.',
    validate: unlessEnded('correct'),
    step: activities.correctSubmission,
  });
  submission.accept(quoteUpdate, {
    description: 'Prices the risk and issues a new quote version.',
    validate: unlessEnded('quote'),
    step: activities.quoteSubmission,
  });
  submission.accept(bindUpdate, {
    description: 'Binds the quote: policy, invoices, filings and events in one transaction.',
    validate: unlessEnded('bind'),
    step: activities.bindPolicy,
  });
  submission.accept(withdrawUpdate, {
    description: 'Withdraws the submission for the insured or the producer.',
    validate: unlessEnded('withdraw'),
    step: activities.withdrawSubmission,
  });
  submission.accept(declineUpdate, {
    description: 'Declines the submission for the underwriter.',
    validate: unlessEnded('decline'),
    step: activities.declineSubmission,
  });
  acceptReferrals(submission);
}

/** The row of the referral decides what it allows, so none of these is refused before it. */
function acceptReferrals(submission: Entity<SubmissionState>): void {
  submission.accept(submissionReferral.open, {
    description: 'Refers the submission to an underwriter with more authority.',
    validate: () => {},
    step: activities.openSubmissionReferral,
  });
  submission.accept(submissionReferral.decide, {
    description: 'Decides on the referral: approves, rejects or requests information.',
    validate: () => {},
    step: activities.decideSubmissionReferral,
  });
  submission.accept(submissionReferral.answer, {
    description: 'Answers the question on the referral.',
    validate: () => {},
    step: activities.answerSubmissionReferral,
  });
}
