// The daily sweep of every organization's deadlines.
import { randomBytes } from 'node:crypto';
import anyTest, { type TestFn } from 'ava';
import { WORKFLOW_TYPES } from '../../../contracts/machinery/start.ts';
import { Referral } from '../../../db/entities/authority/referral.ts';
import { Appointment } from '../../../db/entities/distribution/appointment.ts';
import { Producer } from '../../../db/entities/distribution/producer.ts';
import { Filing } from '../../../db/entities/insight/filing.ts';
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

test('an appointment that is older than the filings of renewals gets its own by the next sweep, once', async (t) => {
  const tenant = await t.context.organization();
  const { database, orgId, today } = tenant;
  const producerId = newId('producer');
  const scope = { producerId, carrier: 'Default Carrier', state: 'TX' };
  const [end, soon] = [addDays(today, 200), addDays(today, 20)];
  const ids = await database.transaction(orgId, async (em) => {
    em.create(Producer, { id: producerId, name: 'Lone Star', status: 'active' }, { persist: true });
    const terms = [
      { lineOfBusiness: 'GL', status: 'active', expirationDate: end },
      { lineOfBusiness: 'CP', status: 'suspended', expirationDate: soon },
      { lineOfBusiness: 'CA', status: 'active' },
      { lineOfBusiness: 'WC', status: 'terminated', expirationDate: end },
    ] as const;
    return terms.map((each) => em.create(Appointment, { ...scope, ...each }, { persist: true }).id);
  });
  const renewals = () =>
    database.forOrg(orgId, (em) => em.find(Filing, { kind: 'appointment_renewal' }, { orderBy: { dueDate: 'asc' } }));
  await sweep(t.context);
  const [late, other] = await renewals();
  t.like(late, { appointmentId: ids[1], producerId, state: 'TX', dueDate: addDays(today, 19), status: 'open' });
  t.like(other, { appointmentId: ids[0], dueDate: addDays(today, 199), status: 'open' });
  t.deepEqual(
    (await announced(tenant)).map(({ data }) => [data.filingId, data.daysLeft]),
    [[late?.id, 19]],
  );
  // A filing recorded by hand does not come due again.
  await database.transaction(orgId, async (em) => {
    await em.nativeUpdate(Filing, { id: late?.id ?? '' }, { status: 'filed' });
  });
  await sweep(t.context);
  t.is((await renewals()).length, 2);
});
