/**
 * The dependencies of every activity, and its two shapes: a caller's command, stored with its outcome, and a step
 * triggered by a date. Both are one transaction in the organization's scope and safe to run twice.
 */

import type { EntityManager } from '@mikro-orm/postgresql';
import { activityInfo } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import type { Logger } from 'pino';
import type { BordereauWorkflowInput } from '../contracts/bordereau.ts';
import type { Command, Repeatable } from '../contracts/machinery/command.ts';
import type { ExpectedWorkflow } from '../contracts/machinery/healing.ts';
import type { Notice } from '../contracts/notice.ts';
import type { PolicyOutcome } from '../contracts/policy.ts';
import { isContention, isUnavailable } from '../db/faults.ts';
import type { Database } from '../db/orm.ts';
import { commandResult, saveCommand } from '../db/queries/platform/commands.ts';
import type { DueRow } from '../db/queries/platform/due-rows.ts';
import { DomainError } from '../domain/errors.ts';
import type { MailPort } from '../providers/mail-port.ts';
import type {
  CardProcessor,
  ObjectStorage,
  PdfEngine,
  SanctionsScreening,
  SigningService,
  Typesetter,
} from '../providers/ports.ts';
import type { TemporalSettings } from '../providers/temporal.ts';
import type { WebhookSender } from '../providers/webhooks/sender.ts';

/** Attempts at a fault that is neither a refusal nor an outage, before the caller gets an error. */
const ATTEMPTS_AT_A_FAULT = 3;

/** An entity that has a workflow. */
export interface EntityName extends DueRow {
  orgId: string;
}

/** Reaches the workflows of entities; one that is missing is started again. */
export interface EntityEngine {
  /**
   * Hands the workflow the organization's offset and waits until it has tried what fell due by it; answers whether all
   * of it is done.
   */
  advanceClock(entity: EntityName, clockOffsetDays: number): Promise<{ isDone: boolean }>;
  /** Has a policy's workflow read its row again; one that does not run reads it when it is started. */
  notifyRowChanged(entity: EntityName): Promise<void>;
  /**
   * Starts the workflow of a term whose rows are committed, asleep until its first date. Nobody waits for it and it
   * never throws: a command starts a workflow that is missing, and so does healing. Starting twice does nothing.
   */
  startTerm(orgId: string, term: PolicyOutcome): void;
  /**
   * Which of these do not run: each is started from its row unless it is a dry run. Answers the ids of their workflows.
   */
  heal(expected: readonly ExpectedWorkflow[], isDryRun: boolean): Promise<string[]>;
  /**
   * Charges a bill to the card that the insured has let us keep, and waits for the outcome for a while; answers whether
   * there is one.
   */
  chargeAutopay(bill: { orgId: string; invoiceId: string; date: string }): Promise<{ isDone: boolean }>;
  /** Starts the e-mail of a notice; nobody waits for it. Starting twice does nothing. */
  sendNotice(orgId: string, notice: Notice & { policyId: string }): Promise<void>;
  /** Runs the daily renewal batch of an organization's business date to its end. */
  renewDaily(organization: { orgId: string; date: string }): Promise<void>;
  /** Has a bordereau that was opened be made; nobody waits for it. Starting twice does nothing. */
  makeBordereau(bordereau: BordereauWorkflowInput): Promise<void>;
}

export interface Deps {
  database: Database;
  /** Real time in milliseconds since 1970; business dates are made from it. */
  now: () => number;
  screening: SanctionsScreening;
  card: CardProcessor;
  storage: ObjectStorage;
  /** Where files lie while they are written. */
  scratchFolder: string;
  signing: SigningService;
  mail: Pick<MailPort, 'send'>;
  /** Null where no browser runs: documents are answered with 503. */
  pdf: Pick<PdfEngine, 'render'> | null;
  typesetter: Pick<Typesetter, 'page' | 'fillForm'>;
  engine: EntityEngine;
  /** The way to the receivers of tenants. */
  webhooks: Pick<WebhookSender, 'send'>;
  /** Under which stored secrets are sealed. */
  payloadKeys: TemporalSettings['payloadKeys'];
  environment: 'local' | 'sandbox' | 'production';
  /** The organization alerted to unattributed money; by default the demo organization. */
  defaultOrgId?: string | null;
  logger: Logger;
}

