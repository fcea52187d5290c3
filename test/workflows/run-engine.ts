// The engine without the API: a worker on its own queues and database, and the gateway that sends commands.
// `engine.ts` adds the hooks of a test file.
import { randomBytes } from 'node:crypto';
import type { Activities } from '../../activities/create-activities.ts';
import { createLifecycle, type Lifecycle } from '../../api/engine/lifecycle.ts';
import { connectTemporal, type TemporalLink } from '../../api/engine/temporal.ts';
import { engineOf } from '../../api/start-api.ts';
import type { PayloadKey } from '../../config.ts';
import type { Command } from '../../contracts/machinery/command.ts';
import { policyWorkflowId, submissionWorkflowId } from '../../contracts/machinery/start.ts';
import { newId } from '../../db/ids.ts';
import { connectDatabase, type Database } from '../../db/orm.ts';
import { addDays, type BusinessDate } from '../../domain/dates.ts';
import type { InstallmentPlan } from '../../domain/lines.ts';
import type { SubmissionValues } from '../../domain/submission/submission.ts';
import { testConfig, testWorkerConfig } from '../support/config.ts';
import { checkEvents } from '../support/event-check.ts';
import { eventually } from '../support/eventually.ts';
import { testToday } from '../support/fixed/today.ts';
import { silentLogger } from '../support/logger.ts';
import { payloadKeys } from '../support/payload-keys.ts';
import { runWorker, type TestWorker } from '../support/run-worker.ts';
import { createTestDatabase, type TestDatabase } from '../support/servers/database.ts';
import { createTestOrganization, type TestOrganization } from '../support/servers/organization.ts';
import { startProviders, type TestProviders } from '../support/servers/providers.ts';
import { TEMPORAL_VARIABLE } from '../support/servers/servers.ts';

export interface EngineOptions extends Pick<TestOrganization, 'monthlyReports'> {
  /** host:port of a Temporal server other than the run's. */
  temporalAddress?: string;
  /** Connections of the database pool. */
  poolSize?: number;
  /** A database to use; by default a new one. */
  database?: TestDatabase;
  /** Sits between Temporal and each activity: it may fail before or after `run`, or only watch. */
  interfere?: Interference;
}

export type Interference = (
  activity: string,
  run: () => Promise<unknown>,
  argument: unknown,
  activities: Activities,
) => Promise<unknown>;

export interface Engine extends Tenant {
  testDatabase: TestDatabase;
  /** The task queue of this engine's workflows. */
  queue: string;
  temporal: TemporalLink;
  /** The card processor and storage that the activities use. */
  providers: TestProviders;
  /** Another organization on the same engine, with its own clock. */
  organization: () => Promise<Tenant>;
  /** Stops the worker; `startWorker` starts another, with other payload keys if given. */
  stopWorker: () => Promise<void>;
  startWorker: (keys?: readonly PayloadKey[]) => Promise<void>;
  close: () => Promise<void>;
}

/** An organization that can quote immediately, and the steps that tests share. */
export interface Tenant {
  orgId: string;
  database: Database;
  lifecycle: Lifecycle;
  /** The organization's business date when its clock has not been moved. */
  today: BusinessDate;
  /** A command from an administrator of the organization. */
  command: <P>(entityId: string, payload: P, commandId?: string) => Command<P>;
  /** A complete submission that quotes at 3,990.00 (Contract 3.1), effective in ten days. */
  risk: (changes?: Partial<SubmissionValues>) => SubmissionValues;
  /** Creates a submission and returns its id. */
  created: (changes?: Partial<SubmissionValues>) => Promise<string>;
  /** Creates and quotes a submission and returns its id. */
  quoted: (changes?: Partial<SubmissionValues>) => Promise<string>;
}

