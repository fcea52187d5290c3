/**
 * How the api talks to the workflows: one method for each command. Business refusals come back as `DomainError` with
 * the activity's code; an unreachable engine is `service_unavailable`. Nothing else of Temporal is visible outside.
 */
import type { Client, UpdateDefinition } from '@temporalio/client';
import type { Logger } from 'pino';
import { type AdvanceTestClock, advanceTestClockUpdate, type TestClockOutcome } from '../../contracts/clock.ts';
import type { Command } from '../../contracts/machinery/command.ts';
import { policyTarget, submissionTarget, testClockTarget } from '../../contracts/machinery/targets.ts';
import {
  type BindOutcome,
  type BindPayload,
  bindUpdate,
  correctUpdate,
  createUpdate,
  type DeclinePayload,
  declineUpdate,
  type NewSubmission,
  type QuoteOutcome,
  quoteUpdate,
  type SubmissionChanges,
  type SubmissionOutcome,
  type WithdrawPayload,
  withdrawUpdate,
} from '../../contracts/submission.ts';
import { COMMAND_DEADLINE_MS, TEST_CLOCK_DEADLINE_MS } from '../../domain/limits.ts';
import { Gateway } from './gateway.ts';
import { type AppointmentLifecycle, appointmentLifecycle } from './lifecycle-appointments.ts';
import { type BordereauLifecycle, bordereauLifecycle } from './lifecycle-bordereaux.ts';
import { type ClaimLifecycle, claimLifecycle } from './lifecycle-claims.ts';
import { type DocumentLifecycle, documentLifecycle } from './lifecycle-documents.ts';
import { type HoldLifecycle, holdLifecycle } from './lifecycle-holds.ts';
import { type MoneyLifecycle, moneyLifecycle } from './lifecycle-money.ts';
import { type PolicyLifecycle, policyLifecycle } from './lifecycle-policy.ts';
import { type ReferralLifecycle, referralLifecycle } from './lifecycle-referrals.ts';
import { type RemittanceLifecycle, remittanceLifecycle } from './lifecycle-remittances.ts';
import { type RenewalLifecycle, renewalLifecycle } from './lifecycle-renewals.ts';
import { type SigningLifecycle, signingLifecycle } from './lifecycle-signing.ts';
import type { Availability } from './temporal.ts';

/**
 * Every method throws `DomainError`: the business code of the refusal, or `service_unavailable` with
 * `retryAfterSeconds`.
 */
export interface Lifecycle
  extends MoneyLifecycle,
    RemittanceLifecycle,
    PolicyLifecycle,
    ClaimLifecycle,
    AppointmentLifecycle,
    RenewalLifecycle,
    ReferralLifecycle,
    HoldLifecycle,
    DocumentLifecycle,
    BordereauLifecycle,
    SigningLifecycle {
  /** Starts the submission's workflow; `entityId` is the new submission's id. */
  createSubmission(command: Command<NewSubmission>): Promise<SubmissionOutcome>;
  /** @throws DomainError invalid_state_transition, validation_failed */
  correctSubmission(command: Command<SubmissionChanges>): Promise<SubmissionOutcome>;
  /** @throws DomainError invalid_state_transition, not_ready */
  quoteSubmission(command: Command): Promise<QuoteOutcome>;
  /**
   * @throws DomainError invalid_state_transition, not_ready, quote_expired, delegated_authority_exceeded,
   * validation_failed
   */
  bindSubmission(command: Command<BindPayload>): Promise<BindOutcome>;
  /** @throws DomainError invalid_state_transition */
  withdrawSubmission(command: Command<WithdrawPayload>): Promise<SubmissionOutcome>;
  /** @throws DomainError invalid_state_transition */
  declineSubmission(command: Command<DeclinePayload>): Promise<SubmissionOutcome>;
  /**
   * Moves the organization's business date forward; `entityId` is the organization's id. Resolves once everything that
   * fell due has happened.
   * @throws DomainError invalid_state_transition
   */
  advanceTestClock(command: Command<AdvanceTestClock>): Promise<TestClockOutcome>;
  /** Starts the workflow of a policy that has none, e.g. after a database restore. Does nothing if it is running. */
  ensurePolicyWorkflow(orgId: string, policyId: string): Promise<void>;
  /** Whether Temporal answered the last probe. */
  isAvailable(): boolean;
}

export interface LifecycleOptions {
  client: Client;
  /** Task queue of the lifecycle workflows: `taskQueue('lifecycle', prefix)`. */
  taskQueue: string;
  availability: Availability;
  /** Called with the code and cause of each failed call. */
  logger: Logger;
  /** How long a caller waits for a command before getting a 503. */
  deadlineMs?: number;
  /** How long a caller waits for the test clock, which responds only after simulating months. */
  testClockDeadlineMs?: number;
}

/** Builds the gateway. A command keeps its update id however often it is sent, so sending it twice is harmless. */
export function createLifecycle(options: LifecycleOptions): Lifecycle {
  const { availability, deadlineMs = COMMAND_DEADLINE_MS, testClockDeadlineMs = TEST_CLOCK_DEADLINE_MS } = options;
  const gateway = new Gateway(options);
  const send = <P, R>(update: UpdateDefinition<R, [Command<P>]>, command: Command<P>) =>
    gateway.deliver(submissionTarget(command.orgId, command.entityId), update, command, deadlineMs);
  return {
    createSubmission: (command) => {
      const { orgId, entityId, payload } = command;
      return gateway.start(submissionTarget(orgId, entityId, payload), createUpdate, command, deadlineMs);
    },
    correctSubmission: (command) => send(correctUpdate, command),
    quoteSubmission: (command) => send(quoteUpdate, command),
    bindSubmission: (command) => send(bindUpdate, command),
    withdrawSubmission: (command) => send(withdrawUpdate, command),
    declineSubmission: (command) => send(declineUpdate, command),
    advanceTestClock: (command) =>
      gateway.start(testClockTarget(command.orgId), advanceTestClockUpdate, command, testClockDeadlineMs),
    ...moneyLifecycle(gateway, deadlineMs),
    ...remittanceLifecycle(gateway, deadlineMs),
    ...policyLifecycle(gateway, deadlineMs),
    ...claimLifecycle(gateway, deadlineMs),
    ...appointmentLifecycle(gateway, deadlineMs),
    ...holdLifecycle(gateway, deadlineMs),
    ...documentLifecycle(gateway, deadlineMs),
    ...bordereauLifecycle(gateway, deadlineMs),
    ...renewalLifecycle(gateway, deadlineMs),
    ...signingLifecycle(gateway, deadlineMs),
    ...referralLifecycle(gateway, deadlineMs),
    ensurePolicyWorkflow: (orgId, policyId) => gateway.ensure(policyTarget(orgId, policyId), deadlineMs),
    isAvailable: () => availability.isUp(),
  };
}
