/**
 * What a refund had reserved and does not give back: the processor declined it, or somebody rejected it. Other returns
 * of the same money may have been taken for it, or have counted on it. Contract 3.4.
 */
import type { EntityManager } from '@mikro-orm/postgresql';
import type { RefundOutcome } from '../../../contracts/billing.ts';
import type { RefundAllocation } from '../../../db/entities/billing/payment.ts';
import { findPayment } from '../../../db/queries/billing/payments.ts';
import { returnsOfReceipt } from '../../../db/queries/billing/refunds.ts';
import type { Deps } from '../../context.ts';
import type { LockedInvoice } from '../../money-locks.ts';
import { recordProcessorRefund } from '../cards/card-refunds.ts';
import { reapportion } from './overlapping-returns.ts';

/** Releases parts of a refund in the caller's transaction; answers the refunds whose sagas must start. */
export async function releaseReserved(
  em: EntityManager,
  deps: Deps,
  released: readonly RefundAllocation[],
  locked: LockedInvoice | null,
): Promise<RefundOutcome[]> {
  const discovered = await recordDiscovered(em, deps, released, locked);
  await reapportion(em, deps, released, locked);
  return discovered;
}

/** A reported refund may have been mistaken for the part that now turns out to give nothing back. */
async function recordDiscovered(
  em: EntityManager,
  deps: Deps,
  released: readonly RefundAllocation[],
  locked: LockedInvoice | null,
): Promise<RefundOutcome[]> {
  const discovered: RefundOutcome[] = [];
  await em.flush();
  for (const { paymentId, method } of released) {
    const receipt = method === 'card' ? await findPayment(em, paymentId) : null;
    // Money that another invoice received is found by the next report on its charge.
    if (receipt === null || receipt.kind === 'application') continue;
    const returning = { receipt, locked, returns: await returnsOfReceipt(em, receipt) };
    const found = await recordProcessorRefund(em, deps, returning, { orgId: receipt.orgId, at: new Date(deps.now()) });
    if (found !== null) discovered.push(found);
  }
  return discovered;
}
