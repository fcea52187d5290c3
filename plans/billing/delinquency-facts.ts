// Reads the facts for a policy's delinquency clock from the rows. The rule is in domain/billing/delinquency-clock.ts.
// Contract 3.2 "Delinquency".

import type { EntityManager } from '@mikro-orm/postgresql';
import { Invoice } from '../../db/entities/billing/invoice.ts';
import { Payment } from '../../db/entities/billing/payment.ts';
import type { Policy } from '../../db/entities/policy/policy.ts';
import { waitingRows } from '../../db/new-rows.ts';
import { preparedRows } from '../../db/prepared.ts';
import { holdsOfState } from '../../db/queries/billing/billing-holds.ts';
import { DUE, isReturnedPaymentFee } from '../../db/queries/billing/invoices.ts';
import { WAITING_RETURNS } from '../../db/queries/billing/waiting-returns.ts';
import { organizationOf } from '../../db/scope.ts';
import { uncoveredBills } from '../../domain/billing/covered-bills.ts';
import type { UnpaidInvoice } from '../../domain/billing/delinquency.ts';
import {
  type ClockStep,
  nextClockStep,
  type PolicyClock,
  standingNotice,
} from '../../domain/billing/delinquency-clock.ts';
import type { BusinessDate } from '../../domain/dates.ts';
import { type Cents, sumCents } from '../../domain/money.ts';
import { isLive, LIVE_STATUSES } from '../../domain/policy/policy.ts';
import { isUnpaidOffer } from '../renewal/renewal-offers.ts';
import { hasOpenDispute, heldInDispute } from './disputed-money.ts';

/** An invoice with a balance. */
export interface UnpaidBill extends UnpaidInvoice {
  installmentNumber: number;
  balanceCents: Cents;
}

/** A policy's clock with its unpaid invoices. */
export interface DelinquentClock extends PolicyClock {
  id: string;
  unpaid: UnpaidBill[];
}

/** A step, with its name for operators. */
export type NamedStep = ClockStep & { what: string };

/**
 * Returns a policy's next delinquency step, or null. To act on it, lock the policy: payments wait for that lock. The
 * transaction's unwritten rows count too.
 */
export async function nextStepOf(
  em: EntityManager,
  policy: Readonly<Policy>,
  today: BusinessDate,
): Promise<NamedStep | null> {
  if (!isLive(policy.status)) return null;
  const unpaid = await unpaidOf(em, policy.id);
  const clock = clockOf(policy, unpaid);
  // A hold only matters once something is past due.
  const isBehind = standingNotice(clock) !== null || unpaid.some(({ dueDate }) => dueDate < today);
  const holds = isBehind ? await holdsOfState(em, policy.state) : [];
  const isOffer = isBehind && standingNotice(clock) === null && (await isUnpaidOffer(em, policy, unpaid));
  return namedStep({ ...clock, holds, isOffer }, today);
}

/** Returns the first step of a term whose rows are about to be written; reads nothing. */
export function nextStepOfNewTerm(em: EntityManager, policy: Readonly<Policy>, today: BusinessDate): NamedStep | null {
  return namedStep(clockOf(policy, unwrittenOf(em, policy.id)), today);
}

/** Returns the next step of a clock with its name. */
function namedStep(clock: DelinquentClock, today: BusinessDate): NamedStep | null {
  const step = nextClockStep(clock, today);
  return step && { ...step, what: nameOf(step, clock.unpaid) };
}

/**
 * Reads the clocks of policies that are past due, or will be by a day, with all of the organization's holds. Renewal
 * offers look like other policies: an offer ends on the day that notice would go out.
 */
export async function delinquentClocks(em: EntityManager, until: BusinessDate): Promise<DelinquentClock[]> {
  const places = LIVE_STATUSES.map(() => '?').join(', ');
  const rows = await em.execute<(Omit<DelinquentClock, 'holds'> & { heldCents: string })[]>(
    `select p.id, p.state, p.status,
       p.effective_date::text as "effectiveDate", p.expiration_date::text as "expirationDate",
       p.cancellation ->> 'effectiveDate' as "cancellationDate", p.delinquency,
       coalesce(p.cancellation ->> 'source' = 'insured', false) as "isByInsured",
       coalesce(
         jsonb_agg(jsonb_build_object('id', i.id, 'dueDate', i.due_date, 'installmentNumber', i.installment_number,
           'balanceCents', ${BALANCE}))
         filter (where i.id is not null), '[]'
       ) as unpaid, ${WAITING_RETURNS('p.org_id', 'p.id')} as "heldCents"
     from policies p left join invoices i on i.org_id = p.org_id and i.policy_id = p.id and ${DUE}
     where p.org_id = ? and p.status in (${places})
     group by p.id having min(i.due_date) < ?::date or p.delinquency ->> 'noticeOn' is not null
     order by p.id`,
    [organizationOf(em), ...LIVE_STATUSES, until],
  );
  const clocks: Omit<DelinquentClock, 'holds'>[] = [];
  const isAnyDisputed = await hasOpenDispute(em);
  for (const { heldCents, ...row } of rows) {
    const disputedCents = isAnyDisputed && row.unpaid.length > 0 ? await heldInDispute(em, row.id) : 0;
    clocks.push({ ...row, unpaid: uncoveredBills(row.unpaid, Number(heldCents) + disputedCents) });
  }
  const behind = clocks.filter((clock) => standingNotice(clock) !== null || clock.unpaid.some(isDueBefore(until)));
  if (behind.length === 0) return [];
  const holds = await holdsOfState(em);
  return behind.map((clock) => ({ ...clock, holds: holds.filter(({ state }) => state === clock.state) }));
}