/** One command: how its entity is locked before anything else is read, and what is done to it. */
export interface CommandSteps<P, E, R> {
  /** Reads and locks the row, or answers null. Commands on one entity wait here for each other. */
  lock: (em: EntityManager, entityId: string, command: Command<P>) => Promise<E | null>;
  /** New rows persisted last, after changed ones are flushed, are written in one round trip with the outcome. */
  work: (em: EntityManager, command: Command<P>, locked: E | null) => Promise<R>;
}

/**
 * Builds the activity that carries out a command once, however often it runs. The outcome is stored under the
 * command's id in the same transaction, so a second run fails, on what the first changed or on that very row, and
 * returns the stored outcome.
 */
export function commandActivity<P, E, R extends object>(
  deps: Deps,
  kind: string,
  { lock, work }: CommandSteps<P, E, R>,
) {
  return async (command: Command<P>): Promise<Repeatable<R>> => {
    const { orgId, commandId, entityId, requestId } = command;
    const step = { kind, orgId, requestId };
    try {
      return await deps.database.transaction(orgId, async (em) => {
        const outcome = await work(em, command, await lock(em, entityId, command));
        saveCommand(em, commandId, kind, outcome);
        return outcome;
      });
    } catch (error) {
      const earlier = await transaction(deps, step, (em) => commandResult(em, commandId));
      if (earlier !== null) return { ...(earlier as R), repeated: true };
      throw activityFailure(deps, step, error);
    }
  };
}

/** The log fields of a step. */
export interface Step {
  kind: string;
  orgId: string;
  /** The request of the caller; absent where a date is the cause. */
  requestId?: string;
}

/** One transaction whose refusals and faults become Temporal failures. */
export async function transaction<R>(deps: Deps, step: Step, work: (em: EntityManager) => Promise<R>): Promise<R> {
  try {
    return await deps.database.transaction(step.orgId, work);
  } catch (error) {
    throw activityFailure(deps, step, error);
  }
}

/** What a busy machine has not done in time: tried a few times, and then the caller may ask for it again. */
export class NotDoneInTime extends Error {}

/** A refusal is final, an outage is tried again for long, anything else a few times. */
export function activityFailure(deps: Pick<Deps, 'logger'>, step: Step, error: unknown): unknown {
  if (error instanceof ApplicationFailure) return error;
  if (error instanceof DomainError && !isOutage(error)) return refusal(error);
  const { attempt } = activityInfo();
  // The log writes no values of rows that an error quotes (http/log.ts).
  const logFields = { ...step, attempt, err: error };
  if (error instanceof DomainError) {
    deps.logger.warn(logFields, 'a dependency is unavailable; the step will be retried');
    return ApplicationFailure.retryable(error.message, 'service_unavailable');
  }
  if (isContention(error)) {
    deps.logger.warn(logFields, 'a transaction gave way to another one; the step will be retried');
    return ApplicationFailure.retryable('Another transaction was changing the same rows.', 'service_unavailable');
  }
  if (isUnavailable(error)) {
    deps.logger.warn(logFields, 'the database is unavailable; the step will be retried');
    return ApplicationFailure.retryable('The database is unavailable.', 'service_unavailable');
  }
  const [message, code] =
    error instanceof NotDoneInTime ? [error.message, 'service_unavailable'] : ['The step failed.', 'internal_error'];
  if (attempt < ATTEMPTS_AT_A_FAULT) {
    deps.logger.warn(logFields, 'a step failed and will be retried');
    return ApplicationFailure.retryable(message, code);
  }
  deps.logger.error(logFields, 'a step failed');
  return ApplicationFailure.nonRetryable(message, code);
}

/** An adapter that cannot reach its server passes on why. */
function isOutage({ code, cause }: DomainError): boolean {
  return code === 'service_unavailable' && cause !== undefined;
}

/** Benign: a refusal is an answer, and the worker need not warn of it. */
function refusal({ message, code, details }: DomainError): ApplicationFailure {
  return ApplicationFailure.create({ message, type: code, details: [details], nonRetryable: true, category: 'BENIGN' });
}
