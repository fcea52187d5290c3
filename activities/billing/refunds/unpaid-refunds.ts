/**
 * What follows when a refund is declined or rejected: if the policy has become cheaper, its invoices bill no more than
 * it costs. The unpaid excess is credited part by part; any overpayment goes back, unless it is the rejected money.
 * Contract 3.2, 3.4.
 */
import type { EntityManager } from '@mikro-orm/postgresql';
import type { RefundOutcome } from '../../../contracts/billing.ts';
import type { Payment } from '../../../db/entities/billing/payment.ts';
import { writeNewRows } from '../../../db/new-rows.ts';
import { paymentsWith } from '../../../db/queries/billing/payments.ts';
import { type Cents, sumCents } from '../../../domain/money.ts';
import { businessDay } from '../../../plans/platform/business-day.ts';
import type { ChangeBilling } from '../../../plans/policy/change-plan.ts';
import {
  changeOfRefund,
  planOverbilledCredit,
  type UncreditedChange,
  uncreditedChanges,
} from '../../../plans/policy/unpaid-refund-plan.ts';
import type { Origin } from '../../audit.ts';
import type { Deps } from '../../context.ts';
import type { LockedInvoice } from '../../money-locks.ts';
import { changeInvoices, persistBilling } from '../../policy/policy-billing.ts';
import { refundOutcome } from './refund-rows.ts';

/** The remaining work after a refund that was not paid out. */
export interface StillOwed {
  /** The return premium of a policy change that is not being refunded, in cents. */
  owedCents: Cents;
  /** The return premium that the refund no longer covers: reserved. Their sagas must start. */
  reserved: RefundOutcome[];
}

export const NOTHING_OWED: StillOwed = { owedCents: 0, reserved: [] };

interface Giving {
  locked: LockedInvoice | null;
  origin: Omit<Origin, 'entityId'>;
}

/** Brings a locked policy's invoices in line with its cost once a refund is not paid out, as its row says. */
export async function settleUnpaidRefund(
  em: EntityManager,
  deps: Deps,
  row: Payment,
  giving: Giving,
): Promise<StillOwed> {
  const { locked } = giving;
  if (locked === null) return NOTHING_OWED;
  await em.flush();
  // Releasing the money may have taken the invoice out of the shares in this transaction.
  await writeNewRows(em);
  const owed: StillOwed = { owedCents: 0, reserved: [] };
  // If no policy change caused the refund, any change may have relied on it.
  const changes =
    row.composition === null ? await uncreditedChanges(em, locked.policy.id) : await changeOfRefund(em, row);
  for (const change of changes) {
    const { owedCents, reserved } = await settleChange(em, deps, row, { ...giving, locked, change });
    owed.owedCents += owedCents;
    owed.reserved.push(...reserved);
  }
  return owed;
}

async function settleChange(
  em: EntityManager,
  deps: Deps,
  row: Payment,
  { locked, origin, change }: Giving & { locked: LockedInvoice; change: UncreditedChange },
): Promise<StillOwed> {
  const { policy } = locked;
  const { transaction, cents: mostCents } = change;
  const day = await businessDay(em, row.orgId, deps.now());
  const planned = await planOverbilledCredit(em, policy, { mostCents, today: day.today });
  const owedCents = sumCents(planned.refunds.map(({ amountCents }) => amountCents));
  const isOwed = row.composition !== null;
  const billing: ChangeBilling = { ...planned, refunds: isOwed ? [] : planned.refunds };
  if (isEmpty(billing)) return { owedCents: isOwed ? owedCents : 0, reserved: [] };
  const order = {
    ...{ policy, transactionId: transaction.id, day, at: new Date(deps.now()), requestedBy: [origin.actor] },
    ...{ origin: { ...origin, entityId: policy.id }, plan: { type: transaction.type, billing } },
    ...{ returnsUnapplied: false, cause: row.id },
  };
  const billed = await changeInvoices(em, order);
  await em.flush();
  const { refundIds } = await persistBilling(em, deps, order, { billed, commission: transaction.commission });
  await em.flush();
  await writeNewRows(em);
  return { owedCents: isOwed ? owedCents : 0, reserved: await outcomesOf(em, locked, refundIds) };
}

function isEmpty({ credits, voids, exchanges, refunds }: ChangeBilling): boolean {
  return [credits, voids, exchanges, refunds].every(({ length }) => length === 0);
}

/** Only reserved: their sagas wait for approval, or call the card processor. */
async function outcomesOf(
  em: EntityManager,
  { policy: { policyNumber } }: LockedInvoice,
  refundIds: readonly string[],
): Promise<RefundOutcome[]> {
  const rows = await paymentsWith(em, [...refundIds]);
  return rows.map((row) => ({ ...refundOutcome(row, null), policyNumber, isReserved: true }));
}
