// The activities on a real database, without a workflow: each runs as Temporal would run one attempt.
import { join } from 'node:path';
import { ApplicationFailure } from '@temporalio/common';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import test, { type ExecutionContext } from 'ava';
import { createActivities } from '../../activities/create-activities.ts';
import type { Command } from '../../contracts/machinery/command.ts';
import { PRIORITY, type Urgency } from '../../contracts/machinery/queues.ts';
import { newId } from '../../db/ids.ts';
import { connectDatabase, type Database } from '../../db/orm.ts';
import { createOrganization } from '../../db/queries/platform/new-organization.ts';
import type { StatementObserver } from '../../db/statements.ts';
import { businessDateAt } from '../../domain/business-day.ts';
import { addDays, type BusinessDate } from '../../domain/dates.ts';
import type { SanctionsMatch } from '../../domain/submission/sanctions.ts';
import type { SubmissionValues } from '../../domain/submission/submission.ts';
import { createTypesetter } from '../../providers/typesetting/typesetter.ts';
import { checkEvents } from '../support/event-check.ts';
import { DAYS_AHEAD } from '../support/fixed/today.ts';
import { silentLogger } from '../support/logger.ts';
import { createTestDatabase } from '../support/servers/database.ts';
import { startProviders, type TestProviders } from '../support/servers/providers.ts';
import { loneDeps } from './lone-deps.ts';

const DAY_MS = 86_400_000;

export interface Steps {
  orgId: string;
  database: Database;
  /** As the owner of the tables, past row-level security. */
  ownerUrl: string;
  /** The card processor and storage that the activities use. */
  providers: TestProviders;
  today: BusinessDate;
  activities: ReturnType<typeof createActivities>;
  /** From then on, commands see the real clock this many days later. */
  passDays: (days: number) => void;
  /** What the next screenings find, instead of the real list's matches. */
  find: (matches: SanctionsMatch[]) => void;
  command: <P>(entityId: string, payload: P, commandId?: string) => Command<P>;
  risk: (changes?: Partial<SubmissionValues>) => SubmissionValues;
  /** Creates and quotes a submission, and returns its id. */
  quoted: (changes?: Partial<SubmissionValues>) => Promise<string>;
}

const open: { close: () => Promise<void> }[] = [];

test.after.always('the databases and providers of this file are closed', async () => {
  await Promise.all(open.map((part) => part.close()));
});

/** Sets up the activities with their own organization. */
export async function prepareSteps(
  t: { title?: string },
  environment: 'local' | 'sandbox' | 'production' = 'local',
  observeStatement?: StatementObserver,
): Promise<Steps> {
  const { appUrl, opsUrl, ownerUrl } = await createTestDatabase(t);
  const database = await connectDatabase({ appUrl, opsUrl, poolSize: 5, logger: silentLogger, observeStatement });
  const [providers, typesetter] = [await startProviders(), createTypesetter()];
  const checked = { close: () => checkEvents(database).finally(() => database.close()) };
  open.push(checked, providers, typesetter);
  const orgId = newId('organization');
  await database.transaction(orgId, (em) => createOrganization(em, { id: orgId, name: 'Test' }));

  let nowMs = Date.now();
  let found: SanctionsMatch[] | null = null;
  const deps = loneDeps(database, {
    ...{ environment, typesetter, scratchFolder: join(providers.folder, 'scratch') },
    ...{ card: providers.card, storage: providers.storage, signing: providers.signing, mail: providers.mail },
    now: () => nowMs,
  });
  const screening = { screen: async (name: string) => found ?? deps.screening.screen(name) };
  const activities = createActivities({ ...deps, screening });
  const today = businessDateAt(nowMs, DAYS_AHEAD);
  const command: Steps['command'] = (entityId, payload, commandId = newId('request')) => {
    const actor = { kind: 'user', id: 'test-admin', role: 'org_admin' } as const;
    return { commandId, orgId, entityId, actor, requestId: newId('request'), payload };
  };
  const risk: Steps['risk'] = (changes = {}) => ({ ...RISK, effectiveDate: addDays(today, 10), ...changes });
  return {
    ...{ orgId, database, ownerUrl, providers, today, activities, command, risk },
    passDays: (days) => {
      nowMs += days * DAY_MS;
    },
    find: (matches) => {
      found = matches;
    },
    quoted: async (changes) => {
      const submissionId = newId('submission');
      await activities.createSubmission(command(submissionId, risk(changes)));
      await activities.quoteSubmission(command(submissionId, {}));
      return submissionId;
    },
  };
}

/** A restaurant in Texas quoted at 3,990.00 (Contract 3.1). */
const RISK: SubmissionValues = {
  insuredName: 'Blue Plate Diner',
  naicsCode: '722511',
  annualRevenueCents: 100_000_000,
  requestedLimitCents: 100_000_000,
  effectiveDate: null,
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
};

/** Asserts that a step is refused for good with a code, and returns the details. */
export async function refused(
  t: ExecutionContext,
  step: Promise<unknown>,
  code: string,
  message = /./,
): Promise<Record<string, unknown>> {
  const failure = await t.throwsAsync(step);
  if (!(failure instanceof ApplicationFailure)) throw failure;
  t.is(failure.type, code, failure.message);
  t.regex(failure.message, message);
  t.true(failure.nonRetryable);
  return (failure.details?.[0] ?? {}) as Record<string, unknown>;
}

/** Runs a step as its nth attempt. */
export function attempt<R>(number: number, step: () => Promise<R>, urgency: Urgency = 'caller'): Promise<R> {
  const info = { attempt: number, priority: { priorityKey: PRIORITY[urgency] } };
  const environment = new MockActivityEnvironment(info, { logger: new DefaultLogger('ERROR') });
  return environment.run(step) as Promise<R>;
}
