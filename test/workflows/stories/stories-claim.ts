// What happens to claims: paths through their workflow, with histories in test/histories.
import { claimPaymentWorkflowId, claimWorkflowId } from '../../../contracts/machinery/start.ts';
import { newId } from '../../../db/ids.ts';
import { keepNote, keepPayee } from '../../../db/queries/claim/claim-words.ts';
import { lockLossFund, paymentsOfClaim } from '../../../db/queries/claim/loss-funds.ts';
import { listWaiting } from '../../../scripts/ops/waiting.ts';
import { eventually } from '../../support/eventually.ts';
import { advance, filed } from '../claim/filed.ts';
import type { Tenant } from '../run-engine.ts';
import type { HistoryName, Story } from './story.ts';

const NO_NOTE = { noteId: null };

async function noted(tenant: Tenant, claimId: string): Promise<string> {
  const id = newId('claimNote');
  await tenant.database.transaction(tenant.orgId, (em) => keepNote(em, { id, claimId, text: 'Excluded.' }));
  return id;
}

async function offered(tenant: Tenant, claimId: string, isApproved: boolean): Promise<void> {
  const settlementId = newId('settlement');
  const payee = { id: settlementId, claimId, name: 'A guest' };
  await tenant.database.transaction(tenant.orgId, (em) => keepPayee(em, payee));
  const offer = { settlementId, amountCents: 100_000, isApproved, ...NO_NOTE };
  await tenant.lifecycle.settleClaim(tenant.command(claimId, offer));
}

/** Investigated, with its deadlines on the way, denied, closed; reopened, settled, closed again. */
const claimLife: Story = async (tenant, engine) => {
  const { lifecycle, command, orgId } = tenant;
  const claimId = await filed(tenant, engine);
  const { client } = engine.temporal;
  const handle = client.workflow.getHandle(claimWorkflowId(orgId, claimId));
  await lifecycle.assignClaim(command(claimId, { adjusterId: 'test-adjuster' }));
  await lifecycle.investigateClaim(command(claimId, { adjusterId: null, ...NO_NOTE }));
  const reserves = { indemnityCents: 500_000, expenseCents: 0 };
  await lifecycle.reserveClaim(command(claimId, { reserves, ...NO_NOTE }));
  await lifecycle.reopenClaim(command(claimId, NO_NOTE)).catch(() => null);
  await offered(tenant, claimId, false);
  await lifecycle.rejectSettlement(command(claimId, NO_NOTE));
  await advance(tenant, 24);
  await lifecycle.denyClaim(command(claimId, { noteId: await noted(tenant, claimId) }));
  const { runId } = await handle.describe();
  await lifecycle.closeClaim(command(claimId, { outcome: null, ...NO_NOTE }));
  await client.workflow.getHandle(handle.workflowId, runId).result();
  await lifecycle.reopenClaim(command(claimId, NO_NOTE));
  await lifecycle.reserveClaim(command(claimId, { reserves, ...NO_NOTE }));
  await offered(tenant, claimId, false);
  await lifecycle.approveSettlement(command(claimId, {}));
  await lifecycle.closeClaim(command(claimId, { outcome: 'paid', ...NO_NOTE }));
  await handle.result();
  return [
    { workflowId: handle.workflowId, runId, suffix: 'closed' },
    { workflowId: handle.workflowId, suffix: 'reopened' },
  ];
};

/** A settlement is paid from a fund that has enough, and from one that does not. */
const claimPayment: Story = async (tenant, engine) => {
  const { lifecycle, command, orgId, database } = tenant;
  const { client } = engine.temporal;
  const [paid, waiting] = [await filed(tenant, engine), await filed(tenant, engine)];
  await database.transaction(orgId, async (em) => {
    const fund = await lockLossFund(em, 'Default Carrier');
    fund.balanceCents = 150_000;
  });
  const names: HistoryName[] = [];
  for (const [suffix, claimId] of Object.entries({ paid, waiting })) {
    await lifecycle.investigateClaim(command(claimId, { adjusterId: null, ...NO_NOTE }));
    const reserves = { indemnityCents: 500_000, expenseCents: 0 };
    await lifecycle.reserveClaim(command(claimId, { reserves, ...NO_NOTE }));
    await offered(tenant, claimId, true);
    const [payment] = await database.forOrg(orgId, (em) => paymentsOfClaim(em, claimId));
    const workflowId = claimPaymentWorkflowId(orgId, payment?.id ?? '');
    const handle = client.workflow.getHandle(workflowId);
    if (suffix === 'waiting') {
      const { step, operator } = { step: 'loss fund ledger', operator: 'story' };
      await eventually(async () => (await listWaiting(client)).some((one) => one.workflowId === workflowId), {
        what: 'the payment to wait',
      });
      await handle.signal('skipStep', { step, operator });
    }
    await handle.result();
    names.push({ workflowId, suffix });
  }
  return names;
};

/** No one works on it: both deadlines are announced and pass. */
const claimMissed: Story = async (tenant, engine) => {
  const claimId = await filed(tenant, engine);
  const handle = engine.temporal.client.workflow.getHandle(claimWorkflowId(tenant.orgId, claimId));
  await advance(tenant, 31);
  await tenant.lifecycle.closeClaim(tenant.command(claimId, { outcome: 'no_payment', ...NO_NOTE }));
  await handle.result();
  return [{ workflowId: handle.workflowId }];
};

export const CLAIM_STORIES: Readonly<Record<string, Story>> = {
  'claim-life': claimLife,
  'claim-missed': claimMissed,
  'claim-payment': claimPayment,
};
