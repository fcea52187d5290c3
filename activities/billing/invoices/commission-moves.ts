/** The commission record of parts that an invoice gains or loses after it was shared out. Contract 3.4. */
import type { CommissionRecord } from '../../../db/entities/billing/commission-record.ts';
import { newId } from '../../../db/ids.ts';
import type { InvoiceSplit } from '../../../domain/billing/ledger/invoice-split.ts';
import { splitPremium } from '../../../domain/billing/ledger/invoice-split.ts';

/** More premium earns more; less reverses a part of the commission earned. */
export function movedCommission(
  earned: CommissionRecord,
  moved: InvoiceSplit,
  { sourceType, sourceId }: Pick<CommissionRecord, 'sourceType' | 'sourceId'>,
) {
  const { policyId, invoiceId, producerId, tier, rates } = earned;
  const grossPremiumCents = splitPremium(moved);
  const isMore = grossPremiumCents > 0;
  return {
    ...{ id: newId('commissionRecord'), policyId, invoiceId, producerId, tier, rates, grossPremiumCents },
    type: isMore ? ('earned' as const) : ('reversal' as const),
    reversesId: isMore ? null : earned.id,
    ...{ sourceType, sourceId },
    agentCommissionCents: moved.agentCents,
    mgaCommissionCents: moved.mgaCents,
    carrierNetCents: moved.carrierCents,
  };
}
