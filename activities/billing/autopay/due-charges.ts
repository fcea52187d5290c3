/**
 * A day's autopay work: bills to charge, and e-mails to send before a charge. The daily sweep and the test clock read
 * it. Decision 0165, Contract 3.9.
 */
import type { EntityManager } from '@mikro-orm/postgresql';
import { heartbeat } from '@temporalio/activity';
import type { AutopayDay } from '../../../contracts/autopay.ts';
import {
  type AutopayBill,
  allAutopayBills,
  autopayBills,
  billsUnderWay,
  insuredsWithAutopay,
  keepChargeNotice,
  organizationsWithAutopay,
} from '../../../db/queries/billing/autopay.ts';
import { CHARGE_NOTICE_DAYS, nextChargeOn, SMALLEST_CHARGE_CENTS } from '../../../domain/billing/autopay.ts';
import { addDays, type BusinessDate } from '../../../domain/dates.ts';
import { businessDay } from '../../../plans/platform/business-day.ts';
import { type Deps, transaction } from '../../context.ts';
import { noticeDue } from '../../notice/due-notices.ts';

/** Insureds per page of bills. */
const PAGE = 500;

/** Reads the next organizations with autopay, by id; an empty page is the end. */
export const organizationsWithCharges =
  (deps: Deps) =>
  (page: { after: string; limit: number }): Promise<string[]> =>
    deps.database.acrossOrgs('bills for autopay', (em) => organizationsWithAutopay(em, page));

/** Lists the autopay work of a business date; an e-mail stays listed until `keepChargeNotices` records it. */
export const dueAutopay =
  (deps: Deps) =>
  ({ orgId, after }: { orgId: string; after: string }): Promise<AutopayDay> =>
    transaction(deps, { kind: 'dueAutopay', orgId }, async (em) => {
      const { today } = await businessDay(em, orgId, deps.now());
      const insuredIds = await insuredsWithAutopay(em, { after, limit: PAGE });
      const bills = await autopayBills(em, insuredIds, addDays(today, CHARGE_NOTICE_DAYS));
      const charged = bills.filter((bill) => isAtMost(chargeDay(bill), today)).map(({ invoiceId }) => invoiceId);
      return {
        date: today,
        invoiceIds: [...new Set([...charged, ...(await billsUnderWay(em, insuredIds))])].sort(),
        notices: bills.filter((bill) => isAtMost(noticeDay(bill, today), today)).map(noticeOf),
        next: insuredIds.length === PAGE ? (insuredIds.at(-1) ?? null) : null,
      };
    });

/** Records that these e-mails are going out; their workflows start afterwards, so that none is lost in between. */
export const keepChargeNotices =
  (deps: Deps) =>
  ({ orgId, notices }: { orgId: string; notices: AutopayDay['notices'] }): Promise<void> =>
    transaction(deps, { kind: 'keepChargeNotices', orgId }, async (em) => {
      for (const { policyId, ...notice } of notices) {
        await keepChargeNotice(em, notice.transactionId ?? '', notice.on);
        await noticeDue(em, policyId, notice);
      }
    });

/** The earliest day up to `until` on which autopay has something to do, not before `from`; null when there is none. */
export async function earliestAutopayDue(
  em: EntityManager,
  { from = '', until }: { from?: BusinessDate; until: BusinessDate },
  today: BusinessDate,
): Promise<BusinessDate | null> {
  const bills = await allAutopayBills(em, addDays(until, CHARGE_NOTICE_DAYS));
  const days = bills.flatMap((bill) => [chargeDay(bill), noticeDay(bill, today)]);
  const due = days.filter((day): day is BusinessDate => day !== null && day >= from && day <= until);
  return due.toSorted()[0] ?? null;
}

/** Does the autopay work of a date and waits for it. Returns how many bills are still to be charged. */
export async function makeDueCharges(deps: Deps, { orgId }: { orgId: string }): Promise<number> {
  let undone = 0;
  for (let after: string | null = ''; after !== null; ) {
    const { date, invoiceIds, notices, next }: AutopayDay = await dueAutopay(deps)({ orgId, after });
    if (notices.length > 0) await keepChargeNotices(deps)({ orgId, notices });
    for (const notice of notices) await deps.engine.sendNotice(orgId, notice);
    for (const invoiceId of invoiceIds) {
      const { isDone } = await deps.engine.chargeAutopay({ orgId, invoiceId, date });
      if (!isDone) undone += 1;
      heartbeat();
    }
    after = next;
  }
  return undone;
}

/** The day a bill is next charged, or its charge continues; null when it is not charged. */
function chargeDay(bill: AutopayBill): BusinessDate | null {
  if (bill.underWayOn !== null) return bill.underWayOn;
  return bill.balanceCents < SMALLEST_CHARGE_CENTS ? null : nextChargeOn(bill);
}

function noticeOf({ invoiceId, policyId, dueDate }: AutopayBill): AutopayDay['notices'][number] {
  return { kind: 'autopay_upcoming', on: dueDate, policyId, transactionId: invoiceId };
}

/** A bill already due is charged without a prior e-mail: the insured has just entered the card. */
function noticeDay({ dueDate, isNoticed, balanceCents, lastTriedOn }: AutopayBill, today: BusinessDate) {
  const isOver = isNoticed || lastTriedOn !== null || dueDate <= today || balanceCents < SMALLEST_CHARGE_CENTS;
  return isOver ? null : addDays(dueDate, -CHARGE_NOTICE_DAYS);
}

function isAtMost(day: BusinessDate | null, today: BusinessDate): boolean {
  return day !== null && day <= today;
}
