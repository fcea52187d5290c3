// The daily sweep of every organization's deadlines.
import { randomBytes } from 'node:crypto';
import anyTest, { type TestFn } from 'ava';
import { WORKFLOW_TYPES } from '../../../contracts/machinery/start.ts';
import { Referral } from '../../../db/entities/authority/referral.ts';
import { Event } from '../../../db/entities/platform/event.ts';
import { newId } from '../../../db/ids.ts';
import { addRow } from '../../../db/new-rows.ts';
import { addDays } from '../../../domain/dates.ts';
import { aSubmission } from '../../db/rows.ts';
import { type Engine, startEngine, type Tenant } from '../engine.ts';
import { addFiling } from '../stories/stories-sweeps.ts';

const test = anyTest as TestFn<Engine>;

test.before('an engine is started', async (t) => {
  t.context = await startEngine(t);
});

const announced = ({ database, orgId }: Tenant) =>
  database.forOrg(orgId, (em) => em.find(Event, { type: 'compliance.deadline_approaching' }));

/** A referral from the third day, in an organization without filings. */
const addReferral = ({ database, orgId, today }: Tenant) =>
  database.transaction(orgId, async (em) => {
    const id = newId('referral');
    const calendar = { expiresOn: addDays(today, 11), nextStepOn: today };
    const facts = { status: 'pending', requestedBy: 'usr_a', reason: 'Three losses.' } as const;
    addRow(em, Referral, { id, submissionId: aSubmission(em).id, ...facts, ...calendar });
    return id;
  });

const sweep = ({ temporal, queue }: Pick<Engine, 'temporal' | 'queue'>) =>
  temporal.client.workflow.execute(WORKFLOW_TYPES.complianceSweep, {
    workflowId: `compliance-sweep/${randomBytes(6).toString('hex')}`,
    taskQueue: queue,
    args: [{ page: 2 }],
    workflowExecutionTimeout: '2 minutes',
  });

test('a sweep announces everything due in every organization, and a second one of the day says nothing', async (t) => {
  const { organization } = t.context;
  const tenants = await Promise.all([1, 2, 3].map(() => organization()));
  for (const tenant of tenants) await addFiling(tenant, newId('producer'));
  const waiting = await organization();
  const referralId = await addReferral(waiting);
  for (let run = 0; run < 2; run += 1) {
    await sweep(t.context);
    for (const tenant of tenants) {
      const events = await announced(tenant);
      t.is(events.length, 1);
      t.like(events[0]?.data, { kind: 'licence_renewal', state: 'TX', daysLeft: 7 });
    }
    const reminders = await waiting.database.forOrg(waiting.orgId, (em) =>
      em.find(Event, { type: 'referral.reminder' }),
    );
    t.deepEqual(
      reminders.map(({ data }) => [data.referralId, data.daysLeft]),
      [[referralId, 11]],
    );
  }
});
