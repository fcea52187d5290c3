/**
 * Reaches entities' workflows from inside an activity: starts those of new terms, announces an organization's new
 * business date, runs a day's batch.
 */

import { setTimeout as delay } from 'node:timers/promises';
import { Context } from '@temporalio/activity';
import { Client } from '@temporalio/client';
import type { NativeConnection } from '@temporalio/worker';
import type { Logger } from 'pino';
import type { EntityEngine, EntityName } from '../activities/context.ts';
import { advanceClockUpdate } from '../contracts/clock.ts';
import { rowChangedSignal } from '../contracts/machinery/command.ts';
import {
  appointmentTarget,
  autopayChargeTarget,
  bordereauTarget,
  claimTarget,
  dailyRenewalTarget,
  noticeTarget,
  policyTarget,
  signingEnvelopeTarget,
  submissionTarget,
  type Target,
} from '../contracts/machinery/targets.ts';
import { EngineClient } from '../providers/engine-client.ts';
import { dataConverter, type TemporalSettings } from '../providers/temporal.ts';
import { logEngineFault } from '../providers/temporal-errors.ts';
import { tracedCalls } from '../providers/tracing/client.ts';
import type { Tracing } from '../providers/tracing/port.ts';
import { healWorkflows } from './lost-workflows.ts';
import { TermStarts } from './term-starts.ts';

const CHARGE_WAIT_MS = 20_000;
const LEFT = 'The worker is stopping. Another worker will carry on.';

export interface EntityEngineOptions {
  connection: NativeConnection;
  namespace: string;
  /** Payload encryption keys, as used by the workflows. */
  payloadKeys: TemporalSettings['payloadKeys'];
  /** The entities' queue. */
  taskQueue: string;
  logger: Logger;
  tracing?: Tracing | null;
}

/** The worker's side of the engine. */
export interface WorkerEngine extends EntityEngine {
  /** Stops waiting for workflows: a stopping worker serves none. */
  leave(): void;
  /** Waits for starts in progress, which the engine must outlive. */
  settled(): Promise<void>;
}

/** Builds the engine; it shares the worker's connection. */
export function createEntityEngine(options: EntityEngineOptions): WorkerEngine {
  const { connection, namespace, taskQueue, payloadKeys, logger, tracing = null } = options;
  const interceptors = tracedCalls(tracing);
  const client = new Client({ connection, namespace, interceptors, dataConverter: dataConverter({ payloadKeys }) });
  const workflows = new EngineClient({ client, taskQueue });
  const terms = new TermStarts(workflows, logger);
  const leaving = new AbortController();
  const whileServing = <T>(answer: Promise<T>) => untilLeft(answer, leaving.signal);
  const engine: AwaitedEngine = {
    advanceClock: (entity, clockOffsetDays) =>
      whileServing(workflows.deliver(targetOf(entity), { update: advanceClockUpdate, argument: { clockOffsetDays } })),
    notifyRowChanged: (entity) => workflows.signal(targetOf(entity).workflowId, rowChangedSignal),
    heal: (expected, isDryRun) => healWorkflows(workflows, expected, isDryRun),
    chargeAutopay: ({ orgId, invoiceId, date }) =>
      whileServing(forAWhile(workflows.run<{ isDone: boolean }>(autopayChargeTarget(orgId, invoiceId, date)))),
    sendNotice: (orgId, notice) => workflows.startAsleep(noticeTarget(orgId, notice), 0),
    makeBordereau: ({ orgId, bordereauId }) => workflows.startAsleep(bordereauTarget(orgId, bordereauId), 0),
    renewDaily: ({ orgId, date }) => whileServing(workflows.run(dailyRenewalTarget(orgId, date))),
  };
  return {
    ...logged(engine, logger),
    startTerm: (orgId, term) => terms.start(orgId, term),
    leave: () => leaving.abort(new Error(LEFT)),
    settled: () => terms.settled(),
  };
}

type AwaitedEngine = Omit<EntityEngine, 'startTerm'>;

/** Wraps an engine to log failed calls with code and cause: an activity's failure says less. */
function logged(engine: AwaitedEngine, logger: Logger): AwaitedEngine {
  const entries = Object.entries(engine) as [string, (...args: never[]) => Promise<unknown>][];
  const watched = entries.map(([call, work]) => [
    call,
    (...args: never[]) =>
      work(...args).catch((error: unknown) => {
        logEngineFault(logger, error, { call });
        throw error;
      }),
  ]);
  return Object.fromEntries(watched) as unknown as AwaitedEngine;
}

/**
 * A stopping worker serves no workflows and would wait for itself: it leaves the activity to another worker, as does
 * one whose attempt is over.
 */
async function untilLeft<T>(answer: Promise<T>, leaving: AbortSignal): Promise<T> {
  const { promise: left, reject } = Promise.withResolvers<never>();
  const leave = () => reject(leaving.reason);
  leaving.addEventListener('abort', leave);
  if (leaving.aborted) leave();
  return Promise.race([answer, Context.current().cancelled, left]).finally(() =>
    leaving.removeEventListener('abort', leave),
  );
}

/** While the processor is unavailable, a charge keeps trying for up to a day: the test clock does not wait for it. */
function forAWhile(charge: Promise<{ isDone: boolean }>): Promise<{ isDone: boolean }> {
  const patience = delay(CHARGE_WAIT_MS, { isDone: false }, { ref: false });
  return Promise.race([charge, patience]);
}

const ENTITY_TARGETS = {
  submission: (orgId: string, id: string) => submissionTarget(orgId, id),
  policy: policyTarget,
  claim: claimTarget,
  appointment: appointmentTarget,
  envelope: signingEnvelopeTarget,
} satisfies Record<EntityName['kind'], (orgId: string, id: string) => Target>;

function targetOf({ kind, orgId, id }: EntityName): Target {
  return ENTITY_TARGETS[kind](orgId, id);
}