/** Starts an engine with a first organization; the caller closes it. */
export async function runEngine(options: EngineOptions = {}): Promise<Engine> {
  const testDatabase = options.database ?? (await createTestDatabase());
  const input = {
    database: testDatabase,
    temporalAddress: options.temporalAddress ?? process.env[TEMPORAL_VARIABLE] ?? '127.0.0.1:7233',
    taskQueuePrefix: `test-${randomBytes(5).toString('hex')}`,
    variables: { DATABASE_POOL_SIZE: String(options.poolSize ?? 10) },
  };
  const config = testConfig(input);
  const { databaseAppUrl: appUrl, databaseOpsUrl: opsUrl, poolSize } = config;
  const database = await connectDatabase({ appUrl, opsUrl, poolSize, logger: silentLogger });
  const temporal = await connectTemporal(config);
  const sending = engineOf(config, temporal, silentLogger);
  const lifecycle = createLifecycle(sending);
  const providers = await startProviders();
  let worker: TestWorker | null = null;
  const startWorker = async (keys = payloadKeys) => {
    const { interfere } = options;
    worker ??= await runWorker({
      ...{ database, providers, config: { ...testWorkerConfig(input), payloadKeys: keys } },
      ...(interfere === undefined ? {} : { around: (activities) => interfered(activities, interfere) }),
    });
  };
  const stopWorker = async () => {
    const running = worker;
    worker = null;
    await running?.stop();
  };
  await startWorker();
  const organization = () => createTenant(database, lifecycle, options.monthlyReports ?? false);
  const close = async () => {
    await stopWorker();
    await checkEvents(database).finally(() => Promise.all([temporal.close(), database.close(), providers.close()]));
  };
  return {
    ...(await organization()),
    testDatabase,
    queue: sending.taskQueue,
    temporal,
    providers,
    organization,
    startWorker,
    stopWorker,
    close,
  };
}

async function createTenant(database: Database, lifecycle: Lifecycle, monthlyReports: boolean): Promise<Tenant> {
  const orgId = await createTestOrganization(database, { name: 'Test', monthlyReports });
  const today = testToday();
  const command: Tenant['command'] = (entityId, payload, commandId = newId('request')) => {
    const actor = { kind: 'user', id: 'test-admin', role: 'org_admin' } as const;
    return { commandId, orgId, entityId, actor, requestId: newId('request'), payload };
  };
  const risk: Tenant['risk'] = (changes = {}) => ({
    insuredName: `Diner ${randomBytes(4).toString('hex')}`,
    naicsCode: '722511',
    annualRevenueCents: 100_000_000,
    requestedLimitCents: 100_000_000,
    effectiveDate: addDays(today, 10),
    state: 'TX',
    lineOfBusiness: 'GL',
    producerId: null,
    insuredEmail: null,
    insuredPhone: null,
    insuredAddress: null,
    deductibleCents: null,
    lossesLast5Years: 1,
    yearsInBusiness: null,
    usdotNumber: null,
    description: null,
    ...changes,
  });
  const created: Tenant['created'] = async (changes) => {
    const submissionId = newId('submission');
    await lifecycle.createSubmission(command(submissionId, risk(changes)));
    return submissionId;
  };
  const quoted: Tenant['quoted'] = async (changes) => {
    const submissionId = await created(changes);
    await lifecycle.quoteSubmission(command(submissionId, {}));
    return submissionId;
  };
  return { orgId, database, lifecycle, today, command, risk, created, quoted };
}

/**
 * Binds a new submission and waits until its workflow has ended and its policy's workflow is there: the bind is
 * answered before either.
 */
export async function bindNew(
  { temporal }: Pick<Engine, 'temporal'>,
  { orgId, quoted, lifecycle, command }: Tenant,
  changes: Partial<SubmissionValues> = {},
  installmentPlan: InstallmentPlan = 'PAY_IN_FULL',
): Promise<{ submissionId: string; policyId: string }> {
  const submissionId = await quoted(changes);
  const { policyId } = await lifecycle.bindSubmission(command(submissionId, { installmentPlan, quoteId: null }));
  const { workflow } = temporal.client;
  await workflow.getHandle(submissionWorkflowId(orgId, submissionId)).result();
  const term = workflow.getHandle(policyWorkflowId(orgId, policyId));
  await eventually(() => term.describe().then(Boolean, () => false), { what: 'the workflow of the policy' });
  return { submissionId, policyId };
}

function interfered(activities: Activities, interfere: Interference): Activities {
  const wrapped = Object.entries(activities).map(([name, activity]) => [
    name,
    (argument: never) =>
      interfere(name, () => (activity as (it: never) => Promise<unknown>)(argument), argument, activities),
  ]);
  return Object.fromEntries(wrapped) as Activities;
}
