// A card that an insured enters, a bill charged to it, and the sweep that starts the next charge. Their histories are
// in test/histories.
import { autopayChargeWorkflowId, inboundWorkflowId, WORKFLOW_TYPES } from '../../../contracts/machinery/start.ts';
import { Autopay } from '../../../db/entities/billing/autopay.ts';
import { AutopaySetup } from '../../../db/entities/billing/autopay-setup.ts';
import { newId } from '../../../db/ids.ts';
import { findPolicy } from '../../../db/queries/policy/policies.ts';
import { bill, insure } from '../billing/billed.ts';
import type { Engine, Tenant } from '../run-engine.ts';
import type { Story } from './story.ts';

/** Has a policy's insured enter a card that may be charged. Returns the workflow that stored it. */
export async function enterCard(tenant: Tenant, engine: Engine, policyId: string): Promise<string> {
  const { providers, temporal, queue } = engine;
  const { database, orgId } = tenant;
  const setupId = newId('autopaySetup');
  const policy = await database.forOrg(orgId, (em) => findPolicy(em, policyId));
  const insuredId = policy?.insuredId ?? '';
  const { id: setupIntentKey, customerKey } = await providers.card.createSetup({
    ...{ idempotencyKey: setupId, customer: { key: null, idempotencyKey: insuredId } },
    metadata: { orgId, insuredId, setupId },
  });
  await database.transaction(orgId, async (em) => {
    const nothing = { suspendedReason: null, setupId: null, paymentMethodKey: null, card: null };
    em.create(Autopay, { insuredId, status: 'pending', customerKey, ...nothing }, { persist: true });
    const agreed = { termsVersion: '2026-11', agreedAt: new Date(), agreedBy: policyId };
    em.create(AutopaySetup, { id: setupId, insuredId, setupIntentKey, status: 'open', ...agreed }, { persist: true });
  });
  providers.processor.setUp(setupIntentKey);
  const workflowId = inboundWorkflowId('card-processor', setupId);
  const args = [{ orgId, setupId, setupIntentKey }];
  await temporal.client.workflow.execute(WORKFLOW_TYPES.autopaySetup, { workflowId, taskQueue: queue, args });
  return workflowId;
}

const autopay: Story = async (tenant, engine) => {
  const { temporal, queue } = engine;
  const { orgId, today } = tenant;
  const insurance = await insure(tenant);
  const first = await bill(insurance, { dueDate: today });
  const setup = await enterCard(tenant, engine, insurance.invoice.policyId);
  const recorded = [
    [WORKFLOW_TYPES.autopayCharge, autopayChargeWorkflowId(orgId, first, today), { orgId, invoiceId: first }],
    [WORKFLOW_TYPES.autopaySweep, `autopay/${today}`, {}],
  ] as const;
  for (const [type, workflowId, input] of recorded) {
    if (type === WORKFLOW_TYPES.autopaySweep) await bill(insurance, { dueDate: today });
    await temporal.client.workflow.execute(type, { workflowId, taskQueue: queue, args: [input] });
  }
  const [charge, sweep] = recorded.map(([, workflowId]) => workflowId) as [string, string];
  return [
    { workflowId: setup, suffix: 'setup' },
    { workflowId: charge, suffix: 'charge' },
    { workflowId: sweep, suffix: 'sweep' },
  ];
};

/** By file name. */
export const AUTOPAY_STORIES: Readonly<Record<string, Story>> = { autopay };