function clockOf(policy: Readonly<Policy>, unpaid: UnpaidBill[]): DelinquentClock {
  const { id, state, status, effectiveDate, expirationDate, delinquency, cancellation } = policy;
  const cancellationDate = cancellation?.effectiveDate ?? null;
  const isByInsured = cancellation?.source === 'insured';
  const announced = { cancellationDate, isByInsured };
  return { id, state, status, effectiveDate, expirationDate, ...announced, delinquency, unpaid, holds: [] };
}

const BALANCE = 'total_cents - paid_cents + refunded_before_paid_cents';

const UNPAID = {
  name: 'unpaid bills',
  text: `select id, due_date::text as "dueDate", installment_number as "installmentNumber",
      ${BALANCE} as "balanceCents",
      ${WAITING_RETURNS('$1', '$2')} as "heldCents"
    from invoices where org_id = $1 and policy_id = $2 and ${DUE} order by due_date, installment_number`,
};

const isDueBefore = (day: BusinessDate) => (bill: UnpaidBill) => bill.dueDate < day;

/** Reads the ids of unpaid invoices that are not past due only because the money for them is in dispute. */
export async function billsAwaitingBank(em: EntityManager, policyId: string): Promise<string[]> {
  const [asking, others] = [await unpaidOf(em, policyId), await unpaidOf(em, policyId, () => 0)];
  return others.flatMap(({ id }) => (asking.some((bill) => bill.id === id) ? [] : [id]));
}

/**
 * The invoices that demand payment: not those fully covered by return premium awaiting approval, or by money in
 * dispute.
 */
async function unpaidOf(
  em: EntityManager,
  policyId: string,
  disputedCentsOf: (em: EntityManager, policyId: string) => Promise<Cents> | Cents = heldInDispute,
): Promise<UnpaidBill[]> {
  type Row = Omit<UnpaidBill, 'balanceCents'> & Record<'balanceCents' | 'heldCents', string>;
  const rows = await preparedRows<Row>(em, UNPAID, [organizationOf(em), policyId]);
  const written = rows.map(({ heldCents: _, ...bill }) => ({ ...bill, balanceCents: Number(bill.balanceCents) }));
  const unpaid = [...written, ...unwrittenOf(em, policyId)];
  if (rows[0] === undefined) return unpaid;
  const waitingCents = Number(rows[0].heldCents) + unwrittenReturns(em, policyId);
  return uncoveredBills(unpaid, waitingCents + (await disputedCentsOf(em, policyId)));
}

/** The transaction's return premium that awaits approval. */
function unwrittenReturns(em: EntityManager, policyId: string): Cents {
  const waiting = waitingRows(em, Payment).filter(
    (row) => row.policyId === policyId && row.status === 'pending_approval' && row.policyTransactionId !== null,
  );
  return sumCents(waiting.map(({ amountCents }) => -amountCents));
}

/** Invoices created in the transaction but not written yet. */
function unwrittenOf(em: EntityManager, policyId: string): UnpaidBill[] {
  return waitingRows(em, Invoice)
    .filter((row) => row.policyId === policyId && row.totalCents > 0 && !isReturnedPaymentFee(row))
    .map(({ id, dueDate, installmentNumber, ...bill }) => {
      return { id, dueDate, installmentNumber, balanceCents: bill.totalCents };
    });
}

function nameOf(step: ClockStep, unpaid: readonly UnpaidBill[]): string {
  switch (step.step) {
    case 'past_due': {
      const numbers = unpaid.filter(({ id }) => step.invoiceIds.includes(id)).map((bill) => bill.installmentNumber);
      return `installment ${Math.min(...numbers)} past due`;
    }
    case 'notice':
      return 'notice of cancellation';
    case 'move':
      return 'another day of the lapse';
    case 'withdraw':
    case 'rescind':
      return 'notice of cancellation taken back';
    case 'lapse':
      return 'lapse';
    case 'not_taken':
      return 'renewal offer not taken';
  }
}
