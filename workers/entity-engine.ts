/**
 * Reaches the workflows of entities from inside an activity: announces a new business date of the organization, renews
 * a policy, runs the batch of a day.
 */

import { Context } from '@temporalio/activity';
import {
  Client,
  WithStartWorkflowOperation,
  WorkflowNotFoundError,
  WorkflowUpdateFailedError,
} from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import type { NativeConnection } from '@temporalio/worker';
import type { Logger } from 'pino';
import type { EntityEngine, EntityName } from '../activities/context.ts';
import { advanceClockUpdate } from '../contracts/clock.ts';
import { rowChangedSignal } from '../contracts/command.ts';
import { renewUpdate } from '../contracts/policy.ts';
import { queueBeside } from '../contracts/queues.ts';
import { SAGA_STATUS } from '../contracts/search-attributes.ts';
import {
  policyWorkflowId,
  renewalBatchWorkflowId,
  startOptions,
  submissionWorkflowId,
  WORKFLOW_TYPES,
} from '../contracts/start.ts';
import { DomainError, type ErrorDetails, isErrorCode } from '../domain/errors.ts';
import { dataConverter, type TemporalSettings } from '../providers/temporal.ts';
import { logEngineFault } from '../providers/temporal-errors.ts';
import { healWorkflows } from './lost-workflows.ts';

export interface EntityEngineOptions {
  connection: NativeConnection;
  namespace: string;
  /** Keys of the payloads, as the workflows have them. */
  payloadKeys: TemporalSettings['payloadKeys'];
  /** The queue of the entities. */
  taskQueue: string;
  logger: Logger;
}

/**
 * Uses a running workflow or starts a missing one: an entity's from its row, a batch's from its list.
 */
const ONE_RUN = { workflowIdReusePolicy: 'ALLOW_DUPLICATE', workflowIdConflictPolicy: 'USE_EXISTING' } as const;

/** Builds the gateway; it shares the worker's connection. */
export function createEntityEngine(options: EntityEngineOptions): EntityEngine {
  const { connection, namespace, taskQueue, payloadKeys, logger } = options;
  const client = new Client({ connection, namespace, dataConverter: dataConverter({ payloadKeys }) });
  const startOf = ({ kind, orgId, id }: EntityName) =>
    new WithStartWorkflowOperation(WORKFLOW_TYPES[kind], {
      ...startOptions(workflowIdOf({ kind, orgId, id }), 'caller', { orgId, entityId: id }),
      ...ONE_RUN,
      taskQueue,
      args: [kind === 'submission' ? { orgId, submissionId: id } : { orgId, policyId: id }],
    });
  const engine: EntityEngine = {
    async advanceClock(entity, clockOffsetDays) {
      const args: [{ clockOffsetDays: number }] = [{ clockOffsetDays }];
      try {
        return await client.workflow.getHandle(workflowIdOf(entity)).executeUpdate(advanceClockUpdate, { args });
      } catch (error) {
        if (!(error instanceof WorkflowNotFoundError)) throw error;
        // The row exists but its workflow does not: starting it is the repair.
        const startWorkflowOperation = startOf(entity);
        return await client.workflow.executeUpdateWithStart(advanceClockUpdate, { args, startWorkflowOperation });
      }
    },
    async notifyRowChanged(entity) {
      try {
        await client.workflow.getHandle(workflowIdOf(entity)).signal(rowChangedSignal);
      } catch (error) {
        if (!(error instanceof WorkflowNotFoundError)) throw error;
      }
    },
    async renewPolicy(command) {
      const { orgId, entityId: id, commandId: updateId } = command;
      const startWorkflowOperation = startOf({ kind: 'policy', orgId, id });
      try {
        return await whileServing(
          client.workflow.executeUpdateWithStart(renewUpdate, { args: [command], updateId, startWorkflowOperation }),
        );
      } catch (error) {
        throw refusalOf(error);
      }
    },
    heal: (expected, isDryRun) => healWorkflows(client, taskQueue, expected, isDryRun),
    async renewDaily({ orgId, date }) {
      const facts = { orgId, entityId: orgId, status: SAGA_STATUS.running };
      await whileServing(
        client.workflow.execute(WORKFLOW_TYPES.renewalBatch, {
          ...startOptions(renewalBatchWorkflowId(orgId, date), 'batch', facts),
          ...ONE_RUN,
          taskQueue: queueBeside(taskQueue, 'batch'),
          args: [{ orgId }],
        }),
      );
    },
  };
  return logged(engine, logger);
}

/** Wraps an engine to log failed calls with code and cause: the failure of an activity says less. */
function logged(engine: EntityEngine, logger: Logger): EntityEngine {
  const entries = Object.entries(engine) as [string, (...args: never[]) => Promise<unknown>][];
  const watched = entries.map(([call, work]) => [
    call,
    (...args: never[]) =>
      work(...args).catch((error: unknown) => {
        logEngineFault(logger, error, { call });
        throw error;
      }),
  ]);
  return Object.fromEntries(watched) as unknown as EntityEngine;
}

/**
 * A stopping worker serves no workflows and would wait for itself: it leaves the activity to another worker.
 */
function whileServing<T>(answer: Promise<T>): Promise<T> {
  return Promise.race([answer, Context.current().cancelled]);
}

function workflowIdOf({ kind, orgId, id }: EntityName): string {
  return kind === 'submission' ? submissionWorkflowId(orgId, id) : policyWorkflowId(orgId, id);
}

/**
 * The `DomainError` that refused an update. Any other failure is the engine's or the database's and is retried.
 */
function refusalOf(error: unknown): unknown {
  const cause = error instanceof WorkflowUpdateFailedError ? error.cause : null;
  if (!(cause instanceof ApplicationFailure) || !isErrorCode(cause.type)) return error;
  if (cause.type === 'service_unavailable') return error;
  return new DomainError(cause.type, cause.message, (cause.details?.[0] ?? {}) as ErrorDetails);
}
