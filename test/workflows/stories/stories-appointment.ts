// What happens to appointments: paths through their workflow, with histories in test/histories.
import { appointmentWorkflowId } from '../../../contracts/machinery/start.ts';
import { Producer } from '../../../db/entities/distribution/producer.ts';
import { newId } from '../../../db/ids.ts';
import { addRow } from '../../../db/new-rows.ts';
import { addDays } from '../../../domain/dates.ts';
import { advance } from '../claim/filed.ts';
import type { Tenant } from '../run-engine.ts';
import type { HistoryName, Story } from './story.ts';

async function applied(tenant: Tenant): Promise<HistoryName & { id: string }> {
  const id = await anAppointment(tenant, 'pending');
  return { id, workflowId: appointmentWorkflowId(tenant.orgId, id) };
}

/** An appointment that ends in thirty days. */
export async function anAppointment(tenant: Tenant, status: 'pending' | 'active'): Promise<string> {
  const { orgId, database, lifecycle, command, today } = tenant;
  const [producerId, id] = [newId('producer'), newId('appointment')];
  await database.transaction(orgId, async (em) => {
    addRow(em, Producer, { id: producerId, name: 'Bay Agency', status: 'active' });
  });
  const terms = { producerId, state: 'TX', lineOfBusiness: 'GL', carrier: 'Default Carrier', surplusLines: false };
  const dates = { effectiveDate: today, expirationDate: addDays(today, 30) };
  await lifecycle.createAppointment(command(id, { ...terms, ...dates, status }));
  return id;
}

/** Applied for, granted, suspended, granted again, and expired on its date. */
const appointmentExpired: Story = async (tenant, engine) => {
  const { id, workflowId } = await applied(tenant);
  for (const status of ['active', 'suspended', 'active'] as const) {
    await tenant.lifecycle.changeAppointment(tenant.command(id, { status }));
  }
  await advance(tenant, 31);
  await engine.temporal.client.workflow.getHandle(workflowId).result();
  return [{ workflowId }];
};

/** Rejected; anything later finds it over. */
const appointmentRejected: Story = async (tenant, engine) => {
  const { id, workflowId } = await applied(tenant);
  await tenant.lifecycle.changeAppointment(tenant.command(id, { status: 'rejected' }));
  await engine.temporal.client.workflow.getHandle(workflowId).result();
  return [{ workflowId }];
};

export const APPOINTMENT_STORIES: Readonly<Record<string, Story>> = {
  'appointment-expired': appointmentExpired,
  'appointment-rejected': appointmentRejected,
};
