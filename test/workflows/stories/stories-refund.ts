// What happens to refunds and returns, one path through the workflow each. Part of `stories.ts`.
import { disbursementWorkflowId } from '../../../contracts/machinery/start.ts';
import { Disbursement } from '../../../db/entities/billing/disbursement.ts';
import { newId } from '../../../db/ids.ts';
import { putFlagOverride } from '../../../db/queries/platform/flags.ts';
import { eventually } from '../../support/eventually.ts';
import { bill, insure, SAMPLE_TOTAL_CENTS } from '../billing/billed.ts';
import {
  chargeRefunded,
  deliver,
  dispute,
  issueChecks,
  payByCard,
  payByCheck,
  refund,
  refunded,
  refundSaga,
} from '../billing/returned.ts';
import type { Engine, Tenant } from '../run-engine.ts';
import type { HistoryName, Story } from './story.ts';

const named = (engine: Engine, tenant: Tenant, refundId: string): HistoryName => ({
  workflowId: refundSaga(engine, tenant, refundId).workflowId,
});

/** From a paid invoice, by card and by check; then one for more than there is. */
const refundRequested: Story = async (tenant, engine) => {
  const invoiceId = await bill(await insure(tenant));
  await payByCheck(engine, tenant, invoiceId, 75_123);
  await payByCard(engine, tenant, invoiceId, SAMPLE_TOTAL_CENTS - 75_123);
  const given = await refunded(engine, tenant, invoiceId);
  const refusedId = newId('refund');
  const payload = { invoiceId, amountCents: 1, reason: 'Paid twice' };
  await tenant.lifecycle.refundInvoice(tenant.command(refusedId, payload)).catch(() => null);
  await refundSaga(engine, tenant, refusedId).result();
  return [
    { ...named(engine, tenant, given.refundId), suffix: 'given' },
    { ...named(engine, tenant, refusedId), suffix: 'refused' },
  ];
};

/** A refund that the processor made for someone else comes to light when it declines ours. */
const refundDeclined: Story = async (tenant, engine) => {
  const invoiceId = await bill(await insure(tenant));
  const { intentId } = await payByCard(engine, tenant, invoiceId, SAMPLE_TOTAL_CENTS);
  const { processor } = engine.providers;
  const refundId = newId('refund');
  processor.planFault({ method: 'POST', path: '/v1/refunds', effect: 'error_500', times: 3 });
  const payload = { invoiceId, amountCents: 30_000, reason: 'Paid twice' };
  const answer = tenant.lifecycle.refundInvoice(tenant.command(refundId, payload)).catch(() => null);
  await eventually(async () => (await isReserved(tenant, refundId)) || null, { what: 'the reservation' });
  await deliver(engine, chargeRefunded(intentId, 20_000));
  processor.planFault({ method: 'POST', path: '/v1/refunds', effect: 'decline', times: 1 });
  await answer;
  await refundSaga(engine, tenant, refundId).result();
  return [named(engine, tenant, refundId)];
};

async function isReserved({ database, orgId }: Tenant, refundId: string): Promise<boolean> {
  const rows = await database.forOrg(orgId, (em) => em.execute('select from payments where id = ?', [refundId]));
  return rows.length > 0;
}

/**
 * Recorded from processor events: one before the invoice is paid, and a chargeback after it; the policy has no
 * producer.
 */
const refundRecorded: Story = async (tenant, engine) => {
  const invoiceId = await bill(await insure(tenant, { withProducer: false }));
  const { intentId } = await payByCard(engine, tenant, invoiceId, 500_000);
  const early = await deliver(engine, chargeRefunded(intentId, 10_000));
  await refundSaga(engine, tenant, early.paymentId ?? '').result();
  await payByCheck(engine, tenant, invoiceId, SAMPLE_TOTAL_CENTS - 490_000);
  const late = await deliver(engine, dispute('created', intentId, 490_000, 'needs_response'));
  await refundSaga(engine, tenant, late.paymentId ?? '').result();
  return [
    { ...named(engine, tenant, early.paymentId ?? ''), suffix: 'early' },
    { ...named(engine, tenant, late.paymentId ?? ''), suffix: 'chargeback' },
  ];
};

/** Above 1,000 dollars: one approved, its check issued, stopped and issued again; and one rejected. */
const refundApproved: Story = async (tenant, engine) => {
  await tenant.database.transaction(tenant.orgId, (em) => putFlagOverride(em, 'refund_approval', true));
  const invoiceId = await bill(await insure(tenant));
  await payByCheck(engine, tenant, invoiceId);
  const decided = async (decision: 'approve' | 'reject') => {
    const { refundId } = await refund(tenant, invoiceId, 200_000);
    const other = { actor: { kind: 'user', id: 'test-other', role: 'org_admin' } } as const;
    const reason = decision === 'reject' ? 'The wrong invoice.' : null;
    await tenant.lifecycle.decideRefund({ ...tenant.command(refundId, { decision, reason }), ...other });
    await refundSaga(engine, tenant, refundId).result();
    return refundId;
  };
  const [approved, rejected] = [await decided('approve'), await decided('reject')];
  await issueChecks(tenant, invoiceId);
  const [owed] = await tenant.database.forOrg(tenant.orgId, (em) => em.find(Disbursement, { invoiceId }));
  const disbursement = { workflowId: disbursementWorkflowId(tenant.orgId, owed?.id ?? '') };
  await engine.temporal.client.workflow.getHandle(disbursement.workflowId).result();
  return [
    { ...named(engine, tenant, approved), suffix: 'given' },
    { ...named(engine, tenant, rejected), suffix: 'rejected' },
    { ...disbursement, suffix: 'disbursement' },
  ];
};

/** By file name. */
export const REFUND_STORIES: Readonly<Record<string, Story>> = {
  'refund-asked': refundRequested,
  'refund-approved': refundApproved,
  'refund-declined': refundDeclined,
  'refund-recorded': refundRecorded,
};
