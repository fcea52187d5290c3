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

/** Attempts at a fault (neither refusal nor outage) before the caller gets an error. */
export const ATTEMPTS_AT_A_FAULT = 3;

/** An entity that has a workflow. */
export interface EntityName extends DueRow {
  orgId: string;
}

/** Reaches entities' workflows; a missing one is restarted. */
export interface EntityEngine {
  /**
   * Hands the workflow the organization's offset and waits until it has tried what fell due; returns whether all is
   * done.
   */
  advanceClock(entity: EntityName, clockOffsetDays: number): Promise<{ isDone: boolean }>;
  /** Makes a policy's workflow reread its row; one not running reads it when started. */
  notifyRowChanged(entity: EntityName): Promise<void>;
  /**
   * Starts the workflow of a term whose rows are committed, asleep until its first date. Does not wait and never
   * throws: a command, or healing, starts a missing workflow. Starting twice does nothing.
   */
  startTerm(orgId: string, term: PolicyOutcome): void;
  /**
   * Finds which of these are not running and starts each from its row, unless a dry run. Returns their workflow ids.
   */
  heal(expected: readonly ExpectedWorkflow[], isDryRun: boolean): Promise<string[]>;
  /** Charges a bill to the insured's stored card, and waits a while for the outcome; returns whether there is one. */
  chargeAutopay(bill: { orgId: string; invoiceId: string; date: string }): Promise<{ isDone: boolean }>;
  /** Starts a notice's e-mail without waiting. Starting twice does nothing. */
  sendNotice(orgId: string, notice: Notice & { policyId: string }): Promise<void>;
  /** Runs the daily renewal batch of an organization's business date to its end. */
  renewDaily(organization: { orgId: string; date: string }): Promise<void>;
  /** Starts making an opened bordereau without waiting. Starting twice does nothing. */
  makeBordereau(bordereau: BordereauWorkflowInput): Promise<void>;
}

export interface Deps {
  database: Database;
  /** Real time in milliseconds since 1970; business dates are made from it. */
  now: () => number;
  screening: SanctionsScreening;
  card: CardProcessor;
  storage: ObjectStorage;
  /** The directory for files being written. */
  scratchFolder: string;
  signing: SigningService;
  mail: Pick<MailPort, 'send'>;
  /** Null if no browser runs: document requests get 503. */
  pdf: Pick<PdfEngine, 'render'> | null;
  typesetter: Pick<Typesetter, 'page' | 'fillForm' | 'mark'>;
  engine: EntityEngine;
  /** The connection to tenants' receivers. */
  webhooks: Pick<WebhookSender, 'send'>;
  /** The keys that seal stored secrets. */
  payloadKeys: TemporalSettings['payloadKeys'];
  environment: 'local' | 'sandbox' | 'production';
  /** The organization to alert about unattributed money; by default the demo organization. */
  defaultOrgId?: string | null;
  logger: Logger;
}

/** A command: how its entity is locked before anything else is read, and what it does. */
export interface CommandSteps<P, E, R> {
  /** Reads and locks the row, or returns null. Commands on one entity wait here for each other. */
  lock: (em: EntityManager, entityId: string, command: Command<P>) => Promise<E | null>;
  /** New rows persisted last, after changed ones are flushed, are written in one round trip with the outcome. */
  work: (em: EntityManager, command: Command<P>, locked: E | null) => Promise<R>;
}

/**
 * Builds the activity that carries out a command once, however often it runs. The outcome is stored under the
 * command's id in the same transaction, so a second run fails, on what the first changed or on that row, and returns
 * the stored outcome.
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
  /** The caller's request; absent if a date is the cause. */
  requestId?: string;
}

/** A transaction whose refusals and faults become Temporal failures. */
export async function transaction<R>(deps: Deps, step: Step, work: (em: EntityManager) => Promise<R>): Promise<R> {
  try {
    return await deps.database.transaction(step.orgId, work);
  } catch (error) {
    throw activityFailure(deps, step, error);
  }
}

/** Work that a busy machine did not finish in time: retried a few times, then the caller may request it again. */
export class NotDoneInTime extends Error {}

/** A refusal is final, an outage is retried for a long time, anything else a few times. */
export function activityFailure(deps: Pick<Deps, 'logger'>, step: Step, error: unknown): unknown {
  if (error instanceof ApplicationFailure) return error;
  if (error instanceof DomainError && !isOutage(error)) return refusal(error);
  const { attempt } = activityInfo();
  // The log omits row values quoted in an error (http/log.ts).
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

/** An adapter that cannot reach its server says why. */
function isOutage({ code, cause }: DomainError): boolean {
  return code === 'service_unavailable' && cause !== undefined;
}

/** Benign: a refusal is an answer, and the worker need not warn about it. */
function refusal({ message, code, details }: DomainError): ApplicationFailure {
  return ApplicationFailure.create({ message, type: code, details: [details], nonRetryable: true, category: 'BENIGN' });
}
